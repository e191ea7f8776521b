// SPDX-License-Identifier: GPL-3.0-or-later
// Model. A machine instruction is executed when its line is in the nearest cache of its warp. If it is not, the line is
// asked for; in each cache that lacks it the request takes at most that cache's round trip R, in which it occupies
// resources for at most their cycles h <= R, and longer only by cycles in which all servers of one of these resources
// are occupied by other requests. Lines that are under way are not asked for twice. A resource that fewer warps
// share than the cache is one that the request has already on its way to the cache and continues to have: it does not
// wait for it.
//
// Theorem. Let f be the bound of solver/makespan/grid_bound.cpp with warm instruction caches. Then the makespan is at
// most f and
//   - for each analysed warp, R more on its path for each miss that it waits for,
//   - for each other warp, h more demand for each miss that it causes,
//   - once, R for each line that is fetched only once into the caches of the analysed warps, and h for each line that
//     is fetched only once into other caches of those that share the resource,
//   - if lines and data share a resource, what the analysed warps' own requests for data add by keeping lines waiting:
//     at most the longest occupancy of one instruction for each line that they wait for, and at most all they occupy.
//
// Proof. Give the analysed warp's program a step for each line that it waits for. The step depends on the step before
// it and takes R. A memory instruction of the warp waits until all units are done with the requests before it
// (one_warp.cpp), so at any time on the critical path at most one instruction's occupancies of a resource are left; the
// line's step depends on their end, which comes at most the longest of them later: they may also delay a line for which
// this one waits. Each step on the path is a maximum of sums, so the path is longer by no more than these delays. A
// cycle in which the warp is blocked, at a line or at anything else, is a cycle in which a resource is occupied by a
// request of another warp for data, which f counts, or by a request for another line. Such a request is under way by
// itself for R cycles at most, and it is either one that the analysed warp will wait for, or is waiting for: then a
// cycle counts as blocked or as waiting, never twice, and R pays for both; or it is not, and its occupancies pay. There
// are no timing anomalies, by the induction there. At a barrier the analysed warp changes to the one that arrived last,
// which needs its line anew: code_layout ends the segment there. QED.
//
// Misses of a cache of C lines, where the code has L lines, i copies of the cache serve the q analysed warps, a warp
// executes n machine instructions, in segments that have t lines in all, and u if loops that persist in the cache count
// once for each time they are entered (code_layout.cpp):
//   - L <= C. Contiguous code that fits is never replaced, so each copy misses each line once at most. A warp comes to
//     u lines at most, and the path of an analysed one, which may change copies, misses v = min(t, i u) at most. Thus
//     the analysed warps wait for at most m = min(i L, q v) misses in all, and all W warps that share a resource with
//     them, through c copies of the cache, cause min(c L, q v + (W - q) u).
//   - L > C. Between two instructions of a warp others may replace the line it runs, so each instruction may miss: n
//     for each warp. A warp alone on the device has the line used last still there, and so do all if other warps are
//     assumed to leave these lines alone: u for a warp, v for an analysed one. It is assumed so of lanes that are
//     apart, too, so that segments are of those that go on together (CodePath::undisturbed).
//   - A cache behind one that the code fits is asked only for what that one misses.
// Where code is assumed to come as fast as was measured, a line that follows the one before it in the code, and that
// the L2 cache has, is there as soon after it as lines of straight code were apart (CodeCache::occupancies); any other
// takes R. Of the lines of code that fits, which are each missed once, no more are others than the code has segments.
//
// A line of code is an access where waits for translations or refreshes come once (waits_once.cpp): R is without these,
// and so is h, of all caches together no more than R, since a request occupies nothing of its multiprocessor but in the
// time that it is under way, and the multiprocessors on which
// analysed warps are wait for each page of the code once. A cycle in which a warp is kept back by another line that
// waits for a translation is one in which a translation is under way to its multiprocessor.
#include "timing/costs/fetch.hpp"

#include <algorithm>

#include "support/floor_divide.hpp"

namespace warpspan::timing {

namespace {

using support::ceil_divide;
using support::Integer;
using Sharing = ResourceFigures::Sharing;

struct Misses {
  Integer once;    // in all, of the analysed warps
  Integer each;    // of an analysed warp
  Integer others;  // of another warp, where `each` counts
  // Of the former those whose line does not follow the one before.
  Integer once_jumps, each_jumps;
};

// What a warp misses of a cache in which its lines persist.
struct PersistentMisses {
  Integer analysed;  // on the path of an analysed warp
  Integer other;     // of any warp
};

// What all levels add up to.
struct Sums {
  Integer each, once;           // as FetchCost's
  std::vector<Integer> demand;  // by Machine::resources
};

// One miss of a cache.
struct CodeMiss {
  int64_t cycles = 0;                  // CodeCache::miss, and what waiting for lines adds to it
  int64_t of_next = 0;                 // the same of a line that follows the one before, and that the L2 has
  std::vector<Occupancy> occupancies;  // in ticks
  std::vector<Occupancy> of_memory;    // what a line that memory serves occupies besides
};

// Whether the code is so long that what is fetched of it comes from many places. Code that may be shorter comes from
// fewer, so that it takes longer for each line, and so does what many multiprocessors fetch at the same time: all of
// them run the same.
bool spreads(const CodeLayout& layout, const FetchFigures& figures, int64_t multiprocessors) {
  if (multiprocessors > multiprocessors_at_one_line) return false;
  const auto bytes = floor_divide(layout.instructions * figures.line, figures.instructions).value();
  return layout.is_exact && (!bytes || *bytes >= bytes_that_spread);
}

// Where each multiprocessor has its share of what serves lines: the warp's own line takes as much of it, and requests
// that are served before it may have been under way for longer than a line takes that follows another one. own: cycles
// for which it occupies that share.
void share(CodeMiss& miss, int64_t own, const FairShares& shares, const Costs& costs) {
  miss.cycles += shares.before + own;
  miss.of_next = miss.cycles;
  for (std::vector<Occupancy>* occupancies : {&miss.occupancies, &miss.of_memory}) {
    for (Occupancy& occupancy : *occupancies) {
      const int64_t times = shares.times[occupancy.resource] * costs.ticks[shares.port];
      if (times == 0) continue;
      occupancy.cycles = occupancy.first = ceil_divide(occupancy.cycles * times, costs.ticks[occupancy.resource]);
      occupancy.resource = shares.port;
    }
  }
}

// Which waits of a miss are counted elsewhere (waits_once.hpp).
struct CountedOnce {
  bool pages = false, refreshes = false;
};

// By FetchFigures::caches, where so many multiprocessors fetch. shared: warps share lines of code that are fetched
// (CodeCache::shared).
std::vector<CodeMiss> code_misses(const CodeLayout& layout, const Costs& costs, const Machine& machine,
                                  int64_t multiprocessors, bool shared, CountedOnce once) {
  std::vector<CodeMiss> misses;
  int64_t round_trip = 0;                                   // cycles of a request, up to this cache
  std::vector<int64_t> occupied(machine.resources.size());  // in these
  for (const CodeCache& cache : machine.fetch->caches) {
    const bool shares = shared && cache.shared > 0;
    const int64_t less = (once.pages ? cache.translation : 0) + (once.refreshes ? cache.refresh : 0);
    const int64_t whole = std::max<int64_t>(0, cache.miss - less);
    round_trip += whole;
    CodeMiss miss{whole, whole, cache.occupancies, {}};
    // What it occupies less where its line comes as fast as was measured.
    const auto reduce = [&miss](Occupancy& occupancy, int64_t cycles) {
      Occupancy rest = occupancy;
      rest.cycles = rest.first = occupancy.cycles - cycles;
      if (rest.cycles > 0) miss.of_memory.push_back(rest);
      occupancy.cycles = occupancy.first = cycles;
    };
    int64_t own = 0;  // cycles for which its lines occupy shares; 0: there are none
    for (Occupancy& occupancy : miss.occupancies) {
      const ResourceFigures& resource = machine.resources[occupancy.resource];
      // Nothing when it is over; of the device's also while others wait for their translations.
      if (!resource.lines && resource.sharing != Sharing::device) {
        int64_t& so_far = occupied[occupancy.resource];
        occupancy.cycles = occupancy.first = std::min(occupancy.cycles, round_trip - so_far);
        so_far += occupancy.cycles;
      }
      if (resource.name == fetch_resource && shares) {
        miss.of_next = std::min(miss.of_next, occupancy.cycles);  // lines come one after another
        reduce(occupancy, std::min(occupancy.cycles, cache.shared));
      }
      if (!resource.lines) continue;
      const int64_t parts = costs.ticks[occupancy.resource];  // of a cycle, where lines may be spread
      const bool spread = parts > 1 && spreads(layout, *machine.fetch, multiprocessors);
      const int64_t line = ticks_of_line(resource, spread ? Guarantee::spread : Guarantee::same_bank, parts);
      occupancy.cycles = occupancy.first = occupancy.cycles * line;
      miss.cycles += (line + parts - 1) / parts;
      miss.of_next += (line + parts - 1) / parts;
      if (costs.shares) {
        const int64_t times = std::max<int64_t>(1, costs.shares->times[occupancy.resource]);
        own += ceil_divide(occupancy.cycles * times, parts);
      }
      if (shares && resource.name != memory_resource) reduce(occupancy, 0);  // measured from end to end
    }
    if (own > 0) share(miss, own, *costs.shares, costs);
    misses.push_back(std::move(miss));
  }
  return misses;
}

std::vector<std::string> assumptions_of(int64_t bytes, bool is_placed, bool replaces_oldest, bool calls_outside) {
  const std::string whose = calls_outside ? "this kernel and of the functions that it calls" : "this kernel";
  const std::string l2 = calls_outside ? "" : "; the L2 cache keeps code that it has fetched";
  const std::string size = std::to_string(bytes) + " bytes";
  std::vector<std::string> list = {
      is_placed ? "The machine code of the kernel that is run has " + size +
                      ", and each of its sections begins at a multiple of 128 bytes, as the file asks."
                : "The machine code of the kernel is one piece of at most " + size +
                      ", the sum of its instructions' figures, and the code of each block in it is one piece but for "
                      "divisions and roots.",
      "Instruction caches hold only code of " + whose +
          ", replace no line while there is room for it, and fetch none that no warp asks for" + l2 +
          ". Code in the nearest cache is there in time."};
  if (replaces_oldest) {
    list.emplace_back(
        "Instruction caches that the code does not fit replace the line used longest ago, and the code of each loop is "
        "one piece.");
  }
  return list;
}

class Fetch {
 public:
  Fetch(const Costs& costs, const Machine& machine, const FetchLoad& load, const CodeLayout& layout,
        const AssumptionSet& assumed)
      : costs_(costs),
        machine_(machine),
        fetch_(*machine.fetch),
        load_(load),
        layout_(layout),
        assumed_(assumed),
        once_{assumed.has(Assumption::keeps_pages) && machine.translation,
              assumed.has(Assumption::even_refresh) && machine.refresh},
        multiprocessors_(std::min(machine.multiprocessors, ceil_divide(load.warps, load.warps_per_block))),
        misses_(code_misses(layout, costs, machine, multiprocessors_, assumed.has(Assumption::shares_code), once_)) {
    analysed_multiprocessors_ = std::min(multiprocessors_, load.analysed_multiprocessors);
    schedulers_ = std::min(machine.schedulers, load.warps);
    while (asked_ < fetch_.caches.size() && !has_all(asked_)) ++asked_;
    if (asks_memory()) cold_ = misses(asked_ - 1);
  }

  std::optional<FetchCost> cost() const;

 private:
  int64_t lines_in(const CodeCache& cache) const { return cache.bytes / fetch_.line; }
  // Functions without a body may have any size.
  bool fits(const CodeCache& cache) const {
    return !layout_.calls_outside && layout_.lines.value().value_or(INT64_MAX) <= lines_in(cache);
  }
  // No other warp replaces the line that a warp runs.
  bool lines_persist() const { return load_.warps == 1 || assumed_.has(Assumption::keeps_code); }
  bool has_all(size_t level) const { return assumed_.has(Assumption::warm_code) && fits(fetch_.caches[level]); }
  // Those of a cluster that wait for each other are on several multiprocessors.
  bool changes_warp() const {
    return load_.analysed > 1 || analysed_multiprocessors_ > 1 ||
           (layout_.waits_for_warps && load_.warps_per_block > 1);
  }

  bool asks_memory() const { return asked_ == fetch_.caches.size(); }
  Integer analysed_copies(Sharing cache) const;
  Integer copies(Sharing cache, Sharing resource) const;
  PersistentMisses persistent_misses(size_t level) const;
  Misses misses(size_t level) const;
  Integer once_elsewhere(size_t level, const Occupancy& occupancy, Integer analysed) const;
  bool shares_with_data(const CodeCache& cache) const;
  std::optional<FetchLevel> add_misses(size_t level, Sums& sums) const;
  void add_pages(Sums& sums) const;
  void add_waiting_for_data(const FetchLevel& nearest, Sums& sums) const;
  std::optional<FetchCost> result(const Sums& sums, FetchCost cost) const;
  // The cache whose copies decide how often a level is asked for a line, where that is once for each copy.
  std::optional<size_t> deciding(size_t level) const;

  const Costs& costs_;
  const Machine& machine_;
  const FetchFigures& fetch_;
  const FetchLoad& load_;
  const CodeLayout& layout_;
  const AssumptionSet& assumed_;
  const CountedOnce once_;
  const int64_t multiprocessors_;
  const std::vector<CodeMiss> misses_;  // by cache
  int64_t analysed_multiprocessors_ = 1, schedulers_ = 1;
  size_t asked_ = 0;  // caches that are asked for lines: nothing is asked for behind one that has all
  Misses cold_;       // of the last cache: what memory serves
};

// How many copies of a cache the analysed warps fetch through.
Integer Fetch::analysed_copies(Sharing cache) const {
  switch (cache) {
    case Sharing::scheduler: return changes_warp() ? Integer(schedulers_) * analysed_multiprocessors_ : Integer(1);
    case Sharing::multiprocessor: return analysed_multiprocessors_;
    case Sharing::device: return 1;
  }
  return 1;
}

// How many copies of a cache fetch through the copies of a resource that the analysed warps use; of a cache that more
// warps share than the resource, how many copies of the resource wait for it.
Integer Fetch::copies(Sharing cache, Sharing resource) const {
  if (resource == Sharing::scheduler) return analysed_copies(Sharing::scheduler);
  if (cache == Sharing::device) return resource == Sharing::device ? 1 : analysed_multiprocessors_;
  const int64_t multiprocessors = resource == Sharing::device ? multiprocessors_ : analysed_multiprocessors_;
  return cache == Sharing::scheduler ? Integer(multiprocessors) * schedulers_ : Integer(multiprocessors);
}

std::optional<size_t> Fetch::deciding(size_t level) const {
  for (size_t i = level + 1; i-- > 0;) {
    if (fits(fetch_.caches[i])) return i;
  }
  return std::nullopt;
}

PersistentMisses Fetch::persistent_misses(size_t level) const {
  const Integer once = layout_.path.persistent[level];
  return {min(layout_.path.lines, once * analysed_copies(fetch_.caches[level].sharing)), once};
}

Misses Fetch::misses(size_t level) const {
  Misses result;
  if (const auto cache = deciding(level)) {
    const Integer copies = analysed_copies(fetch_.caches[*cache].sharing);
    result.once = min(layout_.lines * copies, persistent_misses(*cache).analysed * load_.analysed);
    result.once_jumps = min(result.once, layout_.segments * copies);
    return result;
  }
  if (!lines_persist()) {
    result.each = result.others = result.each_jumps = layout_.path.instructions;
    return result;
  }
  const CodePath& path = layout_.path;
  const Integer copies = analysed_copies(fetch_.caches[level].sharing);
  const bool keeps = assumed_.has(Assumption::keeps_code);
  result.others = keeps ? path.undisturbed[level] : path.persistent[level];
  result.each = min(path.lines, result.others * copies);
  result.each_jumps = min(result.each, (result.others - path.undisturbed[level] + path.jumps[level]) * copies);
  return result;
}

// Cycles for which lines occupy a resource that the analysed warps do not wait for themselves.
Integer Fetch::once_elsewhere(size_t level, const Occupancy& occupancy, Integer analysed) const {
  const auto cache = deciding(level);
  if (!cache) return 0;
  const ResourceFigures& resource = machine_.resources[occupancy.resource];
  const bool device = resource.sharing == Sharing::device;
  const Integer warps = device ? Integer(load_.warps) : Integer(load_.multiprocessor_warps) * analysed_multiprocessors_;
  const PersistentMisses persistent = persistent_misses(*cache);
  const Integer caused = persistent.analysed * load_.analysed + persistent.other * max(0, warps - load_.analysed);
  const Integer all = min(layout_.lines * copies(fetch_.caches[*cache].sharing, resource.sharing), caused);
  return floor_divide(max(0, all - analysed) * occupancy.cycles, resource.servers * costs_.ticks[occupancy.resource]);
}

bool Fetch::shares_with_data(const CodeCache& cache) const {
  const auto occupied_for_data = [this](const Occupancy& occupancy) {
    const auto occupies = [&occupancy](const OperationFigures& cost) {
      return std::any_of(cost.occupancies.begin(), cost.occupancies.end(),
                         [&occupancy](const Occupancy& other) { return other.resource == occupancy.resource; });
    };
    return std::any_of(costs_.operations.begin(), costs_.operations.end(), occupies);
  };
  return std::any_of(cache.occupancies.begin(), cache.occupancies.end(), occupied_for_data);
}

std::optional<FetchLevel> Fetch::add_misses(size_t level, Sums& sums) const {
  const CodeCache& cache = fetch_.caches[level];
  const Misses found = misses(level);
  const CodeMiss& miss = misses_[level];
  const int64_t sooner = miss.cycles - miss.of_next;
  const auto waits = [&](Integer all, Integer jumps) { return all * miss.cycles - max(0, all - jumps) * sooner; };
  sums.once += waits(found.once, found.once_jumps + cold_.once);
  sums.each += waits(found.each, found.each_jumps + cold_.each);
  // Of lines that each warp misses, those that memory serves once.
  const Integer sooner_all = max(0, found.each - found.each_jumps - cold_.each) * load_.analysed;
  sums.once += min(cold_.once, sooner_all) * sooner;
  for (const Occupancy& occupancy : miss.occupancies) {
    sums.once += once_elsewhere(level, occupancy, found.once);
    sums.demand[occupancy.resource] += found.others * occupancy.cycles;
  }
  for (const Occupancy& occupancy : miss.of_memory) {
    if (!asks_memory()) break;
    sums.once += once_elsewhere(fetch_.caches.size() - 1, occupancy, cold_.once);
    sums.demand[occupancy.resource] += cold_.others * occupancy.cycles;
  }
  if (once_.pages && cache.translation > 0) add_pages(sums);
  const auto once = found.once.value();
  const auto each = found.each.value();
  if (!once || !each) return std::nullopt;
  return FetchLevel{cache.name, fits(cache), *once, *each};
}

// Waits for the pages of the code, on each multiprocessor.
void Fetch::add_pages(Sums& sums) const {
  const Integer bytes = ceil_divide(layout_.instructions * fetch_.line, fetch_.instructions);
  sums.once += pages_of_code(bytes, layout_.sections, machine_.translation->page_bytes) * analysed_multiprocessors_ *
               machine_.translation->cycles;
}

// A warp waits for as many lines as the nearest cache lacks.
void Fetch::add_waiting_for_data(const FetchLevel& nearest, Sums& sums) const {
  const CodePath& path = layout_.path;
  sums.each += min(Integer(nearest.each) * path.longest_occupancy, path.occupied);
  sums.once += min(Integer(nearest.once) * path.longest_occupancy, path.occupied * load_.analysed);
}

std::optional<FetchCost> Fetch::result(const Sums& sums, FetchCost cost) const {
  const auto bytes = ceil_divide(layout_.instructions * fetch_.line, fetch_.instructions).value();
  const auto lines = layout_.lines.value(), each = sums.each.value(), once = sums.once.value();
  if (!bytes || !lines || !each || !once) return std::nullopt;
  cost.bytes = *bytes;
  cost.lines = *lines;
  cost.each = *each;
  cost.once = *once;
  for (const Integer& cycles : sums.demand) {
    if (!cycles.value()) return std::nullopt;
    cost.demand.push_back(*cycles.value());
  }
  return cost;
}

std::optional<FetchCost> Fetch::cost() const {
  FetchCost cost;
  Sums sums;
  sums.demand.resize(machine_.resources.size());
  bool shares_data = false;
  bool replaces = false;
  for (size_t level = 0; level < asked_; ++level) {
    const auto added = add_misses(level, sums);
    if (!added) return std::nullopt;
    shares_data = shares_data || shares_with_data(fetch_.caches[level]);
    replaces = replaces || added->each > 0;
    cost.levels.push_back(*added);
  }
  if (shares_data) add_waiting_for_data(cost.levels.front(), sums);
  auto whole = result(sums, std::move(cost));
  if (whole)
    whole->assumptions =
        assumptions_of(whole->bytes, layout_.is_placed, replaces && lines_persist(), layout_.calls_outside);
  return whole;
}

bool same(const FetchCost& a, const FetchCost& b) {
  return a.each == b.each && a.once == b.once && a.demand == b.demand;
}

}  // namespace

std::optional<CodeLayout> fetched_layout(const CostedKernel& costed) {
  const FetchFigures& fetch = *costed.machine.fetch;
  std::vector<int64_t> keep;
  for (const CodeCache& cache : fetch.caches) keep.push_back(cache.bytes / fetch.line);
  return code_layout(costed.kernel, costed.flow, costed.costs, fetch.instructions, keep);
}

std::optional<FetchCost> fetch_cost(const CodeLayout& layout, const Costs& costs, const Machine& machine,
                                    const FetchLoad& load, const AssumptionSet& assumed) {
  const auto under = [&](const AssumptionSet& set) { return Fetch(costs, machine, load, layout, set).cost(); };
  auto cost = under(assumed);
  if (!cost) return std::nullopt;
  for (const Assumption one :
       {Assumption::warm_code, Assumption::keeps_code, Assumption::keeps_pages, Assumption::even_refresh}) {
    if (!assumed.has(one)) continue;
    const auto without = under(assumed.without(one));
    if (without && same(*without, *cost)) continue;
    cost->relied.add(one);
    cost->assumptions.emplace_back(sentence(one));
  }
  return cost;
}

}  // namespace warpspan::timing
