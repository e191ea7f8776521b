#include "timing/bounds/ladder.hpp"

#include <array>

namespace warpspan::timing {

namespace {

// In the order in which they are added: what most machines do comes first.
constexpr std::array order = {Assumption::ptx_order,   Assumption::keeps_constants, Assumption::keeps_code,
                              Assumption::shares_code, Assumption::warm_code,       Assumption::aligned,
                              Assumption::spread,      Assumption::stream,          Assumption::keeps};

std::string of_accesses(int64_t some, const ServedAccesses& accesses) {
  return std::to_string(some) + " of " + std::to_string(accesses.all) + (accesses.all == 1 ? " access" : " accesses");
}

std::string what(Assumption assumption, const PipelineRun& run) {
  const ServedAccesses& accesses = run.needs->warp->code.accesses;
  switch (assumption) {
    case Assumption::ptx_order: return "the assembler keeps the order of the PTX";
    case Assumption::keeps_constants: return "the constant cache keeps what was read";
    case Assumption::keeps_code: return "no warp pushes out the code of another";
    case Assumption::shares_code: return "code comes as fast as was measured";
    case Assumption::warm_code: return "all code was run before";
    case Assumption::aligned: return "pointers are multiples of 256: " + of_accesses(accesses.aligned, accesses);
    case Assumption::spread: return "the address hash spreads lines: " + of_accesses(accesses.spread, accesses);
    case Assumption::stream: return "dense ranges are served as a copy is: " + of_accesses(accesses.stream, accesses);
    case Assumption::keeps: return "the L2 cache keeps what was fetched: " + of_accesses(accesses.kept, accesses);
    case Assumption::no_spills:
    case Assumption::plain_textures: break;
  }
  return {};
}

}  // namespace

support::Result<std::vector<Rung>> ladder(PipelineRuns& runs) {
  AssumptionSet granted;
  const auto least = runs.least(granted);
  if (!least) return least.errors();
  std::vector<Rung> rungs = {{std::nullopt, least->model.bound.makespan, "nothing is assumed of addresses or caches"}};
  for (const Assumption assumption : order) {
    granted.grant(assumption);
    const auto run = runs.least(granted);
    if (!run) return run.errors();
    const auto makespan = run->model.bound.makespan;
    const auto& last = rungs.back().makespan;
    if (makespan && (!last || *makespan < *last)) rungs.push_back({assumption, makespan, what(assumption, *run)});
  }
  return rungs;
}

}  // namespace warpspan::timing
