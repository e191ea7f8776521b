// SPDX-License-Identifier: GPL-3.0-or-later
// A cache keeps a line, or has it on its way, as long as since its last request fewer than D different other lines were
// requested there by anybody.
//
// Requests are those for sets o of lines, N_o different ones (or any number) and L_o in all. Some sets consist of
// visits: a visit of a line begins with a request for it and ends with one, its requests are those of some thread in
// between, say. V_o are those of o, and at a time at most k_o <= V_o of them have begun and not ended. Let P_o(w) be
// the smallest of L_o, w N_o and V_o + (w - 1) k_o, of those that are known.
//
// Visits may be those of blocks: of a line, from the first load of it by a block to the last. A block keeps its place
// until what it loads has come, so that at a time no more blocks have such visits than are resident.
//
// Theorem (windows). w segments of the launch that do not overlap have at most P_o(w) pairs of a segment and a line of
// o that is asked for in it. Proof. A segment and a line have a request; and a segment has at most N_o lines. A visit
// has requests in one segment more than it is open at ends of segments but the last, at most: k_o at each of w - 1. QED
//
// Theorem (phases). Let w be the largest integer with w D <= the sum over o of P_o(w). The launch can be cut into 1 + w
// phases, or fewer, in each of which no line is fetched that was asked for in it before. No line is fetched more than
// 1 + w times, and of o no more than P_o(1 + w) in all.
// Proof. Let a phase end before the request for a line that would be the one after D different ones. Within it fewer
// than D others are asked for between two requests for a line. All phases but the last have D different lines, so that
// w of them are pairs enough; and each fetch of o is the first request of its line in its phase. QED
// Any smaller w than the largest fulfils it, too: the sum is concave in w and not negative for 0. A cache in front, or
// several requests that are answered together, only make L_o smaller, and visits shorter. Sets may share lines, if each
// request is counted in one of them: where lines of a set are asked for by several accesses, the accesses are such sets
// in place of it, and the smaller of both numbers counts, for any w.
//
// Theorem (losses). Let of any 512 requests that come when D or more different others were asked for since the last one
// for their line, but fewer than D', at most e be fetches, and none that come earlier. Then of o no more lines are
// fetched than P_o(1 + w') + e min(w N_o, P_o(1 + w)) / 512, the quotient rounded up, w and w' being those above for D
// and D'. Proof. A fetch that is the first of its line, or comes after D' different others, is the first request of its
// line in its phase for D'. The others are first requests of their lines in phases for D, and not in the first phase
// that their line is asked for in. QED
//
// Theorem (accesses). Let a be some accesses, N_a the lines that access a may ask for. Then memory is asked for
// at most (1 + w) N_a lines for each a that stores nothing and 2 (1 + w) N_a for each that stores, and of all other
// accesses for one line for each request, two if it stores. Proof. A fetch has a request that misses. Those of requests
// of a are of N_a lines, each of them fetched at most 1 + w times in all. A line is written back at most once from one
// fetch to the next, and only if one of the stores in between made it differ: charge that to one of them. If an access
// a made it, it is one of the at most 1 + w times that this line was in the cache; else the request pays itself. QED
// A store that needs no fetch, as it writes whole lines, only asks for less.
//
// Theorem (served several times). Let n different lines, each served once, take no longer than n lines take at some
// rate and A(n) besides, where A grows, and A(n) <= (1 + n / c) A(c), rounded down. Let memory serve lines of kinds k,
// n_k different ones, each r_k times at most, and all of them m times. Then it takes no longer than m lines take at the
// rate and, besides, the smaller of (r + m / c) A(c), r the largest r_k, and the sum over i from 1 to r of A(sum of n_k
// over kinds with r_k >= i). Proof. The i-th time that each of them is served is of different lines, x_i of them, of
// kinds with r_k >= i; the sum of all x_i is m. QED
// It is the time for which memory is busy with them, whenever they are asked for: waits for translations and refreshes
// (waits_once.cpp) make requests come later, and are counted besides.
//
// What is asked for besides data: code; constants, of which a bank has 64 KiB; entries of page tables, 16 bytes for
// each page of 2 MiB at most, with the levels above: side by side for what lies side by side, and each somewhere for
// lines of which only the number is known. The frame of a warp in local memory lies side by side.
#include "timing/costs/reuse.hpp"

#include <algorithm>

#include "ir/execution.hpp"
#include "ir/sizes.hpp"
#include "support/checked.hpp"
#include "timing/costs/access_classes.hpp"
#include "timing/costs/code_layout.hpp"
#include "timing/costs/cost.hpp"

namespace warpspan::timing {

namespace {

using support::Integer;

constexpr int64_t line_bytes = ir::memory_line_bytes;
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

// Nothing of single accesses is counted in kernels that have more, as each takes a sum along all paths.
constexpr size_t most_accesses = 256;

struct Counted {
  std::vector<int64_t> sets;                      // by object, then of local memory, then of all else
  std::map<ir::InstructionId, int64_t> accesses;  // those of objects
};

class Counter {
 public:
  Counter(const ir::Kernel& kernel, const ir::Flow& flow, const Footprint& footprint, const Load& load,
          const Machine& machine, bool is_aligned)
      : kernel_(kernel), flow_(flow), footprint_(footprint), load_(load), machine_(machine), is_aligned_(is_aligned) {
    if (flow.accesses.size() > most_accesses) return;
    for (const ir::Access& access : flow.accesses) {
      if (access.object != ir::no_object && !access.in_shared)
        own_.try_emplace(access.instruction, sets() + own_.size());
    }
  }

  // Nothing if they cannot be counted.
  std::optional<Counted> requests() const;

 private:
  size_t sets() const { return footprint_.objects.size() + 2; }
  bool is_countable(ir::InstructionId id) const;
  // Which set an instruction asks for; nothing: none.
  std::optional<size_t> set_of(ir::InstructionId id) const;
  int64_t transactions(ir::InstructionId id) const;

  const ir::Kernel& kernel_;
  const ir::Flow& flow_;
  const Footprint& footprint_;
  const Load& load_;
  const Machine& machine_;
  const bool is_aligned_;
  std::map<ir::InstructionId, size_t> own_;  // which sum is that of an access, behind those of sets
};

// What is a loop of attempts in machine code asks for its line again in each of them.
bool is_repeated(const ir::Operation& operation, const Machine& machine) {
  if (is_load(operation.kind) || is_store(operation.kind)) return false;
  const auto figures = machine.figures(operation);
  return figures && !figures->retries.empty();
}

bool Counter::is_countable(ir::InstructionId id) const {
  const ir::Operation& operation = kernel_.operation(kernel_.instructions[id]);
  return !operation.call_time && ir::copy_of(flow_, id) == nullptr && !is_of_texels(operation) &&
         !has_own_policy(operation) && !is_repeated(operation, machine_) && flow_.transactions[id] > 0;
}

std::optional<size_t> Counter::set_of(ir::InstructionId id) const {
  const ir::Operation& operation = kernel_.operation(kernel_.instructions[id]);
  if (!touches_memory(operation)) return std::nullopt;
  if (is_local(operation.kind) && footprint_.local) return footprint_.objects.size();
  const ir::Access* access = ir::access_of(flow_, id);
  if (access == nullptr) return sets() - 1;
  if (access->in_shared) return std::nullopt;
  return access->object == ir::no_object ? sets() - 1 : size_t{access->object};
}

int64_t Counter::transactions(ir::InstructionId id) const {
  const int64_t all = flow_.transactions[id];
  const ir::Access* access = is_aligned_ ? ir::access_of(flow_, id) : nullptr;
  return access == nullptr || access->aligned_transactions == 0 ? all
                                                                : std::min<int64_t>(all, access->aligned_transactions);
}

std::optional<Counted> Counter::requests() const {
  if (kernel_.calls_outside()) return std::nullopt;
  bool countable = true;
  const auto measure = [&](ir::BlockId b, bool of_lane) {
    std::vector<Integer> sums(sets() + own_.size());
    if (!flow_.blocks[b].executed) return sums;
    const ir::Block& block = kernel_.blocks[b];
    for (ir::InstructionId id = block.first; id < block.first + block.count; ++id) {
      const auto set = set_of(id);
      if (!set) continue;
      countable = countable && is_countable(id);
      const int64_t all = transactions(id);
      const auto alone = ir::transactions_of_lane(kernel_.operation(kernel_.instructions[id]));
      const int64_t asked = of_lane && alone ? std::min(*alone, all) : all;
      sums[*set] += asked;
      if (const auto own = own_.find(id); own != own_.end()) sums[own->second] += asked;
    }
    return sums;
  };
  const auto totals = ir::largest_block_totals(
      kernel_, flow_, sets() + own_.size(), [&](ir::BlockId b) { return measure(b, false); },
      [&](ir::BlockId b) { return measure(b, true); });
  if (!totals || !countable) return std::nullopt;
  std::vector<int64_t> all;
  for (const Integer& of_warp : *totals) {
    const auto of_launch = (of_warp * load_.device_blocks * load_.warps_per_block).value();
    if (!of_launch) return std::nullopt;
    all.push_back(*of_launch);
  }
  Counted result;
  for (const auto& [instruction, sum] : own_) result.accesses[instruction] = all[sum];
  all.resize(sets());
  result.sets = std::move(all);
  return result;
}

// DataCache::lost is of so many requests.
constexpr int64_t sample_of_losses = 512;

// Lines of page tables for so many lines, of which all lie in a number of bytes, where that is known.
std::optional<int64_t> lines_of_tables(int64_t lines, std::optional<int64_t> bytes) {
  auto result = (Integer(lines) * levels).value();
  if (!bytes) return result;
  const int64_t side_by_side = lines_in((*bytes / page_bytes + 2) * entry_bytes) + 2 * levels;
  return result ? std::min(*result, side_by_side) : side_by_side;
}

// The same of so many lines in frames.
std::optional<int64_t> lines_of_local_tables(const Footprint& footprint, int64_t lines) {
  const int64_t frames = lines / std::max<int64_t>(1, footprint.local_lines_of_warp);
  const auto pages = (Integer(frames) * (footprint.local_lines_of_warp / (page_bytes / line_bytes) + 2)).value();
  return pages ? lines_of_tables(std::min(*pages, lines), std::nullopt) : lines_of_tables(lines, std::nullopt);
}

// Bytes from the first that is touched of an object to the last; nothing if that is not known.
std::optional<int64_t> extent_of(const ir::Flow& flow, ir::ObjectId object) {
  int64_t first = INT64_MAX, end = INT64_MIN;
  for (const ir::Access& access : flow.accesses) {
    if (access.object != object || access.in_shared) continue;
    if (!access.span) return flow.objects[object].bytes;
    first = std::min(first, access.span->first);
    end = std::max(end, access.span->end);
  }
  return first < end ? (Integer(end) - Integer(first)).value() : std::nullopt;
}

// Pairs of one of so many segments of the launch and a line of a set that is asked for in it, at most.
Integer in_windows(const Requests& set, int64_t windows) {
  Integer most = set.all;
  if (set.lines) most = min(most, Integer(windows) * *set.lines);
  if (set.visits)
    most = min(most, Integer(windows - 1) * std::min(set.visits->open, set.visits->all) + set.visits->all);
  for (const std::vector<Requests>& parts : set.partitions) {
    Integer of_parts;
    for (const Requests& part : parts) of_parts += in_windows(part, windows);
    most = min(most, of_parts);
  }
  return most;
}

// Requests for an object by access, those of accesses together whose requests are visits: visits_of tells which, and
// how many of the launch.
struct JointVisits {
  Visits visits;
  ir::InstructionId with = 0;
};
template <typename VisitsOf>
std::vector<Requests> parts_of(ir::ObjectId object, const Counted& counted, const ir::Flow& flow,
                               const VisitsOf& visits_of) {
  std::vector<Requests> parts;
  std::map<ir::InstructionId, Requests> by_first;
  for (const auto& [instruction, all] : counted.accesses) {
    const ir::Access& access = *ir::access_of(flow, instruction);
    if (access.object != object) continue;
    const std::optional<JointVisits> own = visits_of(access);
    if (!own) {
      parts.push_back({access.grid_lines, all});
      continue;
    }
    Requests& joint = by_first[own->with];
    joint.visits = own->visits;
    joint.all = (Integer(joint.all) + all).value().value_or(INT64_MAX);
    if (joint.partitions.empty()) joint.partitions.emplace_back();
    joint.partitions.front().push_back({access.grid_lines, all});
  }
  for (auto& [first, joint] : by_first) parts.push_back(std::move(joint));
  return parts;
}

// By the rows that threads walk along, and by blocks; nothing where accesses are not counted by themselves. The order
// of a thread's requests is known of machine code alone: an assembler makes what PTX has in whatever order it likes.
std::vector<std::vector<Requests>> partitions_of(ir::ObjectId object, const Counted& counted, const ir::Kernel& kernel,
                                                 const ir::Flow& flow, const Load& load, int64_t multiprocessors) {
  if (counted.accesses.empty()) return {};
  const Integer threads = Integer(load.device_blocks) * load.warps_per_block * ir::warp_lanes;
  const Integer resident = min(Integer(load.device_blocks), Integer(load.residency.blocks.most) * multiprocessors);
  const auto visits = [](const Integer& all, const Integer& open,
                         ir::InstructionId with) -> std::optional<JointVisits> {
    const auto most = all.value(), at_a_time = open.value();
    return most && at_a_time ? std::optional(JointVisits{{*most, *at_a_time}, with}) : std::nullopt;
  };
  const auto of_walk = [&](const ir::Access& access) {
    return access.walk && kernel.is_machine_code()
               ? visits(threads * access.walk->visits, threads * access.walk->open, access.walk->with)
               : std::nullopt;
  };
  const auto of_block = [&](const ir::Access& access) {
    return access.of_block && is_load(kernel.operation(kernel.instructions[access.instruction]).kind)
               ? visits(Integer(load.device_blocks) * access.of_block->lines, resident * access.of_block->lines,
                        access.of_block->with)
               : std::nullopt;
  };
  return {parts_of(object, counted, flow, of_walk), parts_of(object, counted, flow, of_block)};
}

// Whether all its accesses are to few lines, so that memory serves each request as it serves one bank.
bool is_few_lines(const ir::Flow& flow, ir::ObjectId object, int64_t lines) {
  return lines < lines_that_spread &&
         std::none_of(flow.accesses.begin(), flow.accesses.end(),
                      [object](const ir::Access& access) { return access.object == object && access.dense; });
}

// Whether lines that are each fetched so many times cost less than what is asked for one by one, all of it at the rate
// that lines have which may lie anywhere.
bool comes_cheaper(const LineTimes* memory, const FetchedLines& lines, int64_t asked) {
  if (memory == nullptr) return false;
  const Integer in_all = beyond_rate({lines}, *memory, 1) + memory->of(Guarantee::spread).cycles_for(lines.fetches.all);
  const auto by_request = memory->of(Guarantee::same_bank).cycles_for(asked).value();
  const auto all = in_all.value();
  return all && by_request && *all < *by_request;
}

// Those of a launch that are fewer than what is asked for, in a cache that fetches each line `most` times, all of them
// `least` times and what is lost.
struct FewerFetches {
  const ir::Kernel& kernel;
  const ir::Flow& flow;
  const Footprint& footprint;
  const Counted &given, &counted;     // wherever parameters point to, and as is assumed
  const Counted& compared;            // the one of them than which fetches of an object have to be fewer
  const std::vector<Requests>& sets;  // by object, then of local memory: as counted
  const LineTimes* once;
  int64_t least, most, lost;

  LineFetches find() const;

 private:
  std::optional<Fetches> fetches(const Requests& set) const { return fetches_with_losses(set, least, most, lost); }
  int64_t services_of(ir::ObjectId object, int64_t asked) const;
  Fetches fewer(const ObjectFootprint& touched, bool is_few, size_t set, int64_t services) const;
};

// What memory serves for so many requests, of which each store has two.
int64_t FewerFetches::services_of(ir::ObjectId object, int64_t asked) const {
  Integer stored;
  for (const auto& [instruction, of_access] : counted.accesses) {
    const bool writes = may_write(kernel.operation(kernel.instructions[instruction]));
    if (writes && ir::access_of(flow, instruction)->object == object) stored += of_access;
  }
  return (min(stored, Integer(asked)) + asked).value().value_or(asked);
}

// Nothing if it is no less than what is asked for; where it is so by what accesses and visits have, it is half of it at
// most: accesses to few of the lines may be better off by themselves.
Fetches FewerFetches::fewer(const ObjectFootprint& touched, bool is_few, size_t set, int64_t services) const {
  const int64_t asked = compared.sets[set];
  const auto fetched = fetches(sets[set]), by_lines = fetches({sets[set].lines, asked});
  if (!fetched || !by_lines) return {};
  const Fetches of_memory = touched.written ? fetched->with_write_backs() : *fetched;
  const bool is_less = by_lines->all < asked || (asked > 0 && fetched->all <= asked / 2);
  return is_less || (is_few && comes_cheaper(once, {touched.lines, of_memory}, services)) ? *fetched : Fetches();
}

LineFetches FewerFetches::find() const {
  LineFetches result;
  result.objects.resize(footprint.objects.size());
  for (size_t o = 0; o < result.objects.size(); ++o) {
    const auto& touched = footprint.objects[o];
    if (!touched) continue;
    const auto object = static_cast<ir::ObjectId>(o);
    const bool is_few = is_few_lines(flow, object, touched->lines);
    result.objects[o] = fewer(*touched, is_few, o, services_of(object, sets[o].all));
  }
  const size_t local = footprint.objects.size();
  if (footprint.local) {
    result.local = fewer(*footprint.local, footprint.local_lines < lines_that_spread, local, sets[local].all);
  }
  // Half of what it asks for at most, aligned or not: what memory does not serve is counted for the network.
  for (const auto& [instruction, asked] : given.accesses) {
    const ir::Access& access = *ir::access_of(flow, instruction);
    if (!access.grid_lines || result.objects[access.object].times > 0) continue;
    const bool writes = may_write(kernel.operation(kernel.instructions[instruction]));
    const auto fetched = fetches({access.grid_lines, asked});
    if (!fetched) continue;
    const Fetches of_memory = writes ? fetched->with_write_backs() : *fetched;
    const bool is_few = !access.dense && are_few_lines(access, lines_that_spread);
    const int64_t services = (Integer(asked) * (writes ? 2 : 1)).value().value_or(asked);
    if (of_memory.all > asked / 2 && !(is_few && comes_cheaper(once, {*access.grid_lines, of_memory}, services)))
      continue;
    result.accesses[instruction] = of_memory;
  }
  const bool any =
      std::any_of(result.objects.begin(), result.objects.end(), [](const Fetches& one) { return one.times > 0; });
  return any || result.local.times > 0 || !result.accesses.empty() ? result : LineFetches();
}

}  // namespace

std::optional<int64_t> most_fetches(const std::vector<Requests>& sets, int64_t capacity) {
  Integer all;
  for (const Requests& set : sets) all += set.all;
  const auto sum = all.value();
  if (!sum || capacity < 1) return std::nullopt;
  const auto fulfils = [&](int64_t windows) {
    Integer asked;
    for (const Requests& set : sets) asked += in_windows(set, windows);
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

Integer beyond_rate(std::vector<FetchedLines> all, const LineTimes& memory, int64_t ticks) {
  std::sort(all.begin(), all.end(),
            [](const FetchedLines& a, const FetchedLines& b) { return a.fetches.times > b.fetches.times; });
  Integer in_all, different, each_time;
  for (size_t k = 0; k < all.size(); ++k) {
    in_all += all[k].fetches.all;
    different += all[k].lines;
    const int64_t next = k + 1 < all.size() ? all[k + 1].fetches.times : 0;
    const auto lines = different.value();
    each_time += lines ? memory.once_for(*lines, ticks) * (all[k].fetches.times - next) : Integer(INT64_MAX) + 1;
  }
  if (all.empty()) return 0;
  const Integer begun = floor_divide(in_all, lines_of_once) + all.front().fetches.times;
  return min(begun * memory.once_for(lines_of_once, ticks), each_time);
}

Fetches Fetches::with_write_backs() const {
  const auto twice = [](int64_t lines) { return (Integer(lines) * 2).value().value_or(INT64_MAX); };
  return {twice(times), twice(all)};
}

std::optional<Fetches> fetches_with_losses(const Requests& set, int64_t least, int64_t most, int64_t lost) {
  const Integer pairs = in_windows(set, most);
  const Integer between = set.lines ? min(pairs, Integer(*set.lines) * (most - 1)) : pairs;
  const auto all = min(pairs, in_windows(set, least) + ceil_divide(between, sample_of_losses) * lost).value();
  return all ? std::optional(Fetches{most, *all}) : std::nullopt;
}

std::vector<LineFetches> fetches_of_lines(const ir::Kernel& kernel, const ir::Flow& flow, const Footprint& footprint,
                                          const Load& load, const Machine& machine, int64_t machine_instructions,
                                          bool is_aligned, bool is_spread) {
  const LineTimes* once = is_spread && within_reach(footprint, machine) ? machine.lines_once() : nullptr;
  const DataCache* cache = machine.data_cache(l2_cache);
  if (cache == nullptr) return {};
  const auto given = Counter(kernel, flow, footprint, load, machine, false).requests();
  if (!given) return {};
  const auto counted = is_aligned ? Counter(kernel, flow, footprint, load, machine, true).requests() : given;
  if (!counted) return {};
  const auto lines_within = [cache](const support::Rational& part) {
    return ceil_divide(Integer(cache->bytes) * part.numerator, part.denominator * line_bytes).value();
  };
  const auto persistent = lines_within(cache->persistent), mostly_persistent = lines_within(cache->mostly_persistent);
  const auto code = (Integer(machine_instructions) * machine_instruction_bytes).value();
  if (!persistent || !mostly_persistent || !code) return {};
  const int64_t others = lines_in(*code) + constant_banks * lines_in(bank_bytes);
  std::vector<Requests> sets, tables;
  for (size_t o = 0; o < counted->sets.size(); ++o) {
    const int64_t all = counted->sets[o];
    const bool is_object = o < footprint.objects.size();
    const bool is_of_local = o == footprint.objects.size();
    const auto& known = is_object ? footprint.objects[o] : is_of_local ? footprint.local : std::nullopt;
    const auto walks = (Integer(all) * levels).value();
    if (!walks) return {};
    const auto object = static_cast<ir::ObjectId>(o);
    std::optional<int64_t> of_tables;  // different lines of page tables
    if (known && is_object) of_tables = lines_of_tables(known->lines, extent_of(flow, object));
    if (known && is_of_local) of_tables = lines_of_local_tables(footprint, known->lines);
    tables.push_back({of_tables, *walks});
    sets.push_back({known ? std::optional(known->lines) : std::nullopt, all,
                    is_object ? partitions_of(object, *counted, kernel, flow, load, machine.multiprocessors)
                              : std::vector<std::vector<Requests>>()});
  }
  std::vector<Requests> all = sets;
  all.insert(all.end(), tables.begin(), tables.end());
  // Each window may have all of the others.
  const auto most = *persistent > others ? most_fetches(all, *persistent - others) : std::nullopt;
  if (!most) return {};
  std::vector<LineFetches> found;
  // Compared with what is asked for as assumed, too: an object that is not better off so may be so by its accesses. Who
  // assumes more loses nothing by it, as what was found without is found again.
  const auto add = [&](int64_t least) {
    for (const Counted* compared : {&*counted, &*given}) {
      LineFetches fetches =
          FewerFetches{kernel, flow, footprint, *given, *counted, *compared, sets, once, least, *most, cache->lost}
              .find();
      if (!fetches.empty() && std::find(found.begin(), found.end(), fetches) == found.end())
        found.push_back(std::move(fetches));
    }
  };
  add(*most);
  if (!states_losses(machine)) return found;
  if (const auto least = most_fetches(all, *mostly_persistent - others)) add(*least);
  return found;
}

bool states_losses(const Machine& machine) {
  const DataCache* cache = machine.data_cache(l2_cache);
  return cache != nullptr && cache->mostly_persistent != cache->persistent;
}

}  // namespace warpspan::timing
