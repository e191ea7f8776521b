// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/sass/execution/executor.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "frontend/sass/execution/warp.hpp"

namespace warpspan::execution {

namespace {

constexpr int64_t steps_of_warp = 20'000;  // before others go on, which may wait for what it stores

class BlockRun {
 public:
  // registers: of warps of blocks that were executed before, and more from now on.
  BlockRun(BlockState& state, const Banks& banks, std::vector<std::unique_ptr<Registers>>& registers) : state_(state) {
    const int64_t threads = state.block.x * state.block.y * state.block.z;
    for (int64_t first = 0; first < threads; first += warp_lanes) {
      const auto number = static_cast<size_t>(first / warp_lanes);
      if (number == registers.size()) registers.push_back(std::make_unique<Registers>());
      registers[number]->clear();
      warps_.push_back(std::make_unique<Warp>(state, banks, *registers[number], static_cast<uint32_t>(number)));
    }
  }

  ir::BlockTrace run() {
    for (bool moves = true; moves && state_.stopped.empty();) {
      moves = false;
      for (const auto& warp : warps_) moves = warp->run(steps_of_warp) || moves;
      moves = release_barriers() || moves;
      if (moves) continue;
      for (const auto& warp : warps_) {
        if (!warp->is_suspended()) continue;
        warp->give_up();
        moves = true;
      }
    }
    const bool all_ended =
        std::all_of(warps_.begin(), warps_.end(), [](const auto& warp) { return warp->alive() == 0; });
    trace_.stopped = state_.stopped;
    if (trace_.stopped.empty() && !all_ended) trace_.stopped = "lanes wait for others that never come";
    for (const auto& warp : warps_) trace_.warps.push_back(warp->take_trace());
    trace_.zeroed.assign(state_.unknown.begin(), state_.unknown.end());
    trace_.uniform_apart = state_.uniform_apart;
    trace_.depends_on_data = (state_.deciding & of_memory) != 0;
    trace_.depends_on_arguments = (state_.deciding & of_unknown) != 0;
    return std::move(trace_);
  }

 private:
  // A barrier opens when so many threads have come to it as were said, or all that have not ended.
  bool release_barriers() {
    bool released = false;
    for (unsigned barrier = 0; barrier < ir::barriers_of_block; ++barrier) {
      unsigned waiting = 0, arrived = 0, expected = 0, alive = 0, agreeing = 0;
      for (const auto& warp : warps_) {
        const auto own = static_cast<unsigned>(std::popcount(warp->waiting(barrier)));
        waiting += own;
        arrived += warp->arrived(barrier);
        alive += static_cast<unsigned>(std::popcount(warp->alive()));
        agreeing += warp->agreeing(barrier);
        if (own > 0) expected = std::max(expected, warp->expected(barrier));
      }
      const unsigned all = alive + arrived;
      if (waiting == 0 || waiting + arrived < (expected == 0 ? all : std::min(expected, all))) continue;
      trace_.openings[barrier].push_back(waiting + arrived);
      for (const auto& warp : warps_) warp->release(barrier, waiting + arrived, agreeing);
      released = true;
    }
    return released;
  }

  BlockState& state_;
  std::vector<std::unique_ptr<Warp>> warps_;
  ir::BlockTrace trace_;
};

}  // namespace

support::Result<std::unique_ptr<Executor>> Executor::make(std::shared_ptr<const sass::Code> code,
                                                          const std::vector<ir::InstructionId>& ids,
                                                          const ir::Launch& launch,
                                                          const ir::ExecutionOptions& options) {
  std::unique_ptr<Executor> made(new Executor());
  auto prepared = prepare_launch(*code, launch, options, made->global_, made->assumed_);
  if (!prepared) return prepared.errors();
  made->launch_ = std::move(*prepared);
  made->code_ = std::move(code);
  made->block_ = launch.block.value_or(ir::Extent{});
  made->grid_ = launch.grid.value_or(ir::Extent{});
  made->most_steps_ = options.most_steps;
  made->program_ = std::make_unique<Program>(*made->code_, made->launch_.banks, ids);
  return made;
}

ir::BlockTrace Executor::run(int64_t block) {
  const ir::Extent place{block % grid_.x, block / grid_.x % grid_.y, block / (grid_.x * grid_.y)};
  BlockState state{*program_, global_, block_, grid_, place, block, most_steps_};
  state.steps_before = steps_;
  ir::BlockTrace trace = BlockRun(state, launch_.banks, registers_).run();
  steps_ += state.steps;
  trace.assumed = assumed_;
  if (state.has_textures)
    trace.assumed.emplace_back(
        "Textures have 4,096 texels of 16 bytes in one dimension, 1,024 in each of two or 64 in each of three, and "
        "coordinates from 0 to 1.");
  return trace;
}

}  // namespace warpspan::execution
