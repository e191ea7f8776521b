// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/costs/memory_model.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "support/checked.hpp"
#include "timing/costs/access_classes.hpp"
#include "timing/costs/access_rules.hpp"

namespace warpspan::timing {

namespace {

using ir::OperationKind;
using support::Integer;

class ServiceModel {
 public:
  ServiceModel(const ConstantReads& code, const Footprint& footprint, const Machine& machine,
               const AssumptionSet& assumed, const Persistence& persistence)
      : code_(code),
        footprint_(footprint),
        machine_(machine),
        persistence_(persistence),
        rules_(code, footprint, machine, assumed) {
    if (const DataCache* cache = machine.data_cache(constant_cache)) {
      constant_lines_ = constant_lines(code.kernel, cache->line, code.integers, &code);
    }
    if (persistence.tables) lines_behind_ = lines_cached_behind(code.kernel, machine);
  }

  MemoryService run();

 private:
  bool is_by_warps(const ir::Access& access) const {
    return std::find(persistence_.by_warps.begin(), persistence_.by_warps.end(), access.object) !=
           persistence_.by_warps.end();
  }
  // Memory serves it so often as persistence_ has it, and not for each access.
  bool is_persistent(const ir::Access& access) const {
    return persistence_.fetches_of(access.object) > 0 ||
           (persistence_.data && persistence_.fetches.of(access).times > 0);
  }
  bool spreads() const { return rules_.in_force().has(Assumption::spread); }
  // Of data that the L2 cache has.
  int64_t hit_of_second(const Service& service) const {
    const DataCache* cache = machine_.data_cache(l2_cache);
    return cache->hit - (service.pages_once ? cache->hit_translation : 0);
  }
  void add_caches(ir::InstructionId id, const ir::Access* access, Service& service) const;
  Integer ticks_of_object(ir::ObjectId object, const Fetches& fetches, const ResourceFigures& resource,
                          int64_t ticks) const;
  Integer ticks_of_persistent(const ResourceFigures& resource, int64_t ticks, MemoryService& result) const;
  void add_first_misses(MemoryService& result) const;

  const ConstantReads& code_;
  const Footprint& footprint_;
  const Machine& machine_;
  const Persistence& persistence_;
  const AccessRules rules_;
  int64_t constant_lines_ = 0;
  std::optional<int64_t> lines_behind_;
};

// What caches have of it, and where it may go.
void ServiceModel::add_caches(ir::InstructionId id, const ir::Access* access, Service& service) const {
  const ir::Instruction& instruction = code_.kernel.instructions[id];
  const ir::Operation& operation = code_.kernel.operation(instruction);
  if (const ir::BulkCopy* copy = ir::copy_of(code_.flow, id)) service.lanes = copy->lanes;
  service.may_leave_block = code_.kernel.launch_bounds.clusters && may_leave_block(operation);
  const bool fixed = instruction.operation == code_.load || !is_indexed(code_.kernel, instruction, code_.awaited) ||
                     (code_.kernel.constant_places && code_.flow.transactions[id] == 1);
  // How soon one of several places is there was measured where others were asked for all the time, but not alone.
  service.places_nearby = persistence_.constants && is_constant_load(operation.kind) && !fixed;
  if (persistence_.constants && is_constant_load(operation.kind) && fixed) {
    const DataCache* cache = machine_.data_cache(constant_cache);
    service.cached_nearby = true;
    service.as_operand = cache->as_operands;
    service.hit = cache->hit;
  } else if (persistence_.parameters && code_.of_launch[id]) {
    service.cached_by_device = true;
    service.hit = hit_of_parameters(machine_);
  }
  if (persistence_.tables && is_constant_load(operation.kind)) {
    service.cached_by_device = true;
    service.places_nearby = service.places_nearby || lines_behind_.has_value();
    if (lines_behind_) service.place = machine_.data_cache(constant_cache)->place;
  }
  if (is_local(operation.kind) && footprint_.local && persistence_.fetches_of_local() > 0) {
    service.cached_by_device = true;
    if (persistence_.local_by_warps && operation.kind == OperationKind::load_local) {
      service.hit = hit_of_second(service);
    }
  }
  if (access == nullptr) return;
  service.in_shared = access->in_shared;
  service.in_global = access->in_global && operation.kind == OperationKind::atomic_generic;
  service.may_leave_block = service.may_leave_block && !access->in_global;
  service.cached_by_device =
      access->object != ir::no_object && is_persistent(*access) && !ir::is_of_mapped_device(operation);
  if (service.cached_by_device && is_load(operation.kind) && is_by_warps(*access)) {
    service.hit = hit_of_second(service);
  }
}

MemoryService ServiceModel::run() {
  MemoryService result{code_.kernel, code_.flow, {}, {}, {}, {}};
  result.services.fractions = spreads();
  if (spreads()) result.relied.add(Assumption::spread);  // parts of cycles count then, of whichever access
  result.services.operations.resize(code_.kernel.operations.size());
  std::map<std::pair<uint32_t, Service>, uint32_t> known;  // operations of those with this service
  std::vector<bool> used(code_.kernel.operations.size());
  for (ir::InstructionId id = 0; id < code_.kernel.instructions.size(); ++id) {
    const ir::Access* access = rules_.access_of(id);
    const AccessService own =
        rules_.service_of(code_.kernel.operation(code_.kernel.instructions[id]), access, code_.flow.transactions[id]);
    Service service = own.service;
    add_caches(id, access, service);
    ir::Instruction& instruction = result.kernel.instructions[id];
    const uint32_t operation = instruction.operation;
    const auto [found, fresh] = known.try_emplace({operation, service}, operation);
    if (fresh && used[operation]) {
      found->second = static_cast<uint32_t>(result.kernel.operations.size());
      result.kernel.operations.push_back(code_.kernel.operations[operation]);
      result.services.operations.push_back(service);
    } else if (fresh) {
      used[operation] = true;
      result.services.operations[operation] = service;
    }
    instruction.operation = found->second;
    result.counts_from_global =
        result.counts_from_global || (access != nullptr && access->in_global &&
                                      (service.in_global || (code_.kernel.launch_bounds.clusters &&
                                                             may_leave_block(code_.kernel.operations[operation]))));
    const ir::Operation& given = code_.kernel.operations[operation];
    const bool is_spread = service.memory != Guarantee::same_bank || service.network >= Guarantee::spread;
    result.shares_lines = result.shares_lines || service.shared_ticks > 0;
    result.spreads_unseen =
        result.spreads_unseen || (is_spread && touches_memory(given) && !rules_.knows_sharing(given, access));
    if (service.refresh_by_time) result.relied.add(Assumption::even_refresh);
    if (service.pages_once) result.relied.add(Assumption::keeps_pages);
    result.reads_parameters = result.reads_parameters || (persistence_.parameters && code_.of_launch[id]);
    if (access == nullptr || access->in_shared) continue;
    result.flow.transactions[id] = own.transactions;
    AssumptionSet helping = own.helping;
    if (service.cached_by_device) helping.add(persistence_.fetches.empty() ? Assumption::keeps : Assumption::recent);
    result.accesses.add(helping);
    result.relied.add(own.helping);
  }
  if (persistence_.constants) {
    result.first_misses.constant_lines = constant_lines_;
    if (persistence_.parameters)
      result.first_misses.launch_lines = launch_lines(code_.kernel, machine_.data_cache(constant_cache)->line);
    result.reads_parameters = result.reads_parameters || result.first_misses.launch_lines > 0;
  }
  if (persistence_.tables) result.first_misses.table_lines = table_lines(code_.kernel, machine_).value_or(0);
  result.first_misses.lines_behind = lines_behind_.value_or(0);
  add_first_misses(result);
  return result;
}

// Lines of an object, so often: those of accesses to few lines at the rate of these, the others at that of the access
// with the slowest service.
Integer ServiceModel::ticks_of_object(ir::ObjectId object, const Fetches& fetches, const ResourceFigures& resource,
                                      int64_t ticks) const {
  const auto line = [&](Guarantee guarantee) { return Integer(ticks_of_line(resource, guarantee, ticks)); };
  Integer few;
  std::optional<Guarantee> slowest;  // of the others
  for (const ir::Access& access : code_.flow.accesses) {
    if (access.object != object) continue;
    const Guarantee guarantee = rules_.service_of({}, &access, 0).service.memory;
    if (spreads() && guarantee == Guarantee::same_bank && access.grid_lines) {
      few += *access.grid_lines;
    } else {
      slowest = std::min(slowest.value_or(guarantee), guarantee);
    }
  }
  const Integer others = slowest ? Integer(fetches.all) * line(*slowest) : Integer(0);
  return min(Integer(fetches.all) * line(Guarantee::same_bank),
             few * fetches.times * line(Guarantee::same_bank) + others);
}

// All that memory serves of what is kept, where a line that was written goes back once after each fetch.
// The theorem of lines that are served several times (reuse.cpp) is for whatever lines are in the sum: all but those
// that come faster by themselves.
Integer ServiceModel::ticks_of_persistent(const ResourceFigures& resource, int64_t ticks, MemoryService& result) const {
  struct Lines {
    FetchedLines lines;
    Integer alone;  // ticks where they are served by themselves
  };
  std::vector<Lines> all;
  const auto of_memory = [&](const ObjectFootprint& touched, const Fetches& counted) {
    const Fetches fetched = persistence_.fetches.empty() ? Fetches{1, touched.lines} : counted;
    return touched.written ? fetched.with_write_backs() : fetched;
  };
  for (ir::ObjectId o = 0; o < footprint_.objects.size(); ++o) {
    if (persistence_.fetches_of(o) == 0) continue;
    const Fetches counted = persistence_.fetches.empty() ? Fetches() : persistence_.fetches.objects[o];
    const Fetches of_object = of_memory(*footprint_.objects[o], counted);
    all.push_back({{footprint_.objects[o]->lines, of_object}, ticks_of_object(o, of_object, resource, ticks)});
  }
  if (const int64_t fetches = persistence_.fetches_of_local();
      fetches > 0 && footprint_.local && footprint_.local->lines > 0) {
    ir::Operation local;
    local.kind = OperationKind::load_local;
    const Guarantee guarantee = rules_.service_of(local, nullptr, 0).service.memory;
    const Fetches of_local = of_memory(*footprint_.local, persistence_.fetches.local);
    all.push_back(
        {{footprint_.local->lines, of_local}, Integer(of_local.all) * ticks_of_line(resource, guarantee, ticks)});
  }
  for (const ir::Access& access : code_.flow.accesses) {
    const Fetches of_access = persistence_.fetches.of(access);
    if (of_access.times == 0) continue;
    const Guarantee guarantee = rules_.service_of({}, &access, 0).service.memory;
    all.push_back(
        {{*access.grid_lines, of_access}, Integer(of_access.all) * ticks_of_line(resource, guarantee, ticks)});
  }
  Integer alone, faster, lines;  // all by themselves; those that come faster so; lines of the others
  std::vector<FetchedLines> others;
  for (const Lines& each : all) {
    const Integer joint = Integer(each.lines.fetches.all) * ticks_of_line(resource, Guarantee::spread, ticks);
    const bool is_faster = each.alone.value() == min(each.alone, joint).value();
    alone += each.alone;
    if (is_faster) faster += each.alone;
    if (is_faster) continue;
    lines += each.lines.fetches.all;
    others.push_back(each.lines);
  }
  if (!serves_lines_once(code_.kernel, rules_.in_force()) || resource.lines->once.empty() || others.empty())
    return alone;
  const Integer joint = faster + lines * ticks_of_line(resource, Guarantee::spread, ticks) +
                        beyond_rate(std::move(others), *resource.lines, ticks);
  result.serves_once = alone.value() != min(alone, joint).value();
  return min(alone, joint);
}

// The misses of each persistent line: of constants one for each multiprocessor, of data for the device.
void ServiceModel::add_first_misses(MemoryService& result) const {
  const int64_t ticks = result.services.fractions ? fine_ticks : 1;
  result.first_misses.constant_line.resize(machine_.resources.size());
  result.first_misses.data.resize(machine_.resources.size());
  for (size_t r = 0; r < machine_.resources.size(); ++r) {
    const ResourceFigures& resource = machine_.resources[r];
    if (!resource.lines) continue;
    result.first_misses.constant_line[r] = ticks_of_line(resource, Guarantee::same_bank, ticks);
    if (!persistence_.data || resource.name != memory_resource) continue;
    result.first_misses.data[r] = ticks_of_persistent(resource, ticks, result).value().value_or(INT64_MAX);
  }
}

}  // namespace

void AccessCounts::add(const AssumptionSet& helping) {
  ++all;
  for (size_t i = 0; i < assumptions; ++i) {
    if (helping.has(static_cast<Assumption>(i))) ++helped[i];
  }
}

int64_t hit_of_parameters(const Machine& machine) {
  const DataCache* behind = machine.data_cache(l2_cache);
  return behind->hit - behind->hit_translation + machine.data_cache(constant_cache)->hit;
}

bool serves_lines_once(const ir::Kernel& kernel, const AssumptionSet& assumed) {
  return kernel.is_machine_code() && assumed.has(Assumption::spread);
}

MemoryService memory_service(const ConstantReads& code, const Footprint& footprint, const Machine& machine,
                             const AssumptionSet& assumed, const Persistence& persistence) {
  return ServiceModel(code, footprint, machine, assumed, persistence).run();
}

// Nothing else is changed there.
bool same_service(const MemoryService& a, const MemoryService& b) {
  const auto same_operation = [](const ir::Instruction& one, const ir::Instruction& other) {
    return one.operation == other.operation;
  };
  return a.accesses == b.accesses && a.relied == b.relied && a.services == b.services &&
         a.first_misses == b.first_misses && a.flow.transactions == b.flow.transactions &&
         std::equal(a.kernel.instructions.begin(), a.kernel.instructions.end(), b.kernel.instructions.begin(),
                    b.kernel.instructions.end(), same_operation);
}

}  // namespace warpspan::timing
