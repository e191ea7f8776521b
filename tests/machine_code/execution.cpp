// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/execution.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "frontend/object/lines.hpp"
#include "frontend/reading/cubin_code.hpp"
#include "frontend/sass/execution/executor.hpp"
#include "support/digits.hpp"

namespace warpspan::machine_code {

namespace {

using reference::Memory;
using Verdict = ExecutionCheck::Verdict;

ir::Launch launch_of(const sass::Code& code, const Launch& launch, const BankLayout& layout) {
  ir::Launch made;
  made.block = launch.block;
  made.grid = launch.grid;
  for (size_t i = 0; i < code.parameters.size(); ++i) {
    for (int64_t offset = 0; offset < code.parameters[i].bytes; ++offset) {
      const auto at = static_cast<size_t>(code.parameters[i].offset - layout.parameters + offset);
      const unsigned byte = at < launch.parameters.size() ? launch.parameters[at] : 0;
      made.arguments.push_back({std::to_string(i), std::to_string(byte), ir::ByteRange{offset, 1}});
    }
  }
  return made;
}

std::string first_difference(Memory& initial, Memory& expected, execution::Memory& found, uint64_t& bytes) {
  const std::vector<uint64_t> touched = expected.touched();
  for (const uint64_t page : touched) {
    for (uint64_t at = page; at < page + Memory::page_bytes; at += 8, bytes += 8) {
      const uint64_t a = expected.load(at, 8), b = found.load<uint64_t>(at);
      using support::hexadecimal;
      if (a != b)
        return "at 0x" + hexadecimal(at) + " the interpreter leaves 0x" + hexadecimal(a, 16) + ", the program 0x" +
               hexadecimal(b, 16) + ", before 0x" + hexadecimal(initial.load(at, 8), 16);
    }
  }
  const std::set<uint64_t> known(touched.begin(), touched.end());
  for (const uint64_t page : found.pages()) {
    for (uint64_t at = page; at < page + execution::Memory::page_bytes; at += 8) {
      if (found.load<uint64_t>(at) != 0 && !known.contains(at / Memory::page_bytes * Memory::page_bytes))
        return "only the program stores to 0x" + support::hexadecimal(at);
    }
  }
  return "";
}

std::string count_difference(const Program& program, const Record& record, const std::vector<ir::WarpTrace>& warps) {
  if (warps.size() > record.warps.size()) return "there are more warps";
  for (size_t warp = 0; warp < warps.size(); ++warp) {
    std::vector<int64_t> executed(program.instructions.size(), 0);
    for (const ir::TracedStep& step : warps[warp].steps) {
      if (step.instruction != ir::TracedStep::wait) ++executed[step.instruction];
    }
    for (size_t i = 0; i < executed.size(); ++i) {
      if (executed[i] == record.warps[warp].executed[i]) continue;
      return "warp " + std::to_string(warp) + " executes instruction " + std::to_string(i) + " (" +
             std::string(program.instructions[i].mnemonic()) + ") " + std::to_string(executed[i]) +
             " times, by the interpreter " + std::to_string(record.warps[warp].executed[i]);
    }
  }
  return "";
}

}  // namespace

ExecutionCheck check_execution(const std::string& bytes, const std::string& kernel, Launch launch,
                               const Memory& initial) {
  const object::Input input{"kernel.cubin", bytes};
  const auto cubin = object::read_cubin(input);
  const auto lines = object::read_lines(input);
  if (!cubin || !lines) return {Verdict::refused, "no cubin"};
  const auto program = prepare(*cubin, kernel);
  if (!program) return {Verdict::refused, program.errors().front().message};
  launch.order = reference::Order::taken_first;
  launch.clears_registers = launch.clears_own_memory = true;
  Memory before = initial, expected = initial;
  const Record record = run(*program, launch, expected);
  if (!record.stopped.empty()) return {Verdict::refused, record.stopped};

  const auto function = std::find_if(cubin->functions.begin(), cubin->functions.end(),
                                     [&](const auto& each) { return each.name == kernel; });
  const auto index = static_cast<size_t>(function - cubin->functions.begin());
  const auto decoded = frontend::CubinCode::decode(*cubin, {index}, "<machine code>", sass::UnknownOpcodes::are_errors);
  if (!decoded) return {Verdict::differs, decoded.errors().front().message};
  sass::Code code = decoded->code_of(index, *lines, "kernel.cubin");
  for (const auto& [bank, values] : launch.constants)
    code.constants[bank] = std::make_shared<const std::string>(values.begin(), values.end());
  std::vector<ir::InstructionId> ids(code.instructions.size());
  std::iota(ids.begin(), ids.end(), 0);
  const ir::Launch told = launch_of(code, launch, program->layout);
  const auto executor = execution::Executor::make(std::make_shared<const sass::Code>(code), ids, told, {});
  if (!executor) return {Verdict::differs, executor.errors().front().message};
  for (const uint64_t page : expected.touched()) {
    for (uint64_t at = page; at < page + Memory::page_bytes; at += 8)
      (*executor)->memory().store<uint64_t>(at, before.load(at, 8));
  }
  ExecutionCheck result;
  std::vector<ir::WarpTrace> warps;
  for (const ir::Extent& block : launch.blocks) {
    ir::BlockTrace trace = (*executor)->run(block.x + launch.grid.x * (block.y + launch.grid.y * block.z));
    std::move(trace.warps.begin(), trace.warps.end(), std::back_inserter(warps));
    if (!trace.zeroed.empty()) return {Verdict::differs, trace.zeroed.front() + " is not known"};
    if (!trace.stopped.empty())
      return {Verdict::differs, trace.stopped + "; " + count_difference(*program, record, warps)};
  }
  result.steps = record.steps;
  result.reason = count_difference(*program, record, warps);
  if (result.reason.empty()) result.reason = first_difference(before, expected, (*executor)->memory(), result.bytes);
  if (!result.reason.empty()) result.verdict = Verdict::differs;
  return result;
}

}  // namespace warpspan::machine_code
