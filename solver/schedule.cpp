#include "solver/schedule.hpp"

#include <algorithm>

namespace warpspan::solver {

namespace {

bool in_order(const Schedule& schedule, size_t length) {
  return std::all_of(schedule.cycles.begin(), schedule.cycles.end(), [=](const std::vector<int64_t>& cycles) {
    return cycles.size() == length && (cycles.empty() || cycles.front() >= 1) &&
           std::adjacent_find(cycles.begin(), cycles.end(), std::greater_equal<>()) == cycles.end();
  });
}

// Lets the workers that execute in this cycle go on, and checks that they are as many as must.
bool step(const Schedule& schedule, const std::vector<int>& symbols, const std::vector<int64_t>& servers, int64_t cycle,
          std::vector<size_t>& positions) {
  std::vector<int64_t> ready(servers.size());
  std::vector<int64_t> executing(servers.size());
  for (size_t w = 0; w < positions.size(); ++w) {
    if (positions[w] == symbols.size()) continue;
    const auto k = static_cast<size_t>(symbols[positions[w]]);
    ++ready[k];
    if (schedule.cycles[w][positions[w]] != cycle) continue;
    ++executing[k];
    ++positions[w];
  }
  for (size_t k = 0; k < servers.size(); ++k) {
    if (executing[k] != std::min(ready[k], servers[k])) return false;
  }
  return true;
}

}  // namespace

std::optional<int64_t> makespan_of(const Schedule& schedule, const std::vector<int>& symbols,
                                   const std::vector<int64_t>& servers) {
  if (schedule.cycles.empty() || symbols.empty() || !in_order(schedule, symbols.size())) return std::nullopt;
  int64_t makespan = 0;
  for (const auto& cycles : schedule.cycles) makespan = std::max(makespan, cycles.back());
  std::vector<size_t> positions(schedule.cycles.size());
  for (int64_t cycle = 1; cycle <= makespan; ++cycle) {
    if (!step(schedule, symbols, servers, cycle, positions)) return std::nullopt;
  }
  return makespan;
}

}  // namespace warpspan::solver
