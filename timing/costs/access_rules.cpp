// SPDX-License-Identifier: GPL-3.0-or-later
#include "timing/costs/access_rules.hpp"

#include <algorithm>

#include "ir/sizes.hpp"
#include "support/checked.hpp"
#include "support/floor_divide.hpp"
#include "timing/costs/access_classes.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;

struct Asked {
  const ir::Operation& operation;
  const ir::Access* access;  // null: nothing is known of its addresses
};

// What an assumption does. It is in force where it is assumed and the kernel meets its condition `is_met`. Rows are
// applied one after another, each to what those before it have made of the access.
struct AccessRule {
  Assumption assumption;
  bool (*is_met)(const AccessRules& rules);
  bool (*apply)(const AccessRules& rules, const Asked& asked, AccessService& to);  // whether it helps the access
};

bool always(const AccessRules& /*rules*/) { return true; }

bool align(const AccessRules& /*rules*/, const Asked& asked, AccessService& to) {
  if (asked.access == nullptr || asked.access->aligned_transactions == 0) return false;
  if (asked.access->aligned_transactions >= to.transactions) return false;
  to.transactions = asked.access->aligned_transactions;
  return true;
}

// Constants lie in a few lines, whichever warps read them. Atomics of all lanes may want one address of the L2 cache.
bool spread(const AccessRules& rules, const Asked& asked, AccessService& to) {
  const ir::Operation& operation = asked.operation;
  if (rules.touches_few_lines(operation, asked.access)) return false;
  const AccessRules::Sharing sharing = rules.sharing_of(operation, asked.access);
  if (sharing.is_refused) return false;
  if (is_load(operation.kind) || is_store(operation.kind) || is_local(operation.kind) || is_copy(operation) ||
      is_of_texels(operation)) {
    to.service.network = Guarantee::spread;
    to.service.shared_ticks = sharing.ticks;
  }
  if (is_constant_load(operation.kind)) return false;
  to.service.memory = Guarantee::spread;
  return true;
}

// Loads for which nothing else is known of where their lines lie, and atomics.
bool come_as_few(const AccessRules& rules, const Asked& asked, AccessService& to) {
  if (rules.are_few_atomics(asked.operation, asked.access)) {
    to.service.network = Guarantee::few;
    return true;
  }
  if (to.service.network != Guarantee::same_bank) return false;
  const bool aligned = rules.in_force().has(Assumption::aligned);
  if (!rules.may_come_as_few(asked.operation, asked.access, aligned)) return false;
  if (!rules.may_come_as_few(asked.operation, asked.access, false)) to.helping.add(Assumption::aligned);
  to.service.network = Guarantee::few;
  return true;
}

// Stores of whole lines are written back, but not fetched before.
bool stream(const AccessRules& /*rules*/, const Asked& asked, AccessService& to) {
  if (to.service.memory != Guarantee::spread || asked.access == nullptr || !asked.access->dense) return false;
  to.service.memory = Guarantee::stream;
  if (is_store(asked.operation.kind) && asked.access->covers_lines) to.service.memory_share *= 2;
  return true;
}

bool count_pages(const AccessRules& rules, const Asked& asked, AccessService& to) {
  to.service.pages_once = rules.waits_for_page(asked.operation, asked.access);
  return to.service.pages_once;
}

bool count_refreshes(const AccessRules& rules, const Asked& asked, AccessService& to) {
  to.service.refresh_by_time = rules.waits_for_refresh(asked.operation);
  return to.service.refresh_by_time;
}

constexpr AccessRule rows[] = {
    {Assumption::aligned, always, align},
    {Assumption::spread, [](const AccessRules& rules) { return rules.within_reach(); }, spread},
    {Assumption::few, [](const AccessRules& rules) { return rules.states_few() && rules.within_reach(); }, come_as_few},
    {Assumption::stream, always, stream},
    {Assumption::keeps_pages, [](const AccessRules& rules) { return rules.keeps_pages(); }, count_pages},
    {Assumption::even_refresh, [](const AccessRules& rules) { return rules.states_refresh(); }, count_refreshes},
};

}  // namespace

AccessRules::AccessRules(const ConstantReads& code, const Footprint& footprint, const Machine& machine,
                         const AssumptionSet& assumed)
    : code_(code), footprint_(footprint), machine_(machine) {
  for (const ir::Access& access : code.flow.accesses) by_instruction_[access.instruction] = &access;
  note_requests();
  for (const ResourceFigures& resource : machine.resources) {
    const bool is_nearer = slices_ == nullptr || resource.name == network_resource;
    const bool is_of_device = resource.sharing == ResourceFigures::Sharing::device;
    if (resource.lines && is_of_device && is_nearer) slices_ = &resource;
  }
  for (const AccessRule& row : rows) {
    if (assumed.has(row.assumption) && row.is_met(*this)) in_force_.add(row.assumption);
  }
  if (!in_force_.has(Assumption::keeps_pages) && !in_force_.has(Assumption::even_refresh)) return;
  for (const ir::Operation& operation : code.kernel.operations) {
    if (const OperationFigures* figures = machine.stated(operation)) latencies_[&operation] = figures->latency;
  }
}

const ir::Access* AccessRules::access_of(ir::InstructionId id) const {
  if (is_constant_load(code_.kernel.operation(code_.kernel.instructions[id]).kind)) return nullptr;
  const auto found = by_instruction_.find(code_.origins[id]);
  return found == by_instruction_.end() ? nullptr : found->second;
}

AccessService AccessRules::service_of(const ir::Operation& operation, const ir::Access* access,
                                      uint32_t transactions) const {
  AccessService result;
  result.transactions = transactions;
  for (const AccessRule& row : rows) {
    if (!in_force_.has(row.assumption)) continue;
    if (row.apply(*this, {operation, access}, result)) result.helping.add(row.assumption);
  }
  if (is_contended(operation, access, in_force_.has(Assumption::aligned))) {
    result.service.contended_ticks = contended_ticks(result.service.network);
  } else if (is_contended(operation, access, false)) {
    result.helping.add(Assumption::aligned);
  }
  // On an H100 stores of all multiprocessors to 512 lines anywhere took 0.173 cycles each, to 2,048 no longer than a
  // multiprocessor makes them: a line of the network and two of a port are 0.142.
  const bool is_spread_store = result.service.network == Guarantee::spread && is_store(operation.kind);
  if (is_spread_store && touches_fewer_lines(access, lines_of_fast_stores)) {
    result.service.contended_ticks = std::max(result.service.contended_ticks, 2 * network_ticks(Guarantee::spread));
  }
  return result;
}

// Lines may be one warp's own, of an object that each warp has its part of.
bool AccessRules::is_contended(const ir::Operation& operation, const ir::Access* access, bool aligned) const {
  if (!is_load(operation.kind) && !is_store(operation.kind)) return false;
  if (access != nullptr) {
    const bool begins_a_line = aligned && begins_at_a_line(access->object);
    const auto& warps =
        begins_a_line && access->aligned_sharing_warps ? access->aligned_sharing_warps : access->sharing_warps;
    if (access->in_shared || (warps && *warps <= 1)) return false;
  }
  return may_share_lines(access, loaded_, aligned) && may_share_lines(access, stored_, aligned);
}

// An access of an object that is not known may be to any, and so may its lines.
bool AccessRules::may_share_lines(const ir::Access* access, const TouchedObjects& touched, bool aligned) const {
  if (access == nullptr || access->object == ir::no_object) return !touched.empty();
  if (touched.contains(ir::no_object)) return true;
  const auto found = touched.find(access->object);
  return found != touched.end() && shares_lines(*access, found->second, aligned);
}

// If what parameters point to does.
bool AccessRules::begins_at_a_line(ir::ObjectId object) const {
  return object != ir::no_object && code_.flow.objects[object].of_parameter;
}

// Bytes of one line are less than a line apart, wherever the object begins.
bool AccessRules::shares_lines(const ir::Access& access, const Spans& touched, bool aligned) const {
  if (!access.span) return true;
  const bool begins_a_line = aligned && begins_at_a_line(access.object);
  const auto are_apart = [begins_a_line](const ir::ByteSpan& low, const ir::ByteSpan& high) {
    if (begins_a_line) {
      return support::floor_divide(low.end - 1, ir::memory_line_bytes) <
             support::floor_divide(high.first, ir::memory_line_bytes);
    }
    return high.first - (low.end - 1) >= ir::memory_line_bytes;
  };
  return std::any_of(touched.begin(), touched.end(), [&](const std::optional<ir::ByteSpan>& span) {
    return !span || !(are_apart(*span, *access.span) || are_apart(*access.span, *span));
  });
}

// On an H100 a load and a store of each warp to the same line took 28.5 cycles, to any of 512 lines 0.45: twice what
// loads of one line may take, and not four times what spread ones may.
int64_t AccessRules::contended_ticks(Guarantee network) const {
  return network_ticks(network) * (network == Guarantee::same_bank ? 2 : 4);
}

int64_t AccessRules::network_ticks(Guarantee network) const {
  const bool has_network = slices_ != nullptr && slices_->name == network_resource;
  return has_network ? ticks_of_line(*slices_, network, fine_ticks) : 0;
}

// A bulk copy is charged as many lines as the machine states.
void AccessRules::note_requests() {
  for (const ir::BlockId b : code_.flow.order) {
    if (!code_.flow.blocks[b].executed) continue;
    const ir::Block& block = code_.kernel.blocks[b];
    for (ir::InstructionId id = block.first; id < block.first + block.count; ++id) {
      const ir::Access* access = access_of(id);
      const ir::Operation& operation = code_.kernel.operation(code_.kernel.instructions[id]);
      const ir::ObjectId object = access == nullptr ? ir::no_object : access->object;
      const bool in_shared = access != nullptr && access->in_shared;
      const auto note = [&](TouchedObjects& touched) {
        touched[object].push_back(access == nullptr ? std::nullopt : access->span);
      };
      if (!in_shared && is_load(operation.kind)) note(loaded_);
      if (!in_shared && is_store(operation.kind)) note(stored_);
      if (access != nullptr && !in_shared && may_write(operation)) note(written_);
      const bool is_other = touches_memory(operation) && !is_local(operation.kind) && !is_integer_atomic(operation);
      if (!in_shared && is_other) note(others_);
      has_other_atomics_ = has_other_atomics_ || (!in_shared && is_other && is_atomic(operation));
      if (access == nullptr) continue;
      const bool is_copy = ir::copy_of(code_.flow, id) != nullptr;
      const auto warps = ir::warps_that_execute(code_.flow, b, id);
      const auto blocks = ir::blocks_that_execute(code_.flow, b, id);
      requests_[access] = {blocks ? blocks->some : footprint_.all_blocks,
                           std::min(warps.value_or(footprint_.warps), footprint_.warps),
                           is_copy ? 1 : std::max<int64_t>(1, access->aligned_transactions)};
    }
  }
}

bool AccessRules::states_few() const {
  return slices_ != nullptr && slices_->name == network_resource && slices_->lines->is_stated(Guarantee::few);
}

bool AccessRules::states_refresh() const { return machine_.refresh.has_value(); }

bool AccessRules::waits_for_page(const ir::Operation& operation, const ir::Access* access) const {
  const bool is_known = access != nullptr && !access->in_shared && access->object != ir::no_object;
  const bool is_in_frame = is_local(operation.kind) && footprint_.local_pages_of_warp > 0;
  if (!is_known && !is_in_frame && !is_constant_load(operation.kind)) return false;
  const auto latency = latencies_.find(&operation);
  return latency != latencies_.end() && latency->second.translation > 0;
}

bool AccessRules::waits_for_refresh(const ir::Operation& operation) const {
  const auto latency = latencies_.find(&operation);
  return latency != latencies_.end() && latency->second.refresh > 0;
}

// Local memory has one line for each word of a warp's frame, the words of its lanes side by side, and where the frame
// is unknown one for each warp; which lines are prefetched is not looked for, and tables of branches are short.
bool AccessRules::touches_few_lines(const ir::Operation& operation, const ir::Access* access) const {
  using enum ir::OperationKind;
  switch (operation.kind) {
    case load_local:
    case store_local: return footprint_.local_lines < lines_that_spread;
    case prefetch:
    case branch: return true;
    default: break;
  }
  return touches_fewer_lines(access, lines_that_spread);
}

bool AccessRules::touches_fewer_lines(const ir::Access* access, int64_t many) const {
  if (access == nullptr || access->dense) return false;
  if (are_few_lines(*access, many)) return true;
  if (access->object == ir::no_object) return false;
  const auto& object = footprint_.objects[access->object];
  return object && object->lines < many;
}

// A line that some warps load while others store to it comes many times more slowly than one that all of them load.
bool AccessRules::may_come_as_few(const ir::Operation& operation, const ir::Access* access, bool aligned) const {
  if (!is_load(operation.kind) || access == nullptr || access->object == ir::no_object) return false;
  if (!footprint_.objects[access->object]) return false;
  const auto written = written_.find(access->object);
  return written == written_.end() || !shares_lines(*access, written->second, aligned);
}

// As it was measured: nothing but such atomics goes to their lines.
bool AccessRules::are_few_atomics(const ir::Operation& operation, const ir::Access* access) const {
  if (!is_integer_atomic(operation) || access == nullptr || access->object == ir::no_object) return false;
  if (has_other_atomics_) return false;
  const OperationFigures* measured = machine_.stated(as_one_of_few(operation));
  if (measured == nullptr || measured == machine_.stated(operation)) return false;
  if (!footprint_.objects[access->object] || others_.contains(ir::no_object)) return false;
  const auto others = others_.find(access->object);
  return others == others_.end() || !shares_lines(*access, others->second, false);
}

// A word of local memory is one thread's own.
bool AccessRules::knows_sharing(const ir::Operation& operation, const ir::Access* access) const {
  return std::min(footprint_.blocks, machine_.multiprocessors) <= multiprocessors_at_one_line ||
         is_local(operation.kind) || (access != nullptr && (access->sharing_blocks || access->in_shared));
}

// Let W warps in the same iterations of their loops execute an access at the same time, at most c of them with requests
// for one line, and let t lines be charged for each.
//
// Theorem. Where c times the time of a line at one slice is at most W t times what is charged for a line, the slice
// that has the line is done with it by when all slices are given to be done with the access. Proof. The left side is
// what the slice needs, the right side what is charged. QED
//
// So much is charged, but where one line has more than half of what W warps ask for nothing is taken to be spread.
// Where only a few multiprocessors ask for a line, their ports keep the requests apart. docs/memory-model.md has what
// is left to the assumption.
AccessRules::Sharing AccessRules::sharing_of(const ir::Operation& operation, const ir::Access* access) const {
  if (access == nullptr || !access->sharing_blocks || !access->sharing_warps || slices_ == nullptr) return {};
  const int64_t blocks = std::min({*access->sharing_blocks, footprint_.blocks, machine_.multiprocessors});
  const auto found = requests_.find(access);
  if (blocks <= multiprocessors_at_one_line || found == requests_.end()) return {};
  const Requests& requests = found->second;
  const auto warps = (Integer(std::min(footprint_.blocks, requests.blocks)) * requests.warps).value();
  const auto lines = warps ? (Integer(*warps) * requests.lines).value() : std::nullopt;
  const auto all = (Integer(requests.blocks) * requests.warps * requests.lines).value();
  if (lines == 0) return {};  // no warp comes to it
  if (!lines || !all || *access->sharing_warps > *all / 2) return {.is_refused = true};
  const int64_t most = std::min(*access->sharing_warps, *warps);
  const bool comes_as_few =
      in_force_.has(Assumption::few) && may_come_as_few(operation, access, in_force_.has(Assumption::aligned));
  const Guarantee one_line = comes_as_few ? Guarantee::few : Guarantee::same_bank;
  const bool contended = is_contended(operation, access, in_force_.has(Assumption::aligned));
  const int64_t of_one = contended ? contended_ticks(one_line) : ticks_of_line(*slices_, one_line, fine_ticks);
  const auto ticks = ceil_divide(Integer(most) * of_one, *lines).value();
  if (!ticks) return {.is_refused = true};
  if (*ticks <= ticks_of_line(*slices_, Guarantee::spread, fine_ticks)) return {};
  return {.is_refused = slices_->name != network_resource, .ticks = *ticks};
}

}  // namespace warpspan::timing
