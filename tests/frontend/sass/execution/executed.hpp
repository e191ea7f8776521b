// SPDX-License-Identifier: GPL-3.0-or-later
// A warp that executes a few words, with registers and memory set by hand. Words are those of kernels of ours.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frontend/sass/execution/warp.hpp"
#include "frontend/sass/words/decode.hpp"

namespace warpspan::test {

class Executed {
 public:
  // Behind the instructions the warp ends.
  Executed(int architecture, std::vector<sass::Instruction> instructions, execution::Banks banks = {})
      : banks_(std::move(banks)) {
    code_.architecture = architecture;
    code_.name = "k";
    instructions.push_back(sass::decode_word({0x000000000000794d, 0x000fea0003800000}, architecture, 0));  // EXIT
    for (sass::Instruction& each : instructions) {
      each.offset = code_.instructions.size() * sass::word_bytes;
      code_.instructions.push_back(each);
    }
    code_.sections = {{"k", 0, static_cast<uint32_t>(code_.instructions.size())}};
    std::vector<ir::InstructionId> ids;
    while (ids.size() < code_.instructions.size()) ids.push_back(static_cast<ir::InstructionId>(ids.size()));
    program_ = std::make_unique<execution::Program>(code_, banks_, ids);
    state_.reset(new execution::BlockState{*program_, global, {32, 1, 1}, {8, 1, 1}, {3, 0, 0}, 3, 10'000});
    warp_ = std::make_unique<Open>(*state_, banks_, registers_, 0);
  }
  Executed(int architecture, const std::vector<sass::Word>& words, execution::Banks banks = {})
      : Executed(architecture, decoded(architecture, words), std::move(banks)) {}

  Executed& run() {
    while (warp_->run(1000)) {
    }
    return *this;
  }

  execution::Registers& registers() { return warp_->set(); }
  execution::Words& general(unsigned number) { return registers().general[number]; }
  Executed& general(unsigned number, uint32_t value) {
    general(number).lane.fill(value);
    return *this;
  }
  Executed& uniform(unsigned number, uint32_t value) {
    registers().uniform[number] = value;
    return *this;
  }
  // Of all lanes, or of one.
  Executed& predicate(unsigned number, execution::LaneSet lanes) {
    registers().predicates[number] = lanes;
    return *this;
  }
  execution::LaneSet predicate(unsigned number) { return registers().predicates[number]; }
  execution::BlockState& state() { return *state_; }
  const std::set<std::string>& unknown() const { return state_->unknown; }
  ir::WarpTrace trace() { return warp_->take_trace(); }

  execution::Memory global;

 private:
  class Open : public execution::Warp {
   public:
    using Warp::Warp;
    execution::Registers& set() { return registers_; }
  };

  static std::vector<sass::Instruction> decoded(int architecture, const std::vector<sass::Word>& words) {
    std::vector<sass::Instruction> instructions;
    for (const sass::Word& word : words)
      instructions.push_back(sass::decode_word(word, architecture, instructions.size() * sass::word_bytes));
    return instructions;
  }

  sass::Code code_;
  execution::Banks banks_;
  std::unique_ptr<execution::Program> program_;
  std::unique_ptr<execution::BlockState> state_;
  execution::Registers registers_;
  std::unique_ptr<Open> warp_;
};

}  // namespace warpspan::test
