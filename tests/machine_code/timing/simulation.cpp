// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/timing/simulation.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "tests/reference/generators/random.hpp"

namespace warpspan::machine_code {

namespace {

using reference::Random;
using timing::Assumption;
using timing::Guarantee;

constexpr int64_t never = std::numeric_limits<int64_t>::max();
constexpr size_t scoreboards = 6;
constexpr uint64_t page_of_data = 0;   // all of them
constexpr uint64_t pages_of_code = 3;  // this one and the next

// A copy by threads that is on its way.
struct Copy {
  size_t number = 0;                              // of those of its warp
  int64_t arrives = 0;                            // what it reads
  std::vector<std::pair<size_t, int64_t>> units;  // that it holds to write it: resources, and parts of cycles
};

// A group of copies that is not over: the one that closes it waits for all copies of the warp before.
struct Group {
  uint8_t scoreboard = 0;
  size_t end = 0;   // the number of the first copy behind it
  size_t left = 0;  // that have not been written
  int64_t over = 0;
};

struct Warp {
  enum class Stage : uint8_t { fetching, reading, issuing, waiting, over };
  const WarpTrace* trace = nullptr;
  size_t number = 0, scheduler = 0;
  size_t next = 0, wait = 0;  // of the trace
  Stage stage = Stage::fetching;
  int64_t may_issue = 0;                                 // by gaps
  int64_t until = 0;                                     // what is under way for the next instruction
  size_t constant = 0;                                   // of the next instruction: those before it are there
  std::array<std::vector<int64_t>, scoreboards> boards;  // when those that it counts are over
  std::set<uint64_t> read;                               // constants of the basic block
  std::vector<Copy> copies;                              // on their way
  size_t copies_begun = 0;
  int64_t copies_over = 0;  // those that have been written
  std::vector<Group> groups;
};

class Simulation {
 public:
  Simulation(const TimedCode& code, const std::vector<WarpTrace>& block, const timing::Machine& machine,
             const Permitted& permitted, const Adversary& adversary)
      : code_(code), machine_(machine), permitted_(permitted), adversary_(adversary), random_(adversary.seed) {
    schedulers_ = static_cast<size_t>(std::max<int64_t>(1, machine.schedulers));
    for (size_t i = 0; i < block.size(); ++i) {
      Warp warp;
      warp.trace = &block[i];
      warp.number = i;
      warp.scheduler = i % schedulers_;
      warps_.push_back(std::move(warp));
      for (const WarpTrace::Wait& wait : block[i].waits) ++expected_[wait.opening];
    }
    for (const timing::ResourceFigures& resource : machine.resources) {
      const bool own = resource.sharing == timing::ResourceFigures::Sharing::scheduler;
      servers_.emplace_back(own ? schedulers_ : 1, std::vector<int64_t>(static_cast<size_t>(resource.servers), 0));
    }
    fetch_ = machine.resource(timing::fetch_resource);
    memory_ = machine.resource(timing::memory_resource);
    network_ = machine.resource(timing::network_resource);
    lines_.resize(schedulers_);
    for (Warp& warp : warps_) begin_next(warp);
  }

  int64_t run() {
    for (;;) {
      while (go_on()) {
      }
      std::vector<Warp*> able;
      int64_t next = never;
      for (Warp& warp : warps_) {
        for (const Copy& copy : warp.copies) next = std::min(next, copy.arrives);
        const int64_t time = when(warp);
        if (warp.stage == Warp::Stage::issuing && time <= now_)
          able.push_back(&warp);
        else
          next = std::min(next, time);
      }
      if (!able.empty()) {
        issue(*pick(able));
      } else if (next == never) {
        return end_;
      } else {
        now_ = next;
      }
    }
  }

 private:
  const Step& step(const Warp& warp) const { return warp.trace->steps[warp.next]; }
  const TimedInstruction& instruction(const Warp& warp) const { return code_.instructions[step(warp).instruction]; }

  // A latency between the two.
  int64_t choose(int64_t least, int64_t most) {
    if (least >= most) return most;
    switch (adversary_.latencies) {
      case Adversary::Latencies::longest: return most;
      case Adversary::Latencies::any: return random_.between(least, most);
      case Adversary::Latencies::extremes: return random_.chance(70) ? most : least;
      case Adversary::Latencies::shortest: return least;
    }
    return most;
  }

  int64_t scoreboards_free(const Warp& warp) const {
    const TimedInstruction& own = instruction(warp);
    int64_t time = 0;
    for (size_t i = 0; i < scoreboards; ++i) {
      if ((own.waits >> i & 1) == 0) continue;
      for (const int64_t over : warp.boards[i]) time = std::max(time, over);
    }
    if (own.awaited && warp.boards[*own.awaited].size() > own.outstanding) {
      std::vector<int64_t> times = warp.boards[*own.awaited];
      std::sort(times.begin(), times.end(), std::greater<>());
      time = std::max(time, times[own.outstanding]);
    }
    return time;
  }

  bool is_warm(const TimedInstruction& own) const { return permitted_.parameters && own.of_launch; }

  // What it does not ask for because caches have it, or because rates of memory are measured from end to end.
  bool leaves_out(const TimedOccupancy& hold, const TimedInstruction& own, const Step& step) const {
    if (step.in_shared && hold.of_lines) return true;
    if (own.loads_constant && permitted_.constants == Permitted::Constants::kept) return !hold.from_issue;
    if (!hold.of_lines || hold.from_end_to_end) return false;
    const bool cached = permitted_.caches_data || is_warm(own);
    if (cached && hold.resource == memory_) return true;
    const bool asks_memory = !cached && std::any_of(own.occupancies.begin(), own.occupancies.end(),
                                                    [&](const auto& h) { return h.resource == memory_; });
    return hold.resource == network_ && asks_memory && permitted_.lines != Guarantee::same_bank;
  }

  std::vector<int64_t>& servers(size_t resource, const Warp& warp) {
    auto& all = servers_[resource];
    return all.size() == 1 ? all.front() : all[warp.scheduler];
  }
  int64_t& free_place(size_t resource, const Warp& warp) {
    auto& places = servers(resource, warp);
    return *std::min_element(places.begin(), places.end());
  }

  int64_t resources_free(const TimedInstruction& own, const Warp& warp) {
    int64_t time = 0;
    for (const TimedOccupancy& hold : own.occupancies) {
      if (leaves_out(hold, own, step(warp)) || (hold.of_lines && adversary_.queues)) continue;
      const int64_t parts = free_place(hold.resource, warp);
      time = std::max(time, (parts + parts_of_cycle - 1) / parts_of_cycle);
    }
    return time;
  }

  // One that has arrived, if there is one: it is over when its units are free again.
  bool write_copy(Warp& warp) {
    const auto copy =
        std::find_if(warp.copies.begin(), warp.copies.end(), [this](const Copy& each) { return each.arrives <= now_; });
    if (copy == warp.copies.end()) return false;
    int64_t parts_over = now_ * parts_of_cycle;
    for (const auto& [resource, parts] : copy->units) {
      int64_t& place = free_place(resource, warp);
      place = std::max(place, now_ * parts_of_cycle) + parts;
      parts_over = std::max(parts_over, place);
    }
    const int64_t over = parts_over / parts_of_cycle;
    warp.copies_over = std::max(warp.copies_over, over);
    end_ = std::max(end_, over);
    for (Group& group : warp.groups) {
      if (copy->number >= group.end) continue;
      group.over = std::max(group.over, over);
      --group.left;
    }
    warp.copies.erase(copy);
    end_groups(warp);
    return true;
  }

  // Of those before it, each has ended before.
  void end_groups(Warp& warp) {
    while (!warp.groups.empty() && warp.groups.front().left == 0) {
      const Group& group = warp.groups.front();
      auto& board = warp.boards[group.scoreboard];
      *std::find(board.begin(), board.end(), never) = group.over;
      end_ = std::max(end_, group.over);
      warp.groups.erase(warp.groups.begin());
    }
  }

  // Cycles that its request waits behind others after its issue, at one server after another. later: what a copy holds
  // of units when it is written, instead of from its issue on.
  int64_t hold(const TimedInstruction& own, const Warp& warp, const Step& step,
               std::vector<std::pair<size_t, int64_t>>* later = nullptr) {
    const auto guarantee = static_cast<size_t>(permitted_.lines);
    const int64_t issued = now_ * parts_of_cycle;
    const int64_t put_off = later == nullptr ? 0 : random_.pick<int64_t>({0, 50, 100, 100});  // percent
    int64_t begins = issued;
    for (const TimedOccupancy& held : own.occupancies) {
      if (leaves_out(held, own, step)) continue;
      const int64_t parts = held.first[guarantee] + held.further[guarantee] * std::max<int64_t>(0, step.pieces - 1);
      int64_t chosen =
          adversary_.latencies == Adversary::Latencies::any && random_.chance(20) ? random_.between(0, parts) : parts;
      if (put_off > 0 && !held.of_lines && !held.from_issue) {
        later->emplace_back(held.resource, chosen * put_off / 100);
        chosen -= later->back().second;
      }
      int64_t& place = free_place(held.resource, warp);
      if (held.of_lines) begins = std::max(begins, place);
      place = (held.of_lines ? begins : issued) + chosen;
    }
    return (begins - issued) / parts_of_cycle;
  }

  // When the warp's stage goes on; never while it waits for others.
  int64_t when(Warp& warp) {
    switch (warp.stage) {
      case Warp::Stage::fetching:
        // What is read for an instruction is read behind its line.
        return adversary_.fetches_late && !needs_read(warp) ? std::max(warp.may_issue, scoreboards_free(warp))
                                                            : warp.may_issue;
      case Warp::Stage::reading: {
        int64_t time = std::max(warp.may_issue, warp.until);
        if (adversary_.reads_constants_late) time = std::max(time, scoreboards_free(warp));
        return needs_read(warp) ? std::max(time, resources_free(next_read(warp), warp)) : time;
      }
      case Warp::Stage::issuing:
        return std::max({warp.may_issue, warp.until, scoreboards_free(warp), resources_free(instruction(warp), warp)});
      case Warp::Stage::waiting:
      case Warp::Stage::over: break;
    }
    return never;
  }

  // One stage of one warp that can go on now.
  bool go_on() {
    const size_t first = random_.below(warps_.size());
    for (size_t i = 0; i < warps_.size(); ++i) {
      Warp& warp = warps_[(first + i) % warps_.size()];
      if (warp.stage == Warp::Stage::fetching && when(warp) <= now_) {
        fetch(warp);
        return true;
      }
      if (warp.stage == Warp::Stage::reading && when(warp) <= now_) {
        read(warp);
        return true;
      }
      if (write_copy(warp)) return true;
    }
    return false;
  }

  // From the caches of code: scheduler, multiprocessor, device, each of which keeps what it has.
  void fetch(Warp& warp) {
    warp.stage = Warp::Stage::reading;
    if (permitted_.code == Permitted::Code::at_hand || !machine_.fetch) return;
    const int64_t line = step(warp).instruction / machine_.fetch->instructions;
    auto& own = lines_[warp.scheduler];
    const auto known = own.find(line);
    if (known == own.end()) own[line] = ask(0, line);
    warp.until = std::max(warp.until, own[line]);
  }

  // When a line is there that the cache before this one lacks. What memory serves takes its whole time.
  int64_t ask(size_t level, int64_t line) {
    int64_t time = now_;
    const bool is_cold =
        std::none_of(kept_.begin(), kept_.end(), [line](const auto& cache) { return cache.second.contains(line); });
    for (; level < machine_.fetch->caches.size(); ++level) {
      const timing::CodeCache& cache = machine_.fetch->caches[level];
      const bool shares = permitted_.code == Permitted::Code::shared && cache.shared > 0;
      int64_t miss = cache.miss, held = 0;
      for (const timing::Occupancy& each : cache.occupancies) {
        if (each.resource == fetch_) held = each.cycles;
      }
      if (permitted_.pages_once) miss -= cache.translation;
      if (permitted_.refreshes_together) miss -= cache.refresh;
      held = std::min(held, miss);
      if (shares && !is_cold) miss = std::min(miss, held), held = std::min(held, cache.shared);
      int64_t* const free = held > 0 ? &servers_[*fetch_].front().front() : nullptr;
      if (free != nullptr) time = std::max(time, (*free + parts_of_cycle - 1) / parts_of_cycle);
      if (permitted_.pages_once && cache.translation > 0)
        time = std::max(time,
                        translated_.emplace(pages_of_code + static_cast<uint64_t>(line % 2), time + cache.translation)
                            .first->second);
      const auto after = [&](int64_t cycles) {
        return permitted_.refreshes_together && cache.refresh > 0 ? with_refreshes(time, cycles) : time + cycles;
      };
      if (free != nullptr) *free = after(held) * parts_of_cycle;
      time = after(choose(1, miss));
      const bool last = level + 1 == machine_.fetch->caches.size();
      if (last) break;
      auto& kept = kept_[level + 1];
      const auto known = kept.find(line);
      if (known != kept.end()) {
        time = std::max(time, known->second);
        break;
      }
      kept[line] = never;  // filled in below
      open_.push_back(&kept[line]);
    }
    for (int64_t* open : open_) *open = time;
    open_.clear();
    return time;
  }

  bool needs_read(const Warp& warp) const {
    if (!step(warp).is_executed || instruction(warp).loads_constant) return false;
    return next_missing(warp) < instruction(warp).constants.size();
  }

  size_t next_missing(const Warp& warp) const {
    const auto& all = instruction(warp).constants;
    size_t i = warp.constant;
    while (i < all.size() && is_there(warp, all[i])) ++i;
    return i;
  }

  // Of the operand that is missing.
  const TimedInstruction& next_read(const Warp& warp) const {
    const bool is_warm = permitted_.parameters && instruction(warp).constants[next_missing(warp)] >> 32 == 0;
    return is_warm ? code_.launch_read : code_.constant_read;
  }

  bool is_there(const Warp& warp, uint64_t constant) const {
    return permitted_.constants == Permitted::Constants::kept ? constants_.contains(line_of(constant))
                                                              : warp.read.contains(of_block(constant));
  }

  static uint64_t line_of(uint64_t constant) { return constant / 64; }
  // A bank of constants lies on two.
  static uint64_t page_of(uint64_t constant) { return page_of_data + 1 + line_of(constant) % 2; }
  // What a basic block that reads it has read.
  uint64_t of_block(uint64_t constant) const {
    return permitted_.constants == Permitted::Constants::missed_lines ? line_of(constant) : constant;
  }

  // An operand that misses is a load that the instruction waits for; one that somebody waits for is waited for as well.
  void read(Warp& warp) {
    const TimedInstruction& own = instruction(warp);
    const size_t missing = needs_read(warp) ? next_missing(warp) : own.constants.size();
    if (missing == own.constants.size()) {
      if (permitted_.constants == Permitted::Constants::kept && !own.loads_constant && step(warp).is_executed) {
        for (const uint64_t constant : own.constants)
          warp.until = std::max(warp.until, constants_.at(line_of(constant)));
      }
      warp.stage = Warp::Stage::issuing;
      return;
    }
    const uint64_t constant = own.constants[missing];
    const TimedInstruction& read = next_read(warp);
    const int64_t waits = hold(read, warp, {.pieces = 1});
    const int64_t there = waits + over_after(read, choose(read.least, most_of(read, false)), page_of(constant));
    warp.until = there;
    warp.constant = missing + 1;
    warp.read.insert(of_block(constant));
    constants_.emplace(line_of(constant), there);
  }

  Warp* pick(const std::vector<Warp*>& able) {
    const auto by = [&](const auto& less) { return *std::min_element(able.begin(), able.end(), less); };
    switch (adversary_.policy) {
      case Adversary::Policy::any: return able[random_.below(able.size())];
      case Adversary::Policy::oldest: return able.front();
      case Adversary::Policy::youngest: return able.back();
      case Adversary::Policy::least_advanced: return by([](const Warp* a, const Warp* b) { return a->next < b->next; });
      case Adversary::Policy::most_advanced: return by([](const Warp* a, const Warp* b) { return a->next > b->next; });
    }
    return able.front();
  }

  // Cycles more of so many transactions: they pass one server after another, so the last is through after a step of the
  // slowest for each.
  int64_t longer_by(const TimedInstruction& own, const Step& step) const {
    int64_t each = own.per_transaction * parts_of_cycle;
    for (const TimedOccupancy& held : own.occupancies) {
      if (held.of_lines && !leaves_out(held, own, step))
        each = std::max(each, held.further[static_cast<size_t>(permitted_.lines)]);
    }
    return each * std::max<int64_t>(0, step.pieces - 1) / parts_of_cycle;
  }

  // The most that an access takes, without waits that come at times of their own.
  int64_t most_of(const TimedInstruction& own, bool is_hit) const {
    if (is_warm(own)) return own.warm;
    int64_t most = is_hit ? own.hit : own.most;
    if (permitted_.pages_once) most -= is_hit ? own.hit_translation : own.translation;
    if (permitted_.refreshes_together) most -= is_hit ? own.hit_refresh : own.refresh;
    return std::max(own.least, most);
  }

  // When an access is over that takes so many cycles from now on, without those waits.
  int64_t over_after(const TimedInstruction& own, int64_t cycles, uint64_t page = page_of_data) {
    int64_t begin = now_;
    if (is_warm(own)) return begin + cycles;
    if (permitted_.pages_once && own.translation > 0) {
      const auto [there, fresh] = translated_.emplace(page, now_ + own.translation);
      begin = std::max(begin, there->second);
    }
    return permitted_.refreshes_together && own.refresh > 0 ? with_refreshes(begin, cycles) : begin + cycles;
  }

  // When it is over, if it begins then and goes on while the memory does not refresh itself.
  int64_t with_refreshes(int64_t begin, int64_t cycles) const {
    const int64_t refresh = machine_.refresh->cycles, interval = machine_.refresh->interval;
    const auto phase = static_cast<int64_t>(adversary_.seed % static_cast<uint64_t>(interval));
    int64_t over = begin;
    while (cycles > 0) {
      const int64_t at = (over + phase) % interval;
      if (at < refresh) {
        over += refresh - at;
        continue;
      }
      const int64_t step = std::min(cycles, interval - at);
      over += step;
      cycles -= step;
    }
    return over;
  }

  int64_t latency(const Warp& warp, const TimedInstruction& own) {
    if (!step(warp).is_executed) return 1;
    const int64_t more = longer_by(own, step(warp));
    if (own.loads_constant) {
      const auto missed = [&](uint64_t page) { return over_after(own, choose(own.least, most_of(own, false)), page); };
      if (permitted_.constants != Permitted::Constants::kept)
        return missed(own.constants.empty() ? page_of(0) : page_of(own.constants.front())) - now_;
      int64_t there = 0;
      for (const uint64_t constant : own.constants) {
        const auto [line, fresh] = constants_.emplace(line_of(constant), 0);
        if (fresh) line->second = missed(page_of(constant));
        there = std::max(there, line->second);
      }
      return std::max(there - now_, choose(own.least, own.hit));
    }
    return over_after(own, choose(own.least, most_of(own, permitted_.caches_data) + more)) - now_;
  }

  // Up to twice as long as it asks for, which is a millisecond at most.
  int64_t asleep(const TimedInstruction& own, const Step& done) {
    if (!own.sleeps || !done.is_executed) return 0;
    const int64_t longest = 2 * std::min<int64_t>(done.nanoseconds, 1'000'000);
    return choose(0, longest * machine_.clock_khz / 1'000'000);
  }

  void issue(Warp& warp) {
    const TimedInstruction& own = instruction(warp);
    const Step& done = step(warp);
    for (auto& board : warp.boards) {
      std::erase_if(board, [this](int64_t over) { return over <= now_; });
    }
    Copy copy;
    const bool copies = own.copies && done.is_executed;
    const int64_t waits = done.is_executed ? hold(own, warp, done, copies ? &copy.units : nullptr) : 0;
    const int64_t there = now_ + waits + latency(warp, own);
    if (copies) {
      copy.number = warp.copies_begun++;
      copy.arrives = there;
      warp.copies.push_back(copy);
    }
    if (own.written && own.closes_group) {
      warp.groups.push_back({*own.written, warp.copies_begun, warp.copies.size(), std::max(there, warp.copies_over)});
      warp.boards[*own.written].push_back(never);
      end_groups(warp);
    } else if (own.written) {
      warp.boards[*own.written].push_back(there);
    }
    if (own.read) warp.boards[*own.read].push_back(std::min(there, now_ + choose(1, own.until_read)));
    warp.may_issue = now_ + choose(own.stall, own.gap) + asleep(own, done);
    end_ = std::max({end_, now_ + 1, own.written || done.pieces > 0 ? there : 0});
    ++warp.next;
    const bool ends = own.ends_block || warp.next == warp.trace->steps.size() ||
                      warp.trace->steps[warp.next].instruction != done.instruction + 1;
    if (ends) warp.read.clear();
    warp.until = 0;
    warp.constant = 0;
    begin_next(warp);
    if (warp.stage == Warp::Stage::waiting) arrive(warp);
  }

  void begin_next(Warp& warp) const {
    const auto& waits = warp.trace->waits;
    if (warp.wait < waits.size() && waits[warp.wait].steps == warp.next)
      warp.stage = Warp::Stage::waiting;
    else
      warp.stage = warp.next == warp.trace->steps.size() ? Warp::Stage::over : Warp::Stage::fetching;
  }

  // All that wait for the opening go on as late as the last one does.
  void arrive(Warp& warp) {
    const uint32_t opening = warp.trace->waits[warp.wait].opening;
    if (--expected_[opening] > 0) return;
    for (Warp& other : warps_) {
      if (other.stage != Warp::Stage::waiting || other.trace->waits[other.wait].opening != opening) continue;
      ++other.wait;
      other.may_issue = std::max(other.may_issue, warp.may_issue);
      begin_next(other);
      if (other.stage == Warp::Stage::waiting) arrive(other);
    }
  }

  const TimedCode& code_;
  const timing::Machine& machine_;
  const Permitted permitted_;
  const Adversary adversary_;
  Random random_;
  size_t schedulers_ = 1;
  std::vector<Warp> warps_;
  std::map<uint32_t, size_t> expected_;  // by opening: warps that have not come
  // By resource and, if schedulers have their own, scheduler: when each server is free, in parts of a cycle.
  std::vector<std::vector<std::vector<int64_t>>> servers_;
  std::optional<size_t> fetch_, memory_, network_;
  std::vector<std::map<int64_t, int64_t>> lines_;      // by scheduler: when a line of code is there
  std::map<size_t, std::map<int64_t, int64_t>> kept_;  // of the caches behind, by level
  std::vector<int64_t*> open_;
  std::map<uint64_t, int64_t> constants_;   // by line: when it is there
  std::map<uint64_t, int64_t> translated_;  // by page: when it is
  int64_t now_ = 0, end_ = 0;
};

}  // namespace

Permitted permitted(const timing::AssumptionSet& assumed) {
  Permitted result;
  if (assumed.has(Assumption::keeps_constants)) result.constants = Permitted::Constants::kept;
  result.parameters = assumed.has(Assumption::warm_parameters);
  if (assumed.has(Assumption::shares_code)) result.code = Permitted::Code::shared;
  if (assumed.has(Assumption::warm_code)) result.code = Permitted::Code::at_hand;
  if (assumed.has(Assumption::spread)) result.lines = Guarantee::spread;
  if (assumed.has(Assumption::stream)) result.lines = Guarantee::stream;
  result.caches_data = assumed.has(Assumption::keeps);
  result.pages_once = assumed.has(Assumption::keeps_pages);
  result.refreshes_together = assumed.has(Assumption::even_refresh);
  return result;
}

int64_t simulate(const TimedCode& code, const std::vector<WarpTrace>& block, const timing::Machine& machine,
                 const Permitted& permitted, const Adversary& adversary) {
  return Simulation(code, block, machine, permitted, adversary).run();
}

}  // namespace warpspan::machine_code
