#include "timing/costs/memory_model.hpp"

#include <algorithm>
#include <map>

#include "ir/meetings.hpp"
#include "ir/sizes.hpp"
#include "support/checked.hpp"

namespace warpspan::timing {

namespace {

using ir::AccessClass;
using ir::MemorySpace;
using ir::OperationKind;
using support::Integer;

constexpr int64_t line_bytes = ir::memory_line_bytes;

constexpr int64_t lines_that_spread = bytes_that_spread / line_bytes;

// Besides those of its parameters a kernel reads at most so many lines of constants where the PTX names none: the
// launch's dimensions, where the stack is and how memory is addressed. So it is in the machine code that ptxas of CUDA
// 13 makes of all samples for 7.5 to 12.0; results say so.
constexpr int64_t lines_of_launch = 2;

bool is_constant_load(OperationKind kind) {
  return kind == OperationKind::load_param || kind == OperationKind::load_const;
}
bool is_load(OperationKind kind) { return kind == OperationKind::load_global || kind == OperationKind::load_generic; }
bool is_local(OperationKind kind) { return ir::traits(kind).space == MemorySpace::local; }
// Of a kernel in clusters: whether it may access the shared memory of another block.
bool may_leave_block(const ir::Operation& operation) {
  const ir::KindTraits of_kind = ir::traits(operation.kind);
  if (of_kind.access == AccessClass::none) return false;
  return of_kind.space == MemorySpace::generic || (of_kind.space == MemorySpace::shared && operation.facts.of_cluster);
}
// What spreads over the slices of the L2 as loads and stores do: reductions may be many on the same lines.
bool is_copy(const ir::Operation& operation) {
  using Kind = ir::Copy::Kind;
  const Kind kind = operation.facts.copy.kind;
  return kind == Kind::by_lanes || kind == Kind::bulk || kind == Kind::bulk_prefetch;
}
// Fetches of textures, loads and stores of surfaces.
bool is_of_texels(const ir::Operation& operation) {
  const AccessClass access = ir::access_class(operation);
  return ir::traits(operation.kind).space == MemorySpace::texture &&
         (access == AccessClass::load || access == AccessClass::store);
}
bool is_store(OperationKind kind) {
  return kind == OperationKind::store_global || kind == OperationKind::store_generic;
}

// Its address may differ from one execution to the next. awaited: a register that is part of no address.
bool is_indexed(const ir::Kernel& kernel, const ir::Instruction& instruction, ir::RegisterId awaited) {
  const ir::RegisterId* reads = kernel.reads(instruction);
  const auto others = std::count_if(reads, reads + instruction.reads, [&](ir::RegisterId r) { return r != awaited; });
  return others > (instruction.guarded ? 1 : 0);
}

int64_t lines_of_bytes(int64_t bytes, int64_t line) { return bytes <= 0 ? 0 : (bytes + line - 2) / line + 1; }

// Whether it may touch memory behind the L2 cache that is not read through constant caches.
bool touches_memory(const ir::Operation& operation) {
  if (operation.call_time) return true;
  switch (ir::traits(operation.kind).space) {
    case MemorySpace::global:
    case MemorySpace::local:
    case MemorySpace::generic:
    case MemorySpace::texture: break;
    default: return false;
  }
  if (operation.kind == OperationKind::matrix_load)
    return operation.bytes > 0 && operation.space != MemorySpace::shared;
  return operation.kind != OperationKind::copy_bulk || operation.bytes > 0;
}

bool keeps(const DataCache* cache, Integer bytes) {
  if (cache == nullptr) return false;
  const auto enough = floor_divide(Integer(cache->bytes) * cache->kept.numerator, cache->kept.denominator).value();
  const auto needed = bytes.value();
  return enough && needed && *needed <= *enough;
}

// At most: each read of a constant has one line, and all of them lie among those of parameters, of the launch, and of
// constants of their own. Integers and doubles lie side by side; what the assembler makes of one of them where it
// unrolls a loop is in a line with it. code: whose kernel it is, if reads were put in that PTX does not show.
int64_t constant_lines(const ir::Kernel& kernel, int64_t line, bool integers, const ConstantReads* code = nullptr) {
  int64_t reads = reads_at_start, own = 0;
  const ir::RegisterId awaited = code == nullptr ? ir::no_register : code->awaited;
  for (const ir::Instruction& instruction : kernel.instructions) {
    if (code != nullptr && instruction.operation == code->load) continue;  // stands for one of the others
    const ir::Operation& operation = kernel.operation(instruction);
    if (is_constant_load(operation.kind) && !is_indexed(kernel, instruction, awaited)) {
      ++reads;
      if (operation.kind == OperationKind::load_const) ++own;
    } else if (needs_constant(operation, integers)) {
      ++reads;
      if (!operation.reads_launch) ++own;
    }
  }
  return std::min(reads, lines_of_launch + lines_of_bytes(kernel.parameter_bytes, line) + own);
}

// What all accesses to one object touch.
class ObjectSum {
 public:
  void add(const ir::Access& access, const ir::Operation& operation) {
    written_ = written_ || !(is_load(operation.kind) || ir::is_async_copy(operation));
    if (access.span) {
      first_ = std::min(first_, access.span->first);
      end_ = std::max(end_, access.span->end);
    }
    spans_ = spans_ && access.span;
    if (access.grid_lines) lines_ += *access.grid_lines;
    counted_ = counted_ && access.grid_lines;
  }

  std::optional<ObjectFootprint> footprint(std::optional<int64_t> bytes) const {
    std::optional<int64_t> lines;
    const auto at_most = [&lines](std::optional<int64_t> other) {
      if (other && (!lines || *other < *lines)) lines = other;
    };
    if (bytes) at_most(lines_of_bytes(*bytes, line_bytes));
    if (spans_) at_most(lines_of_bytes(end_ - first_, line_bytes));
    if (counted_) at_most(lines_.value());
    if (!lines) return std::nullopt;
    return ObjectFootprint{*lines, written_};
  }

 private:
  int64_t first_ = INT64_MAX / 2, end_ = INT64_MIN / 2;
  Integer lines_;
  bool spans_ = true, counted_ = true, written_ = false;
};

}  // namespace

Footprint footprint(const ir::Kernel& kernel, const ir::Flow& flow, const Load& load, const Machine& machine) {
  Footprint result;
  // A multiprocessor that a block runs on has local memory for all of its warps, whoever runs there later.
  result.local_lines = std::min(load.device_blocks, machine.multiprocessors) * load.warps_per_block;
  const auto room = (Integer(machine.multiprocessors) * load.residency.blocks.least).value();
  result.all_blocks = load.device_blocks;
  result.blocks = std::min(load.device_blocks, room.value_or(load.device_blocks));
  result.warps = load.warps_per_block;
  std::vector<ObjectSum> sums(flow.objects.size());
  std::vector<bool> told(kernel.instructions.size());
  bool known = true;
  for (const ir::Access& access : flow.accesses) {
    told[access.instruction] = true;
    if (access.in_shared) continue;
    if (access.object == ir::no_object) {
      known = false;
    } else {
      sums[access.object].add(access, kernel.operation(kernel.instructions[access.instruction]));
    }
  }
  for (const ir::BlockId b : flow.order) {
    for (uint32_t i = 0; i < kernel.blocks[b].count; ++i) {
      const ir::InstructionId id = kernel.blocks[b].first + i;
      known = known && (told[id] || !touches_memory(kernel.operation(kernel.instructions[id])));
    }
  }
  Integer bytes;
  for (size_t o = 0; o < sums.size(); ++o) {
    result.objects.push_back(sums[o].footprint(flow.objects[o].bytes));
    known = known && result.objects.back();
    if (result.objects.back()) bytes += Integer(result.objects.back()->lines) * line_bytes;
  }
  if (known) result.bytes = bytes.value();
  return result;
}

bool keeps_data(const Footprint& footprint, const Machine& machine) {
  return footprint.bytes && keeps(machine.data_cache(l2_cache), *footprint.bytes);
}

// Tables of constants that are read at an index are of unknown size; parameters that are, as large as all of them.
bool keeps_constants(const ir::Kernel& kernel, const Machine& machine) {
  const DataCache* cache = machine.data_cache(constant_cache);
  if (cache == nullptr || kernel.calls_outside()) return false;
  Integer lines = constant_lines(kernel, cache->line, integers_in_memory(machine));
  for (const ir::Instruction& instruction : kernel.instructions) {
    const OperationKind kind = kernel.operation(instruction).kind;
    if (!is_constant_load(kind) || !is_indexed(kernel, instruction, ir::no_register)) continue;
    if (kind == OperationKind::load_const) return false;
    lines = max(lines, Integer(lines_of_launch + lines_of_bytes(kernel.parameter_bytes, cache->line)));
  }
  return keeps(cache, lines * cache->line);
}

std::optional<int64_t> lines_followed(const ir::Kernel& kernel, const ir::Flow& flow, const Footprint& footprint,
                                      ir::ObjectId object) {
  if (!footprint.objects[object]) return std::nullopt;
  const bool meets = ir::waits_for_warps(kernel);
  Integer lines;
  for (const ir::Access& access : flow.accesses) {
    if (access.object != object) continue;
    const auto& own = meets ? access.block_lines : access.warp_lines;
    if (!own) return footprint.objects[object]->lines;
    lines += *own;
  }
  const auto sum = lines.value();
  return sum ? std::min(*sum, footprint.objects[object]->lines) : footprint.objects[object]->lines;
}

namespace {

class Serving {
 public:
  Serving(const ConstantReads& code, const Footprint& footprint, const Machine& machine, const AssumptionSet& granted,
          const Keeping& keeping)
      : code_(code), footprint_(footprint), machine_(machine), granted_(granted), keeping_(keeping) {
    for (const ir::Access& access : code.flow.accesses) by_instruction_[access.instruction] = &access;
    spread_ = granted.has(Assumption::spread) && within_reach();
    note_requests();
    for (const ResourceFigures& resource : machine.resources) {
      const bool is_nearer = slices_ == nullptr || resource.name == network_resource;
      const bool is_of_device = resource.sharing == ResourceFigures::Sharing::device;
      if (resource.lines && is_of_device && is_nearer) slices_ = &resource;
    }
    if (const DataCache* cache = machine.data_cache(constant_cache)) {
      constant_lines_ = constant_lines(code.kernel, cache->line, code.integers, &code);
    }
  }

  ServedCode run();

 private:
  void note_requests();
  bool within_reach() const;
  bool touches_few_lines(const ir::Operation& operation, const ir::Access* access) const;
  bool is_told(const ir::Operation& operation, const ir::Access* access) const;
  // What many warps that ask for one line at a time do to the rates of an access.
  struct Sharing {
    bool is_refused = false;
    int64_t ticks = 0;  // Service::shared_ticks
  };
  Sharing sharing_of(const ir::Access* access) const;
  bool spreads(const ir::Operation& operation, const ir::Access* access) const {
    return spread_ && !touches_few_lines(operation, access) && !sharing_of(access).is_refused;
  }
  bool is_by_warps(const ir::Access& access) const {
    return std::find(keeping_.by_warps.begin(), keeping_.by_warps.end(), access.object) != keeping_.by_warps.end();
  }
  // A read of constants that was put before an access is none.
  const ir::Access* access_of(ir::InstructionId id) const {
    if (is_constant_load(code_.kernel.operation(code_.kernel.instructions[id]).kind)) return nullptr;
    const auto found = by_instruction_.find(code_.origins[id]);
    return found == by_instruction_.end() ? nullptr : found->second;
  }
  Service service_of(ir::InstructionId id, const ir::Access* access) const;
  Guarantee memory_of(const ir::Operation& operation, const ir::Access* access) const;
  Guarantee network_of(const ir::Operation& operation, const ir::Access* access) const;
  Integer ticks_of_object(ir::ObjectId object, const ResourceFigures& resource, int64_t ticks) const;
  void read_once(ServedCode& result) const;

  const ConstantReads& code_;
  const Footprint& footprint_;
  const Machine& machine_;
  const AssumptionSet& granted_;
  const Keeping& keeping_;
  bool spread_ = false;
  int64_t constant_lines_ = 0;
  const ResourceFigures* slices_ = nullptr;  // what serves lines to all multiprocessors, the L2 cache if there is one
  std::map<ir::InstructionId, const ir::Access*> by_instruction_;  // of the kernel that the code is made of
  // Of an access: the warps of a block that execute it, and the lines that are charged for one of them, at least.
  struct Requests {
    int64_t warps = 1, lines = 1;
  };
  std::map<const ir::Access*, Requests> requests_;
};

// A bulk copy is charged as many lines as the machine says.
void Serving::note_requests() {
  for (const ir::BlockId b : code_.flow.order) {
    const ir::Block& block = code_.kernel.blocks[b];
    const int64_t warps = std::min(code_.flow.blocks[b].warps.value_or(footprint_.warps), footprint_.warps);
    for (ir::InstructionId id = block.first; id < block.first + block.count; ++id) {
      const ir::Access* access = access_of(id);
      if (access == nullptr) continue;
      const bool is_copy = ir::copy_of(code_.flow, id) != nullptr;
      requests_[access] = {warps, is_copy ? 1 : std::max<int64_t>(1, access->aligned_transactions)};
    }
  }
}

// A kernel that touches more than the guarantees reach needs more translations of addresses than are kept.
bool Serving::within_reach() const {
  return std::all_of(machine_.resources.begin(), machine_.resources.end(), [this](const ResourceFigures& resource) {
    return !resource.lines || resource.lines->reach == 0 ||
           (footprint_.bytes && *footprint_.bytes <= resource.lines->reach);
  });
}

// Lines are counted wherever an object begins, so that what lies apart counts twice. A variable in local memory may
// have one line for each warp, the words of its lanes side by side; which lines are prefetched is not looked for, and
// tables of branches are short.
bool Serving::touches_few_lines(const ir::Operation& operation, const ir::Access* access) const {
  using enum ir::OperationKind;
  switch (operation.kind) {
    case load_local:
    case store_local: return footprint_.local_lines < lines_that_spread;
    case prefetch:
    case branch: return true;
    default: break;
  }
  if (access == nullptr || access->dense) return false;
  if (access->grid_lines && *access->grid_lines < 2 * lines_that_spread) return true;
  if (access->object == ir::no_object) return false;
  const auto& object = footprint_.objects[access->object];
  return object && object->lines < lines_that_spread;
}

// Whether it is known how many warps ask for a line at a time. A word of local memory is one thread's own.
bool Serving::is_told(const ir::Operation& operation, const ir::Access* access) const {
  return std::min(footprint_.blocks, machine_.multiprocessors) <= multiprocessors_at_one_line ||
         is_local(operation.kind) || (access != nullptr && (access->sharing_blocks || access->in_shared));
}

// Let W warps in the same turns of their loops execute an access at the same time, at most c of them with requests for
// one line, and let t lines be charged for each.
//
// Theorem. Where c times the time of a line at one slice is at most W t times what is charged for a line, the slice
// that has the line is done with it by when all slices are given to be done with the access. Proof. The left side is
// what the slice needs, the right side what is charged. QED
//
// So much is charged, but where one line has more than half of what W warps ask for nothing is taken to be spread.
// Where only a few multiprocessors ask for a line, their ports hold the requests apart. docs/model.md has what is left
// to the assumption.
Serving::Sharing Serving::sharing_of(const ir::Access* access) const {
  if (access == nullptr || !access->sharing_blocks || !access->sharing_warps || slices_ == nullptr) return {};
  const int64_t blocks = std::min({*access->sharing_blocks, footprint_.blocks, machine_.multiprocessors});
  const auto of_block = requests_.find(access);
  if (blocks <= multiprocessors_at_one_line || of_block == requests_.end()) return {};
  const auto warps = (Integer(footprint_.blocks) * of_block->second.warps).value();
  const auto lines = warps ? (Integer(*warps) * of_block->second.lines).value() : std::nullopt;
  const auto all = (Integer(footprint_.all_blocks) * of_block->second.warps * of_block->second.lines).value();
  if (!lines || !all || *access->sharing_warps > *all / 2) return {.is_refused = true};
  const int64_t most = std::min(*access->sharing_warps, *warps);
  const int64_t of_one = ticks_of_line(*slices_, Guarantee::same_bank, fine_ticks);
  const auto ticks = ceil_divide(Integer(most) * of_one, *lines).value();
  if (!ticks) return {.is_refused = true};
  if (*ticks <= ticks_of_line(*slices_, Guarantee::spread, fine_ticks)) return {};
  return {.is_refused = slices_->name != network_resource, .ticks = *ticks};
}

// Constants lie in a few lines, whoever reads them.
Guarantee Serving::memory_of(const ir::Operation& operation, const ir::Access* access) const {
  if (is_constant_load(operation.kind) || !spreads(operation, access)) return Guarantee::same_bank;
  const bool is_dense = access != nullptr && access->dense;
  return granted_.has(Assumption::stream) && is_dense ? Guarantee::stream : Guarantee::spread;
}

// Atomics of all lanes may want one address.
Guarantee Serving::network_of(const ir::Operation& operation, const ir::Access* access) const {
  const bool plain = is_load(operation.kind) || is_store(operation.kind) || is_local(operation.kind) ||
                     is_copy(operation) || is_of_texels(operation);
  return plain && spreads(operation, access) ? Guarantee::spread : Guarantee::same_bank;
}

Service Serving::service_of(ir::InstructionId id, const ir::Access* access) const {
  const ir::Instruction& instruction = code_.kernel.instructions[id];
  const ir::Operation& operation = code_.kernel.operation(instruction);
  Service service;
  service.memory = memory_of(operation, access);
  service.network = network_of(operation, access);
  if (service.network == Guarantee::spread) service.shared_ticks = sharing_of(access).ticks;
  if (const ir::BulkCopy* copy = ir::copy_of(code_.flow, id)) service.lanes = copy->lanes;
  service.may_leave_block = code_.kernel.launch_bounds.clusters && may_leave_block(operation);
  const bool fixed = instruction.operation == code_.load || !is_indexed(code_.kernel, instruction, code_.awaited);
  if (keeping_.constants && is_constant_load(operation.kind) && fixed) {
    const DataCache* cache = machine_.data_cache(constant_cache);
    service.kept_nearby = true;
    service.as_operand = cache->as_operands;
    service.hit = cache->hit;
  }
  if (access == nullptr) return service;
  service.in_shared = access->in_shared;
  service.in_global = access->in_global && operation.kind == OperationKind::atomic_generic;
  service.may_leave_block = service.may_leave_block && !access->in_global;
  service.writes_whole_lines = is_store(operation.kind) && service.memory == Guarantee::stream && access->covers_lines;
  service.kept_by_device = keeping_.data && access->object != ir::no_object && !ir::is_of_mapped_device(operation);
  if (service.kept_by_device && is_load(operation.kind) && is_by_warps(*access)) {
    service.hit = machine_.data_cache(l2_cache)->hit;
  }
  return service;
}

ServedCode Serving::run() {
  ServedCode result{code_.kernel, code_.flow, {}, {}, {}};
  result.services.fractions = spread_;
  result.services.operations.resize(code_.kernel.operations.size());
  std::map<std::pair<uint32_t, Service>, uint32_t> known;  // operations of those that are served like this
  std::vector<bool> used(code_.kernel.operations.size());
  for (ir::InstructionId id = 0; id < code_.kernel.instructions.size(); ++id) {
    const ir::Access* access = access_of(id);
    const Service service = service_of(id, access);
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
    const bool is_spread = service.memory != Guarantee::same_bank || service.network != Guarantee::same_bank;
    result.shares_lines = result.shares_lines || service.shared_ticks > 0;
    result.spreads_unseen = result.spreads_unseen || (is_spread && touches_memory(given) && !is_told(given, access));
    if (access == nullptr || access->in_shared) continue;
    ++result.accesses.all;
    uint32_t& pieces = result.flow.transactions[id];
    const bool fewer = access->aligned_transactions > 0 && access->aligned_transactions < pieces;
    if (granted_.has(Assumption::aligned) && fewer) {
      pieces = access->aligned_transactions;
      ++result.accesses.aligned;
    }
    if (service.memory != Guarantee::same_bank) ++result.accesses.spread;
    if (service.memory == Guarantee::stream) ++result.accesses.stream;
    if (service.kept_by_device) ++result.accesses.kept;
  }
  if (keeping_.constants) result.once.constant_lines = constant_lines_;
  read_once(result);
  return result;
}

// Each line of an object once: those of accesses to few lines as these are served, the others as those of the access
// that is served the slowest are.
Integer Serving::ticks_of_object(ir::ObjectId object, const ResourceFigures& resource, int64_t ticks) const {
  const auto line = [&](Guarantee guarantee) { return Integer(ticks_of_line(resource, guarantee, ticks)); };
  Integer few;
  std::optional<Guarantee> slowest;  // of the others
  for (const ir::Access& access : code_.flow.accesses) {
    if (access.object != object) continue;
    const Guarantee guarantee = memory_of({}, &access);
    if (spread_ && guarantee == Guarantee::same_bank && access.grid_lines) {
      few += *access.grid_lines;
    } else {
      slowest = std::min(slowest.value_or(guarantee), guarantee);
    }
  }
  const Integer lines = footprint_.objects[object]->lines;
  const Integer others = slowest ? lines * line(*slowest) : Integer(0);
  return min(lines * line(Guarantee::same_bank), few * line(Guarantee::same_bank) + others);
}

// What of the kept lines is served once: each line of constants for each multiprocessor, each line of data for the
// device, and a line that was written goes back once.
void Serving::read_once(ServedCode& result) const {
  const int64_t ticks = result.services.fractions ? fine_ticks : 1;
  result.once.constant_line.resize(machine_.resources.size());
  result.once.data.resize(machine_.resources.size());
  for (size_t r = 0; r < machine_.resources.size(); ++r) {
    const ResourceFigures& resource = machine_.resources[r];
    if (!resource.lines) continue;
    result.once.constant_line[r] = ticks_of_line(resource, Guarantee::same_bank, ticks);
    if (!keeping_.data || resource.name != memory_resource) continue;
    Integer sum;
    for (ir::ObjectId o = 0; o < footprint_.objects.size(); ++o) {
      sum += ticks_of_object(o, resource, ticks) * (footprint_.objects[o]->written ? 2 : 1);
    }
    result.once.data[r] = sum.value().value_or(INT64_MAX);
  }
}

}  // namespace

AssumptionSet granted_of_accesses(const AssumptionSet& granted) {
  AssumptionSet result;
  for (const Assumption one : {Assumption::aligned, Assumption::spread, Assumption::stream}) {
    if (granted.has(one)) result.grant(one);
  }
  return result;
}

ServedCode serve(const ConstantReads& code, const Footprint& footprint, const Machine& machine,
                 const AssumptionSet& granted, const Keeping& keeping) {
  return Serving(code, footprint, machine, granted, keeping).run();
}

// Nothing else is changed there.
bool served_alike(const ServedCode& a, const ServedCode& b) {
  const auto same_operation = [](const ir::Instruction& one, const ir::Instruction& other) {
    return one.operation == other.operation;
  };
  return a.accesses == b.accesses && a.services == b.services && a.once == b.once &&
         a.flow.transactions == b.flow.transactions &&
         std::equal(a.kernel.instructions.begin(), a.kernel.instructions.end(), b.kernel.instructions.begin(),
                    b.kernel.instructions.end(), same_operation);
}

}  // namespace warpspan::timing
