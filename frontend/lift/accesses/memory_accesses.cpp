// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses become linear forms in digits of the thread's number and in counters (footprints/), under the conditions
// that lead to the access. Conditions that are left out only make a footprint larger.
#include "frontend/lift/accesses/memory_accesses.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <bit>
#include <set>

#include "frontend/lift/accesses/buffers.hpp"
#include "frontend/lift/accesses/transactions.hpp"
#include "frontend/lift/footprints/lines.hpp"
#include "frontend/lift/footprints/reach.hpp"
#include "frontend/lift/footprints/repetitions.hpp"
#include "frontend/lift/footprints/sharing.hpp"
#include "frontend/lift/footprints/thread_digits.hpp"
#include "frontend/lift/footprints/walks.hpp"
#include "frontend/lift/values/form_text.hpp"
#include "support/checked.hpp"

namespace warpspan::lift {

namespace {

using support::Integer;

constexpr int64_t most_distance = int64_t{1} << 32;  // that a word is any number says nothing

// The smaller of what is known; nothing if neither is.
std::optional<int64_t> smaller(std::optional<int64_t> a, std::optional<int64_t> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

std::optional<int64_t> most_lines_of(int64_t bytes, const std::vector<Repetition>& repetitions) {
  const auto counted = lines_of(bytes, repetitions);
  return counted ? std::optional(counted->most) : std::nullopt;
}

void touch_at_most(const std::optional<LineCount>& counted, ir::Access& access) {
  if (!counted) return;
  access.grid_lines = smaller(access.grid_lines, counted->most);
  access.fewest_grid_lines = smaller(access.fewest_grid_lines, counted->fewest);
}

}  // namespace

std::vector<ir::Access> unknown_accesses(const ir::Body& body, const ir::Flow& flow) {
  std::vector<ir::Access> result;
  for (const ir::BlockId b : flow.order) {
    if (!flow.blocks[b].executed) continue;
    const ir::Block& block = body.kernel.blocks[b];
    for (ir::InstructionId i = block.first; i < block.first + block.count; ++i) {
      const ir::Operation& operation = body.operation(i);
      const bool is_global = operation.space == ir::MemorySpace::global || operation.space == ir::MemorySpace::generic;
      if (operation.bytes > 0 && is_global) result.emplace_back().instruction = i;
    }
  }
  std::sort(result.begin(), result.end(),
            [](const ir::Access& a, const ir::Access& b) { return a.instruction < b.instruction; });
  return result;
}

void MemoryAccesses::find(const llvm::Function& lifted) {
  flow_.accesses = unknown_accesses(body_, flow_);
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<const llvm::Function*>(&lifted)) {
    std::vector<const llvm::Instruction*> calls;
    for (const llvm::Instruction& instruction : *block) {
      if (call_kind(instruction) != CallKind::access) continue;
      if (access_of(instruction) != nullptr) calls.push_back(&instruction);
    }
    if (!calls.empty()) add(*block, calls);
  }
  const auto before = [](const ir::PartialAccess& a, const ir::PartialAccess& b) {
    return a.instruction < b.instruction;
  };
  std::sort(flow_.partial_accesses.begin(), flow_.partial_accesses.end(), before);
  mark_walks();
  mark_blocks();
  find_unplaced(lifted);
}

// Whether it is another thing in each block though nothing in it follows from the block's number: what is read of
// memory that is no global one, and where a thread's own memory is.
bool MemoryAccesses::is_of_a_block(const llvm::Instruction& instruction) const {
  const auto is_global = [](ir::MemorySpace space) {
    return space == ir::MemorySpace::global || space == ir::MemorySpace::constant;
  };
  if (call_kind(instruction) == CallKind::group) {
    const auto from = origin(instruction);
    return !from || !is_global(body_.operation(*from).space);
  }
  const auto source = launch_source(instruction);
  if (!source) return false;
  if (source->kind == LaunchSource::Kind::window || source->kind == LaunchSource::Kind::shared_half) return true;
  return source->kind == LaunchSource::Kind::variable && !is_global(program_.variables[source->number].space);
}

// What addresses without a form imply: where the number of the block is in none of them, all blocks go to the same
// lines. What is loaded from global memory at such an address is taken for the same, though another thread may write
// there meanwhile.
void MemoryAccesses::find_unplaced(const llvm::Function& lifted) {
  if (!launch_.grid) return;
  const auto blocks = (Integer(launch_.grid->x) * launch_.grid->y * launch_.grid->z).value();
  const auto is_known = [](const ir::Access& access) { return access.sharing_blocks.has_value(); };
  if (!blocks || *blocks == 1 || std::all_of(flow_.accesses.begin(), flow_.accesses.end(), is_known)) return;
  ValueSet own;
  for (const llvm::Instruction& instruction : llvm::instructions(lifted)) {
    if (is_of_a_block(instruction)) own.insert(&instruction);
  }
  const Uniformity among_blocks(lifted, loops_, {}, Uniformity::Scope::grid, ReconvergencePoints(), own);
  for (const llvm::Instruction& instruction : llvm::instructions(lifted)) {
    if (call_kind(instruction) != CallKind::access) continue;
    ir::Access* access = access_of(instruction);
    if (access == nullptr || access->sharing_blocks || !among_blocks.is_uniform_use(instruction.getOperandUse(0))) {
      continue;
    }
    const auto warps = (Integer(*blocks) * domains_.warps_of_block()).value();
    if (warps) access->sharing_blocks = blocks;
    access->sharing_warps = warps;
  }
}

ir::Access* MemoryAccesses::access_of(const llvm::Instruction& call) {
  const auto from = origin(call);
  return from ? ir::access_of(flow_, *from) : nullptr;
}

// The accesses of one block, at which the same holds.
void MemoryAccesses::add(const llvm::BasicBlock& block, const std::vector<const llvm::Instruction*>& calls) {
  const ExecutionDomain domain = domains_.of(block);
  std::vector<Found> found;
  for (const llvm::Instruction* call : calls) {
    ir::Access& access = *access_of(*call);
    const llvm::Value& guard = *call->getOperand(2);
    const ExecutionDomain guarded = domains_.where(guard, domain);
    const auto* known = llvm::dyn_cast<llvm::Constant>(&guard);
    const auto some = known == nullptr ? domains_.executing(guarded) : std::nullopt;
    if (some) flow_.partial_accesses.push_back({access.instruction, some->warps, some->blocks});
    if (known != nullptr && known->isNullValue()) flow_.partial_accesses.push_back({access.instruction, 0});
    describe(*call, access, guarded, found);
  }
  if (dead_.count(&block) == 0) {
    mark_dense(found);
  } else {
    for (const Found& f : found) flow_.accesses[f.access].sure.reset();
  }
  for (const Found& f : found) keep_in_object(flow_.accesses[f.access]);
}

void MemoryAccesses::describe(const llvm::Instruction& call, ir::Access& access, const ExecutionDomain& domain,
                              std::vector<Found>& found) {
  llvm::Value& address = *call.getOperand(0);
  const bool is_parameter = llvm::cast<llvm::ConstantInt>(call.getOperand(1))->isOne();
  if (is_parameter) return;
  access.object = object_of(address);
  const auto form = forms_.of(address);
  const auto bytes = bytes_of(access.instruction);
  if (access.object != ir::no_object && !form) bound_distance(address, access);
  if (access.object == ir::no_object || !form || !bytes) return keep_in_object(access);
  std::map<CounterId, unsigned> depths;
  for (size_t i = block_counters; i < domain.counters.size(); ++i) {
    depths[domain.counters[i]] = static_cast<unsigned>(domain.counters.size() - 1 - i);
  }
  access.form = text_of(*form, forms_, *launch_.block, depths);
  Found own = points_of(*form, *bytes, domain);
  own.access = static_cast<size_t>(&access - flow_.accesses.data());
  own.guard = call.getOperand(2);
  const bool is_always = is_always_executed(access.instruction);
  own.is_exact = own.is_exact && is_always;
  if (own.is_sure && is_always) {
    if (const auto sure = sure_reach(own.points)) access.sure = ir::ByteSpan{sure->least, sure->most};
  }
  if (own.is_bounded) {
    const auto values = values_under(own.points.address, own.points.box, own.points.conditions);
    const auto end = values ? (Integer(values->most) + Integer(*bytes)).value() : std::nullopt;
    if (end) access.span = ir::ByteSpan{values->least, *end};
  }
  count_lines(own, access);
  count_sharers(own, domain, access);
  note_walk(*call.getParent(), *form, access);
  note_block(own, access);
  found.push_back(std::move(own));
}

// All that is added besides stays the same while a thread is in the innermost loop: a number of the loop itself or of
// one around it, or of the block. A body that calls share is entered more often than its own loops tell.
void MemoryAccesses::note_walk(const llvm::BasicBlock& block, const AddressForm& form, const ir::Access& access) {
  if (&body_ != &program_.bodies.front()) return;
  const ir::Operation& operation = body_.operation(access.instruction);
  const bool is_word = operation.bytes > 0 && std::has_single_bit(static_cast<uint32_t>(operation.bytes));
  if (!is_word || ir::copy_of(flow_, access.instruction) != nullptr || ir::is_async_copy(operation)) return;
  std::set<CounterId> fixed = {0, 1, 2};
  const llvm::Loop* innermost = loops_.getLoopFor(&block);
  for (const llvm::Loop* loop = innermost; loop != nullptr; loop = loop->getParentLoop()) {
    fixed.insert(forms_.counter_of(*loop));
  }
  for (const auto& [counter, term] : form.terms) {
    if (fixed.count(counter) == 0) return;
  }
  const auto index = static_cast<size_t>(&access - flow_.accesses.data());
  walks_[{innermost, form.base, form.offsets, form.terms}].emplace_back(index, form.constant);
}

template <typename Noted>
ir::InstructionId MemoryAccesses::first_of(const std::vector<std::pair<size_t, Noted>>& accesses) const {
  ir::InstructionId first = UINT32_MAX;
  for (const auto& [index, noted] : accesses) first = std::min(first, flow_.accesses[index].instruction);
  return first;
}

void MemoryAccesses::mark_walks() {
  for (const auto& [key, accesses] : walks_) {
    const auto& [loop, base, offsets, terms] = key;
    const auto by_place = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto [low, high] = std::minmax_element(accesses.begin(), accesses.end(), by_place);
    const auto width = (Integer(high->second) - Integer(low->second)).value();
    Steps steps;
    Integer entries = 1;
    bool is_known = width.has_value();
    if (loop != nullptr) {
      const auto step = terms.find(forms_.counter_of(*loop));
      const auto iterations = forms_.count(forms_.counter_of(*loop));
      if (step != terms.end()) {
        is_known = is_known && iterations;
        steps.stride = step->second;
        steps.iterations = iterations.value_or(1);
      }
      for (const llvm::Loop* outer = loop->getParentLoop(); outer != nullptr; outer = outer->getParentLoop()) {
        const auto times = forms_.count(forms_.counter_of(*outer));
        is_known = is_known && times;
        entries *= times.value_or(1);
      }
    }
    const auto entered = entries.value();
    if (!is_known || !entered) continue;
    steps.width = *width;
    steps.entries = *entered;
    const auto visits = visits_of(steps);
    if (!visits) continue;
    const ir::InstructionId first = first_of(accesses);
    for (const auto& [index, place] : accesses) {
      flow_.accesses[index].walk = ir::Access::Walk{visits->all, visits->open, first};
    }
  }
}

// A body that calls share has other numbers each time; so may have what is no counter of a loop and the same for a
// block.
void MemoryAccesses::note_block(const Found& found, const ir::Access& access) {
  if (&body_ != &program_.bodies.front() || ir::copy_of(flow_, access.instruction) != nullptr) return;
  BlockKey key = {found.form.base, {}};
  std::vector<Repetition> own;
  for (const auto& [counter, term] : found.form.terms) {
    if (counter < block_counters) {
      key.second[counter] = term;
      continue;
    }
    const auto count = forms_.is_of_block(counter) ? std::nullopt : forms_.count(counter);
    if (!count) return;
    own.push_back({term, *count});
  }
  for (size_t v = 0; v < found.thread_variables; ++v) {
    own.push_back({found.points.address.terms[v], found.points.box.counts[v]});
  }
  auto rows = rows_of(found.points.address.constant, found.points.bytes, std::move(own));
  if (rows) blocks_[std::move(key)].emplace_back(static_cast<size_t>(&access - flow_.accesses.data()), *rows);
}

void MemoryAccesses::mark_blocks() {
  for (const auto& [key, accesses] : blocks_) {
    std::vector<Rows> sets;
    for (const auto& [index, rows] : accesses) sets.push_back(rows);
    const auto lines = most_lines_of(std::move(sets));
    if (!lines) continue;
    const ir::InstructionId first = first_of(accesses);
    for (const auto& [index, rows] : accesses) flow_.accesses[index].of_block = {*lines, first};
  }
}

// The bytes that a lane accesses, if they are known: those of a copy are an operand.
std::optional<int64_t> MemoryAccesses::bytes_of(ir::InstructionId instruction) const {
  const ir::Operation& operation = body_.operation(instruction);
  if (const ir::BulkCopy* copy = ir::copy_of(flow_, instruction)) {
    return copy->bytes && *copy->bytes > 0 ? copy->bytes : std::nullopt;
  }
  return ir::is_async_copy(operation) ? copied_bytes(body_, instruction) : std::optional<int64_t>(operation.bytes);
}

// Whether all threads that come to it access all of its bytes. A copy may have an operand by which it reads fewer, a
// bulk copy is at most as large as is known.
bool MemoryAccesses::is_always_executed(ir::InstructionId instruction) const {
  if (ir::copy_of(flow_, instruction) != nullptr) return false;
  const auto sources = body_.sources(instruction);
  if (!ir::is_async_copy(body_.operation(instruction)) || sources.size() <= 3) return true;
  const ir::Operand& read = sources[3];
  return read.kind == ir::Operand::Kind::integer && read.value == sources[2].value;
}

MemoryAccesses::Found MemoryAccesses::points_of(const AddressForm& form, int64_t bytes,
                                                const ExecutionDomain& domain) const {
  Found found;
  found.form = form;
  found.is_exact = found.is_sure = domain.is_exact;
  std::vector<CounterId> counters = domain.counters;
  for (const auto& [counter, term] : form.terms) {
    if (std::find(counters.begin(), counters.end(), counter) != counters.end()) continue;
    counters.push_back(counter);
    found.is_exact = found.is_sure = false;  // it is not the counter of a loop around the access
  }
  std::vector<AddressForm> conditions;
  for (const AddressForm& condition : domain.conditions) {
    const auto is_usable = [&](const auto& term) {
      return forms_.count(term.first) && std::find(counters.begin(), counters.end(), term.first) != counters.end();
    };
    if (std::all_of(condition.terms.begin(), condition.terms.end(), is_usable)) conditions.push_back(condition);
  }
  found.is_sure = found.is_sure && conditions.size() == domain.conditions.size();
  found.is_exact = found.is_sure;

  std::vector<std::vector<int64_t>> tables = {forms_.offsets(form)};
  for (const AddressForm& condition : conditions) tables.push_back(forms_.offsets(condition));
  const auto threads = static_cast<int64_t>(forms_.threads());
  const auto digits_of_first = [&](size_t count) {
    std::vector<const std::vector<int64_t>*> pointers;
    for (size_t i = 0; i < count; ++i) pointers.push_back(&tables[i]);
    return digits_of(pointers, threads);
  };
  found.digits = digits_of_first(tables.size());
  if (!found.digits) {
    std::erase_if(conditions, [](const AddressForm& condition) { return condition.offsets != 0; });
    tables.resize(1);
    for (const AddressForm& condition : conditions) tables.push_back(forms_.offsets(condition));
    found.digits = digits_of_first(1);
    found.is_exact = found.is_sure = false;
  }
  Accesses& points = found.points;
  points.bytes = bytes;
  int64_t least_offset = 0;
  if (found.digits) {
    for (const ThreadDigit& digit : found.digits->digits) {
      points.box.counts.push_back(digit.count);
      if (found.digits->keep_warps && digit.step < ir::warp_lanes) ++points.lane_variables;
    }
    found.is_exact = found.is_exact && found.digits->keep_warps;
  } else {  // any number between the least and the most
    found.is_exact = found.is_sure = false;
    const auto [least, most] = std::minmax_element(tables[0].begin(), tables[0].end());
    least_offset = *least;
    points.box.counts.push_back(*most - *least + 1);
  }
  found.thread_variables = points.box.counts.size();
  for (const CounterId counter : counters) {
    const auto count = forms_.count(counter);
    if (!count) found.is_exact = false;
    if (!count && !forms_.is_of_block(counter)) found.is_sure = false;  // a grid has the first block at least
    if (!count && form.terms.count(counter) > 0) found.is_bounded = false;
    points.box.counts.push_back(count.value_or(1));
  }
  const auto linear = [&](const AddressForm& f, const std::vector<int64_t>& table) {
    LinearForm result{f.constant, {}};
    if (found.digits) {
      result.terms = terms_of(table, *found.digits);
    } else {
      result.terms.push_back(&table == &tables[0] ? 1 : 0);
    }
    for (const CounterId counter : counters) {
      const auto term = f.terms.find(counter);
      result.terms.push_back(term == f.terms.end() ? 0 : term->second);
    }
    return result;
  };
  points.address = linear(form, tables[0]);
  points.address.constant += least_offset;
  for (size_t i = 0; i < conditions.size(); ++i) points.conditions.push_back(linear(conditions[i], tables[i + 1]));
  return found;
}

void MemoryAccesses::count_lines(const Found& found, ir::Access& access) const {
  const Accesses& points = found.points;
  std::vector<Repetition> warp, block, grid;
  Integer iterations = 1;  // of loops whose iterations have addresses of their own
  bool is_known = true;
  for (const auto& [counter, term] : found.form.terms) {
    const auto count = forms_.count(counter);
    if (count) grid.push_back({term, *count});
    if (forms_.is_of_block(counter)) continue;
    is_known = is_known && count;
    if (!count) continue;
    iterations *= *count;
    warp.push_back({term, *count});
    block.push_back({term, *count});
  }
  for (size_t v = 0; v < found.thread_variables; ++v) {
    const Repetition digit{points.address.terms[v], points.box.counts[v]};
    grid.push_back(digit);
    block.push_back(digit);
    if (v < points.lane_variables) warp.push_back(digit);
  }
  if (found.is_bounded) touch_at_most(lines_of(points.bytes, grid), access);
  if (access.span) touch_at_most(lines_in_a_row(access.span->end - access.span->first), access);
  if (!is_known || ir::copy_of(flow_, access.instruction) != nullptr) return;
  access.block_lines = smaller(most_lines_of(points.bytes, block), access.grid_lines);
  // Lanes of one execution may have chosen otherwise.
  access.warp_lines = forms_.has_choice(found.form)
                          ? std::nullopt
                          : (iterations * Integer(flow_.transactions[access.instruction])).value();
  if (points.lane_variables > 0) access.warp_lines = smaller(access.warp_lines, most_lines_of(points.bytes, warp));
  access.warp_lines = smaller(access.warp_lines, access.block_lines);
}

// Rows of bytes that lanes of a warp access together are copied by the other digits of their numbers, by warps and by
// blocks: no fewer rows than warps share a line. A warp whose rows cannot be separated is a row from the first of
// the block's bytes to the last. Without a grid there is one block.
void MemoryAccesses::count_sharers(const Found& found, const ExecutionDomain& domain, ir::Access& access) const {
  std::vector<Repetition> blocks;
  for (CounterId c = 0; c < block_counters && launch_.grid; ++c) {
    const auto term = found.form.terms.find(c);
    blocks.push_back({term == found.form.terms.end() ? 0 : term->second, forms_.count(c).value_or(1)});
  }
  for (const auto& [counter, term] : found.form.terms) {
    if ((launch_.grid && !forms_.is_known(counter)) || forms_.is_choice(counter)) return;
  }
  std::vector<Repetition> lanes, rows = blocks;
  Integer all_bytes = found.points.bytes, row = found.points.bytes;
  for (size_t v = 0; v < found.thread_variables; ++v) {
    const Repetition digit{found.points.address.terms[v], found.points.box.counts[v]};
    all_bytes += Integer(std::abs(digit.stride)) * (digit.count - 1);
    (v < found.points.lane_variables ? lanes : rows).push_back(digit);
  }
  const auto bytes = all_bytes.value();
  if (!bytes) return;
  if (!found.digits || !found.digits->keep_warps) {
    row = *bytes;
    rows = blocks;
    rows.push_back({0, domains_.warps_of_block()});
  }
  std::sort(lanes.begin(), lanes.end(), [](auto& a, auto& b) { return std::abs(a.stride) < std::abs(b.stride); });
  std::vector<Repetition> of_row;
  for (const Repetition& digit : lanes) {
    const int64_t stride = std::abs(digit.stride);
    if ((row + (ir::memory_line_bytes - 2)).is_at_least(stride)) {
      row += Integer(stride) * (digit.count - 1);
      of_row.push_back(digit);
    } else {
      rows.push_back(digit);
    }
  }
  const int64_t sharing = most_at_a_line(row.value().value_or(*bytes), rows);
  access.sharing_blocks = std::min(sharing, most_at_a_line(*bytes, blocks));
  const auto coming = Integer(*access.sharing_blocks) * domains_.warps(domain).value_or(domains_.warps_of_block());
  access.sharing_warps = std::min(sharing, coming.value().value_or(INT64_MAX));
  access.aligned_sharing_warps = access.sharing_warps;
  if (const auto first = first_of_row(found, of_row)) {
    const int64_t aligned = most_at_a_line_from(*first, row.value().value_or(*bytes), rows);
    access.aligned_sharing_warps = std::min(*access.sharing_warps, aligned);
  }
}

// Where a warp's row begins, in bytes from the beginning of a line, where the object begins one; nothing if iterations
// of loops differ in that. lanes: those of the row.
auto MemoryAccesses::first_of_row(const Found& found, const std::vector<Repetition>& lanes) const
    -> std::optional<int64_t> {
  if (!found.digits || !found.digits->keep_warps) return std::nullopt;
  for (const auto& [counter, term] : found.form.terms) {
    if (term % ir::memory_line_bytes != 0) return std::nullopt;
  }
  Integer first = found.points.address.constant;
  for (const Repetition& digit : lanes) {
    if (digit.stride < 0) first += Integer(digit.stride) * (digit.count - 1);
  }
  return first.value();
}

void MemoryAccesses::mark_dense(std::vector<Found>& found) {
  using Key = std::tuple<const llvm::Value*, const llvm::Value*, TableId, std::map<CounterId, int64_t>, int64_t,
                         ir::OperationKind>;
  std::map<Key, std::vector<const Found*>> groups;
  for (const Found& f : found) {
    ir::Access& access = flow_.accesses[f.access];
    if (!f.is_exact || !f.is_bounded) continue;
    if (const auto range = dense_range(f.points)) {
      access.dense = true;
      access.dense_with = access.instruction;
      access.covers_lines = covers_lines(f.points);
      access.span = ir::ByteSpan{range->least, range->most};
      continue;
    }
    const ir::OperationKind kind = body_.operation(access.instruction).kind;
    groups[{f.guard, f.form.base, f.form.offsets, f.form.terms, f.points.bytes, kind}].push_back(&f);
  }
  for (const auto& [key, group] : groups) {
    if (group.size() > 1) mark_dense_together(group);
  }
}

// Whether the spans reach over the range and no further: a span may be too long where a condition lets a counter have
// no more values than a fraction of its step.
bool MemoryAccesses::is_hull(const Interval& range, const std::vector<const Found*>& group) const {
  int64_t first = INT64_MAX, end = INT64_MIN;
  for (const Found* f : group) {
    const auto& span = flow_.accesses[f->access].span;
    if (!span) return false;
    first = std::min(first, span->first);
    end = std::max(end, span->end);
  }
  return first == range.least && end == range.most;
}

// Accesses of one block with one guard whose addresses differ by constants, as one whose address has the constants as
// further terms.
void MemoryAccesses::mark_dense_together(const std::vector<const Found*>& group) {
  std::vector<int64_t> constants;
  for (const Found* f : group) constants.push_back(f->points.address.constant);
  std::sort(constants.begin(), constants.end());
  const auto repetitions = repetitions_of(constants);
  if (!repetitions) return;
  Accesses all = group.front()->points;
  all.address.constant = constants.front();
  for (const Repetition& r : *repetitions) {
    all.box.counts.push_back(r.count);
    all.address.terms.push_back(r.stride);
    for (LinearForm& condition : all.conditions) condition.terms.push_back(0);
  }
  const auto range = dense_range(all);
  if (!range || !is_hull(*range, group)) return;
  ir::InstructionId first = UINT32_MAX;
  for (const Found* f : group) first = std::min(first, flow_.accesses[f->access].instruction);
  for (const Found* f : group) {
    flow_.accesses[f->access].dense = true;
    flow_.accesses[f->access].dense_with = first;
    flow_.accesses[f->access].covers_lines = covers_lines(f->points);
  }
}

// What the user states: the object is so large, and the kernel stays inside.
void MemoryAccesses::keep_in_object(ir::Access& access) const {
  if (access.object == ir::no_object) return;
  const auto bytes = flow_.objects[access.object].bytes;
  if (!bytes || access.dense) return;
  ir::ByteSpan inside = access.span.value_or(ir::ByteSpan{0, *bytes});
  inside.first = std::max<int64_t>(inside.first, 0);
  inside.end = std::min(inside.end, *bytes);
  if (inside.first >= inside.end) return;
  access.span = inside;
  touch_at_most(lines_in_a_row(inside.end - inside.first), access);
}

ir::ObjectId MemoryAccesses::object_at(const llvm::Value& pointer) {
  const auto source = launch_source(pointer);
  if (!source || !is_beginning(*source)) return ir::no_object;
  const ir::Variable& variable = program_.variables[source->number];
  const bool is_variable = source->kind == LaunchSource::Kind::variable;
  const bool is_shared_memory =
      variable.space == ir::MemorySpace::global || variable.space == ir::MemorySpace::constant;
  if (is_variable && !is_shared_memory) return ir::no_object;
  const auto key = std::make_tuple(source->kind, source->number, source->offset);
  const auto known = objects_.find(key);
  if (known != objects_.end()) return known->second;
  ir::MemoryObject object;
  object.name = variable.name;
  if (is_variable) {
    if (variable.bytes > 0) object.bytes = variable.bytes;
  } else {
    object.of_parameter = true;
    object.name = ir::object_name(variable.name, variable.bytes, source->offset);
    object.bytes = buffer_bytes(launch_, variable, source->offset);
    pointers_.insert(&pointer);
  }
  const auto id = static_cast<ir::ObjectId>(flow_.objects.size());
  flow_.objects.push_back(std::move(object));
  return objects_[key] = id;
}

// All that the address may be counted from has to be one object.
ir::ObjectId MemoryAccesses::object_of(const llvm::Value& address) {
  ir::ObjectId found = ir::no_object;
  for (const llvm::Value* origin : origins_.of(address)) {
    const ir::ObjectId object = object_at(*origin);
    if (object == ir::no_object || (found != ir::no_object && found != object)) return ir::no_object;
    found = object;
  }
  return found;
}

// Of an access without a form: what its distance from the object's beginning can be.
void MemoryAccesses::bound_distance(llvm::Value& address, ir::Access& access) const {
  const auto bytes = bytes_of(access.instruction);
  const llvm::ConstantRange range = origins_.distance(address);
  if (!bytes || range.getBitWidth() != 64 || range.isEmptySet() || range.isFullSet() || range.isSignWrappedSet())
    return;
  const int64_t first = range.getSignedMin().getSExtValue();
  const auto end = (Integer(range.getSignedMax().getSExtValue()) + Integer(*bytes)).value();
  const auto length = end ? (Integer(*end) - Integer(first)).value() : std::nullopt;
  if (!length || *length > most_distance) return;
  access.span = ir::ByteSpan{first, *end};
  touch_at_most(lines_in_a_row(*length), access);
}

}  // namespace warpspan::lift
