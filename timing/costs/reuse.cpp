// A cache keeps a line, or has it on its way, as long as since its last request fewer than D different other lines were
// requested there by anybody.
//
// Theorem (windows). Let requests be those for sets o of lines, N_o different ones (or any number) and L_o in all. No
// line is fetched more than 1 + w times, w the largest integer with w D <= the sum over o of min(L_o, w N_o).
// Proof. Between a fetch of a line and its request before lie requests for D different others. For the fetches of one
// line but its first these windows do not overlap. w of them hold at most L_o requests for o, and each of them at most
// N_o different lines of it. QED
// Any smaller w than the largest fulfils it, too: the sum is concave in w and 0 for 0. A cache in front, or several
// requests that are answered together, only make L_o smaller.
//
// What is asked for besides data: code; constants, of which a bank has 64 KiB; entries of page tables, 16 bytes for
// each page of 2 MiB at most, with the levels above.
#include "timing/costs/reuse.hpp"

#include <algorithm>

#include "ir/execution.hpp"
#include "ir/sizes.hpp"
#include "support/checked.hpp"
#include "timing/costs/access_classes.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;

constexpr int64_t line_bytes = ir::memory_line_bytes;
constexpr int64_t machine_instruction_bytes = 16;
constexpr int64_t constant_banks = 4;  // of the launch, the kernel, literals, and what is linked to it
constexpr int64_t bank_bytes = 64 << 10;
constexpr int64_t page_bytes = 2 << 20;
constexpr int64_t entry_bytes = 16;
constexpr int64_t levels = 5;  // of page tables

int64_t lines_in(int64_t bytes) { return bytes / line_bytes + 2; }

// Modifiers by which a cache treats a line otherwise, or another one is fetched besides.
bool has_own_policy(const ir::Operation& operation) {
  for (const char* word :
       {"evict", "no_allocate", "cache_hint", "256B", ".cs", ".lu", "discard", ".EF", ".EL", ".LU", ".NA", ".EU"}) {
    if (operation.text.find(word) != std::string::npos) return true;
  }
  return false;
}

class Counter {
 public:
  Counter(const ir::Kernel& kernel, const ir::Flow& flow, const Footprint& footprint, const Load& load)
      : kernel_(kernel), flow_(flow), footprint_(footprint), load_(load) {}

  // By object, then of all else; nothing if they cannot be counted.
  std::optional<std::vector<int64_t>> requests() const;

 private:
  size_t sets() const { return footprint_.objects.size() + 1; }
  bool is_countable(ir::InstructionId id) const;
  // Which set an instruction asks for; nothing: none.
  std::optional<size_t> set_of(ir::InstructionId id) const;

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  const Footprint& footprint_;
  const Load& load_;
};

bool Counter::is_countable(ir::InstructionId id) const {
  const ir::Operation& operation = kernel_.operation(kernel_.instructions[id]);
  return !operation.call_time && ir::copy_of(flow_, id) == nullptr && !is_of_texels(operation) &&
         !has_own_policy(operation) && flow_.transactions[id] > 0;
}

std::optional<size_t> Counter::set_of(ir::InstructionId id) const {
  if (!touches_memory(kernel_.operation(kernel_.instructions[id]))) return std::nullopt;
  const ir::Access* access = ir::access_of(flow_, id);
  if (access == nullptr) return sets() - 1;
  if (access->in_shared) return std::nullopt;
  return access->object == ir::no_object ? sets() - 1 : size_t{access->object};
}

std::optional<std::vector<int64_t>> Counter::requests() const {
  if (kernel_.calls_outside()) return std::nullopt;
  bool countable = true;
  const auto measure = [&](ir::BlockId b, bool of_lane) {
    std::vector<Integer> sums(sets());
    const ir::Block& block = kernel_.blocks[b];
    for (ir::InstructionId id = block.first; id < block.first + block.count; ++id) {
      const auto set = set_of(id);
      if (!set) continue;
      countable = countable && is_countable(id);
      const int64_t all = flow_.transactions[id];
      const auto alone = ir::transactions_of_lane(kernel_.operation(kernel_.instructions[id]));
      sums[*set] += of_lane && alone ? std::min(*alone, all) : all;
    }
    return sums;
  };
  const auto totals = ir::largest_block_totals(
      kernel_, flow_, sets(), [&](ir::BlockId b) { return measure(b, false); },
      [&](ir::BlockId b) { return measure(b, true); });
  if (!totals || !countable) return std::nullopt;
  std::vector<int64_t> result;
  for (const Integer& of_warp : *totals) {
    const auto all = (of_warp * load_.device_blocks * load_.warps_per_block).value();
    if (!all) return std::nullopt;
    result.push_back(*all);
  }
  return result;
}

}  // namespace

std::optional<int64_t> most_fetches(const std::vector<Requests>& sets, int64_t capacity) {
  Integer all;
  for (const Requests& set : sets) all += set.all;
  const auto sum = all.value();
  if (!sum || capacity < 1) return std::nullopt;
  const auto fulfils = [&](int64_t windows) {
    Integer asked;
    for (const Requests& set : sets) {
      asked += set.lines ? min(Integer(set.all), Integer(windows) * *set.lines) : Integer(set.all);
    }
    const auto needed = (Integer(windows) * capacity).value();
    return needed && asked.is_at_least(*needed);
  };
  int64_t least = 0, above = *sum / capacity + 1;  // fulfilled, and not
  while (above - least > 1) {
    const int64_t middle = least + (above - least) / 2;
    (fulfils(middle) ? least : above) = middle;
  }
  return least + 1;
}

std::vector<int64_t> fetches_of_lines(const ir::Kernel& kernel, const ir::Flow& flow, const Footprint& footprint,
                                      const Load& load, const Machine& machine, int64_t machine_instructions) {
  const DataCache* cache = machine.data_cache(l2_cache);
  const auto requests = cache == nullptr ? std::nullopt : Counter(kernel, flow, footprint, load).requests();
  if (!requests) return {};
  const int64_t part = cache->persistent.denominator * line_bytes;
  const auto persistent = ceil_divide(Integer(cache->bytes) * cache->persistent.numerator, part).value();
  const auto code = (Integer(machine_instructions) * machine_instruction_bytes).value();
  if (!persistent || !code) return {};
  const int64_t others = lines_in(*code) + constant_banks * lines_in(bank_bytes);
  std::vector<Requests> sets;
  for (size_t o = 0; o < requests->size(); ++o) {
    const int64_t all = (*requests)[o];
    const auto& known = o < footprint.objects.size() ? footprint.objects[o] : std::nullopt;
    const auto walks = (Integer(all) * levels).value();
    if (!walks) return {};
    if (known) {
      sets.push_back({known->lines, all});
      const int64_t pages = known->lines / (page_bytes / line_bytes) + 2;
      sets.push_back({lines_in(pages * entry_bytes) + 2 * levels, *walks});
    } else {
      sets.push_back({std::nullopt, all});
      sets.push_back({std::nullopt, *walks});
    }
  }
  // Each window may have all of the others.
  const auto most = *persistent > others ? most_fetches(sets, *persistent - others) : std::nullopt;
  if (!most) return {};
  std::vector<int64_t> result(footprint.objects.size());
  bool any = false;
  for (size_t o = 0; o < result.size(); ++o) {
    if (!footprint.objects[o]) continue;
    const auto fetched = (Integer(footprint.objects[o]->lines) * *most).value();
    if (!fetched || *fetched >= (*requests)[o]) continue;
    result[o] = *most;
    any = true;
  }
  return any ? result : std::vector<int64_t>();
}

}  // namespace warpspan::timing
