// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/timing/costs/memory_simulation.hpp"

#include <algorithm>

namespace warpspan::test {

namespace {

using ir::OperationKind;
using timing::Assumption;
using timing::Guarantee;

constexpr int64_t cycle = timing::fine_ticks;

}  // namespace

MemorySimulation::MemorySimulation(const TestKernel& k, const timing::Machine& machine, const timing::Load& load,
                                   const MemoryRun& run, Random& random)
    : k_(k),
      machine_(machine),
      load_(load),
      run_(run),
      random_(random),
      code_(timing::with_constant_reads(k.kernel, k.flow, run.assumed.has(Assumption::keeps_constants))),
      footprint_(timing::footprint(k.kernel, k.flow, load, machine)) {
  keeps_constants_ = run.assumed.has(Assumption::keeps_constants) && timing::constants_fit_cache(k.kernel, machine);
  keeps_data_ = run.assumed.has(Assumption::keeps) && timing::data_fits_cache(footprint_, machine);
  const bool waits_once = k.kernel.is_machine_code();
  warm_parameters_ = waits_once && run.assumed.has(Assumption::warm_parameters);
  keeps_pages_ = waits_once && run.assumed.has(Assumption::keeps_pages) && timing::keeps_pages(footprint_, machine);
  shares_fairly_ = waits_once && run.assumed.has(Assumption::fair_share);
  refreshes_together_ = waits_once && run.assumed.has(Assumption::even_refresh) && machine.refresh;
  if (refreshes_together_) phase_ = below(random, machine.refresh->interval * cycle);
  const auto is_constant = [](const ir::Kernel& kernel, const ir::Instruction& i) {
    return kernel.operation(i).kind == OperationKind::load_param;
  };
  constant_lines_ = k.kernel.constant_places ? 0 : timing::reads_at_start;
  for (const ir::Instruction& i : k.kernel.instructions) constant_lines_ += is_constant(k.kernel, i) ? 1 : 0;
  const bool reads_constants = std::any_of(code_.kernel.instructions.begin(), code_.kernel.instructions.end(),
                                           [&](const ir::Instruction& i) { return is_constant(code_.kernel, i); });
  translates_first_ = !reads_constants && below(random, 4) > 0;
  warps_.resize(static_cast<size_t>(load.device_warps));
  for (size_t w = 0; w < warps_.size(); ++w) {
    Warp& warp = warps_[w];
    warp.block = static_cast<int64_t>(w) / load.warps_per_block;
    warp.scheduler = static_cast<int64_t>(w) % load.warps_per_block % machine.schedulers;
    warp.trace = random_trace();
    warp.ready.assign(code_.kernel.registers, 0);
    warp.awaited.assign(code_.kernel.registers, 0);
  }
  servers_.resize(static_cast<size_t>(machine.multiprocessors) + 2);
  issue_free_.assign(static_cast<size_t>(machine.multiprocessors * machine.schedulers), 0);
  unit_free_.assign(static_cast<size_t>(machine.multiprocessors), 0);
}

// Blocks 0 and 4 begin and end; 1, 2 and 3 are a loop, of which 2 may be left out unless all warps have to meet there.
std::vector<ir::InstructionId> MemorySimulation::random_trace() {
  std::vector<ir::InstructionId> trace;
  const auto add = [&](ir::BlockId b) {
    const ir::Block& block = code_.kernel.blocks[b];
    for (uint32_t i = 0; i < block.count; ++i) trace.push_back(block.first + i);
  };
  add(0);
  const int64_t times = *code_.flow.loops[0].trip_count;
  const ir::Block& optional = code_.kernel.blocks[2];
  bool meets = false;
  for (uint32_t i = 0; i < optional.count; ++i) {
    const ir::Instruction& instruction = code_.kernel.instructions[optional.first + i];
    meets = meets || code_.kernel.operation(instruction).kind == OperationKind::barrier;
  }
  const bool sometimes = !meets && below(random_, 2) == 0;
  for (int64_t t = 0; t < times; ++t) {
    add(1);
    if (!sometimes || below(random_, times) == 0) add(2);
    add(3);
  }
  add(4);
  return trace;
}

void MemorySimulation::start_blocks() {
  const int64_t sites = machine_.multiprocessors;
  const auto room = [this](int64_t site) {
    int64_t running = 0;
    for (size_t w = 0; w < warps_.size(); w += static_cast<size_t>(load_.warps_per_block)) {
      const auto end = warps_.begin() + static_cast<ptrdiff_t>(w) + load_.warps_per_block;
      const bool over = std::all_of(warps_.begin() + static_cast<ptrdiff_t>(w), end,
                                    [&](const Warp& v) { return v.over && v.finished <= now_; });
      if (warps_[w].started && warps_[w].multiprocessor == site && !over) ++running;
    }
    return running < run_.resident;
  };
  for (size_t w = 0; w < warps_.size(); w += static_cast<size_t>(load_.warps_per_block)) {
    if (warps_[w].started) continue;
    std::vector<int64_t> able;
    for (int64_t site = 0; site < sites; ++site) {
      if (run_.in_turn && warps_[w].block % sites != site) continue;
      if (room(site)) able.push_back(site);
    }
    if (able.empty() && run_.in_turn) continue;
    if (able.empty()) return;
    const int64_t site = able[static_cast<size_t>(below(random_, static_cast<int64_t>(able.size())))];
    for (size_t v = w; v < w + static_cast<size_t>(load_.warps_per_block); ++v) {
      warps_[v].started = true;
      warps_[v].multiprocessor = site;
    }
  }
}

bool MemorySimulation::is_able(const Warp& warp) const {
  if (!warp.started || warp.over || warp.at_barrier || warp.may_issue > now_) return false;
  const ir::Instruction& instruction = code_.kernel.instructions[warp.trace[warp.next]];
  const OperationKind kind = code_.kernel.operation(instruction).kind;
  const auto site = static_cast<size_t>(warp.multiprocessor);
  const auto slot = static_cast<size_t>(warp.multiprocessor * machine_.schedulers + warp.scheduler);
  if (issue_free_[slot] > now_) return false;
  if (kind == OperationKind::barrier) return warp.outstanding == 0 && warp.finished <= now_;
  if (ir::unit_class(kind) == ir::UnitClass::load_store && unit_free_[site] > now_) return false;
  const ir::RegisterId* used = code_.kernel.reads(instruction);
  return std::all_of(used, used + instruction.reads + instruction.writes,
                     [&](ir::RegisterId r) { return warp.awaited[r] == 0 && warp.ready[r] <= now_; });
}

size_t MemorySimulation::pick(const std::vector<size_t>& able) {
  if (run_.policy == 0) return able[static_cast<size_t>(below(random_, static_cast<int64_t>(able.size())))];
  if (run_.policy == 1) return able.front();
  if (run_.policy == 2) return able.back();
  const auto other = std::find_if(able.begin(), able.end(), [this](size_t w) { return !is_victim(w); });
  return other == able.end() ? able.front() : *other;
}

void MemorySimulation::issue(size_t w) {
  Warp& warp = warps_[w];
  const ir::InstructionId id = warp.trace[warp.next++];
  const ir::Instruction& instruction = code_.kernel.instructions[id];
  const OperationKind kind = code_.kernel.operation(instruction).kind;
  const auto slot = static_cast<size_t>(warp.multiprocessor * machine_.schedulers + warp.scheduler);
  issue_free_[slot] = now_ + cycle;
  warp.may_issue = now_ + machine_.issue_gap * cycle;
  warp.finished = std::max(warp.finished, warp.may_issue);
  warp.over = warp.next == warp.trace.size();
  if (kind == OperationKind::barrier) {
    warp.at_barrier = !warp.over;
    warp.finished = std::max(warp.finished, now_ + 10 * cycle);
  } else if (ir::unit_class(kind) == ir::UnitClass::load_store) {
    unit_free_[static_cast<size_t>(warp.multiprocessor)] = now_ + 5 * cycle * transactions_of(id);
    ask(w, id);
  } else {
    const int64_t ready = now_ + shortened(20 * cycle);
    for (int i = 0; i < instruction.writes; ++i) warp.ready[code_.kernel.writes(instruction)[i]] = ready;
    warp.finished = std::max(warp.finished, ready);
  }
}

const ir::Access* MemorySimulation::access_of(ir::InstructionId id) const {
  const auto found = std::find_if(k_.flow.accesses.begin(), k_.flow.accesses.end(),
                                  [&](const ir::Access& a) { return a.instruction == code_.origins[id]; });
  return found == k_.flow.accesses.end() ? nullptr : &*found;
}

int64_t MemorySimulation::transactions_of(ir::InstructionId id) const {
  const ir::Access* access = access_of(id);
  const bool aligned = access != nullptr && run_.assumed.has(Assumption::aligned);
  return std::max<int64_t>(1, aligned ? access->aligned_transactions : code_.flow.transactions[id]);
}

// Lines of the object that the warp touches by the access, as many as warp_lines says.
std::vector<int64_t>& MemorySimulation::places_of(size_t warp, const ir::Access& access) {
  auto& places = places_[{warp, access.instruction}];
  const int64_t lines = footprint_.objects[access.object]->lines;
  while (static_cast<int64_t>(places.size()) < *access.warp_lines) {
    places.push_back((int64_t{access.object} << 32) + below(random_, lines));
  }
  return places;
}

Guarantee MemorySimulation::memory_of(const ir::Access* access, OperationKind kind) const {
  if (kind == OperationKind::load_param || !run_.assumed.has(Assumption::spread)) return Guarantee::same_bank;
  if (*access->grid_lines < 512) return Guarantee::same_bank;
  return access->dense && run_.assumed.has(Assumption::stream) ? Guarantee::stream : Guarantee::spread;
}

void MemorySimulation::ask(size_t w, ir::InstructionId id) {
  const OperationKind kind = code_.kernel.operation(code_.kernel.instructions[id]).kind;
  const bool is_constant = kind == OperationKind::load_param;
  const bool is_store = kind == OperationKind::store_global || kind == OperationKind::atomic_global;
  const ir::Access* access = is_constant ? nullptr : access_of(id);
  const int64_t lines = transactions_of(id);
  const ir::Instruction& instruction = code_.kernel.instructions[id];
  for (int i = 0; i < instruction.writes; ++i) ++warps_[w].awaited[code_.kernel.writes(instruction)[i]];
  ++warps_[w].outstanding;
  requests_.push_back({lines, 0, id, w});
  const bool come_as_few =
      run_.assumed.has(Assumption::few) && !is_store && !is_constant && !is_written(access->object);
  auto atomic = time_of_atomic(kind);
  for (int64_t i = 0; i < lines; ++i) {
    Line line;
    line.warp = w;
    line.instruction = requests_.size() - 1;
    line.order = order_++;
    line.memory = memory_of(access, kind);
    const bool spreads = run_.assumed.has(Assumption::spread) && !is_constant && *access->grid_lines >= 512;
    line.network = spreads ? Guarantee::spread : come_as_few ? Guarantee::few : Guarantee::same_bank;
    if (atomic) line.atomic = i + 1 == lines ? *atomic : more_of(*atomic, *atomic);
    line.is_store = is_store;
    const bool whole = is_store && line.memory == Guarantee::stream && access->covers_lines;
    line.of_memory = is_store && !whole ? 2 : 1;
    line.latency = latency_of(kind) * cycle;
    line.is_warm = warm_parameters_ && is_constant && code_.kernel.operation(instruction).reads_launch;
    if (line.is_warm) {
      const auto& caches = machine_.data_caches;
      line.latency = (caches[0].hit + caches[1].hit - caches[1].hit_translation) * cycle;
    }
    if (is_constant && keeps_constants_) {
      line.constant = (warps_[w].multiprocessor << 32) + constant_line(id);
      if (code_.kernel.instructions[id].operation == code_.load) {
        *line.constant = (warps_[w].multiprocessor << 32) + below(random_, constant_lines_);
      }
      const auto [kept, fresh] = constants_.try_emplace(*line.constant);
      if (kept->second.there && *kept->second.there <= now_) {
        done(line, now_ + 5 * cycle);
      } else if (kept->second.there) {
        done(line, std::max(*kept->second.there, now_ + 5 * cycle));
      } else if (!fresh) {
        kept->second.waiting.push_back(line);
      }
      if (!fresh) continue;
    }
    if (access != nullptr && keeps_data_) {
      auto& places = places_of(w, *access);
      line.kept = places[static_cast<size_t>(below(random_, static_cast<int64_t>(places.size())))];
    }
    enter_when_translated(line, access);
  }
}

// Whose places are known have one each.
int64_t MemorySimulation::constant_line(ir::InstructionId id) const {
  const ir::InstructionId origin = code_.origins[id];
  if (!k_.kernel.constant_places) return origin % constant_lines_;
  const auto& all = k_.kernel.instructions;
  return std::count_if(all.begin(), all.begin() + origin, [&](const ir::Instruction& each) {
    return k_.kernel.operation(each).kind == OperationKind::load_param;
  });
}

// As the theorem of one rate has it: nothing of the unit besides.
std::optional<int64_t> MemorySimulation::time_of_atomic(OperationKind kind) const {
  if (kind != OperationKind::atomic_global || !run_.assumed.has(Assumption::few)) return std::nullopt;
  if (machine_.form_figures.empty()) return std::nullopt;
  return machine_.form_figures[0].figures.occupancies.back().first * cycle;
}

bool MemorySimulation::is_written(ir::ObjectId object) const {
  return std::any_of(k_.flow.accesses.begin(), k_.flow.accesses.end(), [&](const ir::Access& access) {
    const OperationKind kind = k_.kernel.operation(k_.kernel.instructions[access.instruction]).kind;
    return access.object == object && kind != OperationKind::load_global;
  });
}

int64_t MemorySimulation::latency_of(OperationKind kind) const {
  const timing::Latency latency = machine_.figures(kind)->latency;
  return latency.worst - (keeps_pages_ ? latency.translation : 0) - (refreshes_together_ ? latency.refresh : 0);
}

int64_t MemorySimulation::page_of(size_t warp, const ir::Access& access) {
  auto& places = places_of(warp, access);
  const int64_t place = places[static_cast<size_t>(below(random_, static_cast<int64_t>(places.size())))];
  const int64_t lines = machine_.translation->page_bytes / 128;
  return (place >> 32 << 32) + (place & 0xffffffff) / lines;
}

// Behind those that the warp has made before.
void MemorySimulation::enter_when_translated(Line line, const ir::Access* access) {
  Warp& warp = warps_[line.warp];
  const int64_t before = warp.enters;
  warp.enters = std::max(now_, before);
  const bool is_translated = !line.is_warm && machine_.figures(kind_of(line))->latency.translation > 0;
  if (keeps_pages_ && is_translated) {
    const int64_t page =
        access == nullptr ? -1 - below(random_, footprint_.constant_pages) : page_of(line.warp, *access);
    const auto [there, fresh] = translated_.try_emplace({warp.multiprocessor, page}, now_);
    if (fresh) there->second += shortened(machine_.translation->cycles * cycle);
    if (translates_first_) warp.enters = std::max(warp.enters, there->second);
    if (!translates_first_ && there->second > now_) line.translated = there->second;
  }
  if (warp.enters == now_ && before < now_) {
    enter(line);
  } else {
    at(warp.enters, [this, line] { enter(line); });
  }
}

int64_t MemorySimulation::after_refreshes(int64_t begin, int64_t time) const {
  if (!refreshes_together_) return begin + time;
  const int64_t refresh = machine_.refresh->cycles * cycle, interval = machine_.refresh->interval * cycle;
  int64_t over = begin;
  while (time > 0) {
    const int64_t place = (over + phase_) % interval;
    const int64_t step = place < refresh ? refresh - place : std::min(time, interval - place);
    if (place >= refresh) time -= step;
    over += step;
  }
  return over;
}

size_t MemorySimulation::server_of(const Line& line) const {
  const auto sites = static_cast<size_t>(machine_.multiprocessors);
  return line.stage == 0 ? static_cast<size_t>(warps_[line.warp].multiprocessor) : sites + line.stage - 1;
}

// Of the line in the server that it is at.
int64_t MemorySimulation::time_of(const Line& line) {
  if (line.stage == 1 && line.atomic) return *line.atomic;
  const bool comes_from_memory = line.memory != Guarantee::same_bank && (!line.kept || !data_.contains(*line.kept));
  if (line.stage == 1 && comes_from_memory) return 0;  // the rate of memory has it
  const auto& resource = machine_.resources[port_of_lines + line.stage];
  return timing::ticks_of_line(resource, line.stage == 2 ? line.memory : line.network, cycle);
}

void MemorySimulation::enter(Line line) {
  if (shares_fairly_ && line.stage > 0) {
    const size_t server = line.stage - 1;
    fair_servers_[server].waiting.push_back(std::move(line));
    go_on(server);
    return;
  }
  const size_t server = server_of(line);
  servers_[server].waiting.push_back(std::move(line));
  begin(server);
}

size_t MemorySimulation::choose(const std::vector<Line>& waiting) {
  std::vector<size_t> first;  // of each warp
  for (size_t i = 0; i < waiting.size(); ++i) {
    const bool has_earlier = std::any_of(waiting.begin(), waiting.end(), [&](const Line& other) {
      return other.warp == waiting[i].warp && other.order < waiting[i].order;
    });
    if (!has_earlier) first.push_back(i);
  }
  if (run_.policy == 0) return first[static_cast<size_t>(below(random_, static_cast<int64_t>(first.size())))];
  const auto older = [&](size_t a, size_t b) { return waiting[a].order < waiting[b].order; };
  if (run_.policy == 1) return *std::min_element(first.begin(), first.end(), older);
  if (run_.policy == 2) return *std::max_element(first.begin(), first.end(), older);
  const auto other = std::find_if(first.begin(), first.end(), [&](size_t i) { return !is_victim(waiting[i].warp); });
  return other == first.end() ? first.front() : *other;
}

void MemorySimulation::begin(size_t s) {
  Server& server = servers_[s];
  if (server.busy || server.waiting.empty()) return;
  const size_t chosen = choose(server.waiting);
  server.current = server.waiting[chosen];
  server.waiting.erase(server.waiting.begin() + static_cast<ptrdiff_t>(chosen));
  server.busy = true;
  at(now_ + shortened(service_of(server.current)), [this, s] { served(s); });
}

void MemorySimulation::go_on(size_t s) {
  constexpr int64_t parts = 12;  // as many as any number of multiprocessors up to 4 divides
  FairServer& server = fair_servers_[s];
  std::vector<Line> over;
  if (const auto sharing = static_cast<int64_t>(server.current.size()); sharing > 0) {
    for (auto it = server.current.begin(); it != server.current.end();) {
      it->second.left -= (now_ - server.since) * parts / sharing;
      if (it->second.left <= 0) over.push_back(it->second.line);
      it = it->second.left <= 0 ? server.current.erase(it) : std::next(it);
    }
  }
  server.since = now_;
  for (int64_t site = 0; site < machine_.multiprocessors; ++site) {
    std::vector<size_t> own;
    std::vector<Line> lines;
    for (size_t i = 0; i < server.waiting.size(); ++i) {
      if (warps_[server.waiting[i].warp].multiprocessor != site) continue;
      own.push_back(i);
      lines.push_back(server.waiting[i]);
    }
    if (own.empty() || server.current.contains(site)) continue;
    const size_t chosen = own[choose(lines)];
    const Line line = server.waiting[chosen];
    server.waiting.erase(server.waiting.begin() + static_cast<ptrdiff_t>(chosen));
    server.current[site] = {line, shortened(service_of(line)) * parts};
  }
  if (!server.current.empty()) {
    int64_t least = INT64_MAX;
    for (const auto& [site, current] : server.current) least = std::min(least, current.left);
    const auto sharing = static_cast<int64_t>(server.current.size());
    at(now_ + (least * sharing + parts - 1) / parts, [this, s, event = ++server.events] {
      if (event == fair_servers_[s].events) go_on(s);
    });
  }
  for (Line& line : over) leave(std::move(line));
}

int64_t MemorySimulation::more_of(int64_t& left, int64_t most) {
  const int64_t more = below(random_, 2) == 0 ? std::min(left, most) : below(random_, std::min(left, most) + 1);
  left -= more;
  return more;
}

// Where memory serves each of different lines once as LineTimes::once says, a line takes as long as a random one, and
// of what all of them until now may take longer any part.
int64_t MemorySimulation::service_of(const Line& line) {
  const int64_t alone = time_of(line);
  if (line.stage != 2) return alone;
  if (!is_served_once(line)) return alone * line.of_memory;
  const int64_t random = timing::ticks_of_line(machine_.resources[memory_of_lines], Guarantee::spread, cycle);
  int64_t sum = 0;
  const auto longer = [&](int64_t& until_now, size_t lines) {
    const auto all = machine_.lines_once()->once_for(static_cast<int64_t>(lines), cycle).value().value_or(0);
    int64_t left = all - until_now;
    const int64_t more = more_of(left, alone - random);
    until_now += more;
    return more;
  };
  if (line.is_fetch) sum += random + longer(once_of_fetches_, data_.size());
  if (line.is_write_back) sum += random + longer(once_of_write_backs_, written_.size());
  return sum;
}

bool MemorySimulation::is_served_once(const Line& line) const {
  return machine_.lines_once() != nullptr && timing::serves_lines_once(k_.kernel, run_.assumed) &&
         (line.is_fetch || line.is_write_back) && line.memory == Guarantee::same_bank;
}

// In the cache that keeps data. What was written there is written back once, whether or not it was fetched.
void MemorySimulation::look_up(Line line) {
  const auto [kept, fresh] = data_.try_emplace(*line.kept);
  const bool goes_back = line.is_store && written_.insert(*line.kept).second;
  if (!fresh && goes_back) {
    line.of_memory = 1;
    line.kept.reset();
  }
  line.is_fetch = fresh;
  line.is_write_back = goes_back;
  if (fresh || goes_back) {
    ++line.stage;
    enter(line);
  } else if (!kept->second.there) {
    kept->second.waiting.push_back(line);
  } else {
    const int64_t saved = (latency_of(kind_of(line)) - hit_of(line)) * cycle;
    found(line, now_ + std::max<int64_t>(0, line.latency - saved));
  }
}

OperationKind MemorySimulation::kind_of(const Line& line) const {
  return code_.kernel.operation(code_.kernel.instructions[requests_[line.instruction].id]).kind;
}

// Latency of a line that the cache for data has.
int64_t MemorySimulation::hit_of(const Line& line) const {
  const timing::DataCache& cache = machine_.data_caches[1];
  return std::min(latency_of(kind_of(line)), cache.hit - (keeps_pages_ ? cache.hit_translation : 0));
}

// A line that was there at that time, but for its translation.
void MemorySimulation::found(const Line& line, int64_t when) {
  done(line, line.translated == 0 ? when : std::max(when, line.translated + hit_of(line) * cycle));
}

void MemorySimulation::served(size_t s) {
  Server& server = servers_[s];
  Line line = server.current;
  server.busy = false;
  leave(std::move(line));
  begin(s);
}

void MemorySimulation::leave(Line line) {
  line.latency = std::max<int64_t>(0, line.latency - time_of(line));
  if (line.stage == 1 && line.kept) {
    look_up(line);
  } else if (line.stage < (line.is_warm ? 1U : 2U)) {
    ++line.stage;
    enter(line);
  } else {
    const OperationKind kind = kind_of(line);
    const bool meets = !line.is_warm && machine_.figures(kind)->latency.refresh > 0;
    const auto after = [&](int64_t begin, int64_t time) { return meets ? after_refreshes(begin, time) : begin + time; };
    const int64_t when = after(now_, shortened(line.latency));
    const bool waits = line.translated > 0;
    done(line, waits ? std::max(when, after(line.translated, latency_of(kind) * cycle)) : when);
    for (auto* kept :
         {line.constant ? &constants_[*line.constant] : nullptr, line.kept ? &data_[*line.kept] : nullptr}) {
      if (kept == nullptr) continue;
      kept->there = when;
      for (const Line& other : kept->waiting) found(other, when);
      kept->waiting.clear();
    }
  }
}

void MemorySimulation::done(const Line& line, int64_t when) {
  Request& request = requests_[line.instruction];
  request.ready = std::max(request.ready, when);
  if (--request.lines > 0) return;
  Warp& warp = warps_[request.warp];
  const ir::Instruction& instruction = code_.kernel.instructions[request.id];
  for (int i = 0; i < instruction.writes; ++i) {
    const ir::RegisterId reg = code_.kernel.writes(instruction)[i];
    --warp.awaited[reg];
    warp.ready[reg] = std::max(warp.ready[reg], request.ready);
  }
  --warp.outstanding;
  warp.finished = std::max(warp.finished, request.ready);
}

void MemorySimulation::release_barriers() {
  for (size_t w = 0; w < warps_.size(); w += static_cast<size_t>(load_.warps_per_block)) {
    const auto begin = warps_.begin() + static_cast<ptrdiff_t>(w), end = begin + load_.warps_per_block;
    if (!std::all_of(begin, end, [](const Warp& v) { return v.at_barrier || v.over; })) continue;
    std::for_each(begin, end, [](Warp& v) { v.at_barrier = false; });
  }
}

int64_t MemorySimulation::next_time() const {
  int64_t next = INT64_MAX;
  const auto at_least = [&](int64_t time) {
    if (time > now_) next = std::min(next, (time + cycle - 1) / cycle * cycle);
  };
  if (!events_.empty()) at_least(events_.begin()->first.first);
  for (const Warp& warp : warps_) {
    if (!warp.started) continue;
    at_least(warp.may_issue);
    at_least(warp.finished);
    for (const int64_t ready : warp.ready) at_least(ready);
  }
  for (const int64_t free : issue_free_) at_least(free);
  for (const int64_t free : unit_free_) at_least(free);
  return next;
}

int64_t MemorySimulation::run() {
  const auto is_over = [this](const Warp& warp) { return warp.over && warp.outstanding == 0; };
  for (int64_t cycle_start = 0; cycle_start != INT64_MAX; cycle_start = next_time()) {
    while (!events_.empty() && events_.begin()->first.first <= cycle_start) {
      const auto event = events_.extract(events_.begin());
      now_ = event.key().first;
      event.mapped()();
    }
    now_ = cycle_start;
    start_blocks();
    for (;;) {
      std::vector<size_t> able;
      for (size_t w = 0; w < warps_.size(); ++w) {
        if (is_able(warps_[w])) able.push_back(w);
      }
      if (able.empty()) break;
      issue(pick(able));
      release_barriers();
    }
    if (std::all_of(warps_.begin(), warps_.end(), is_over)) break;
  }
  int64_t end = 0;
  for (const Warp& warp : warps_) end = std::max(end, warp.finished);
  return (end + cycle - 1) / cycle;
}

}  // namespace warpspan::test
