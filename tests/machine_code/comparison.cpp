// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/machine_code/comparison.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "frontend/ptx/calls/expand_calls.hpp"
#include "frontend/ptx/syntax/parser.hpp"
#include "support/digits.hpp"
#include "tests/reference/generators/random.hpp"

namespace warpspan::machine_code {

namespace {

using Verdict = Comparison::Verdict;
using reference::Memory;

constexpr uint64_t seed = 7;
constexpr int64_t most_steps = 20'000'000;

Comparison verdict(Verdict kind, std::string reason) {
  Comparison result;
  result.verdict = kind;
  result.reason = std::move(reason);
  return result;
}

// A kernel's PTX, ready to be executed.
struct Reference {
  std::shared_ptr<const support::SourceFile> source;
  std::optional<ptx::Module> module;
  std::optional<ptx::Function> body;
  std::optional<reference::Program> program;
  std::vector<uint64_t> places;
};

std::string prepare_reference(const std::string& ptx, const Case& which, Reference& made) {
  made.source = std::make_shared<const support::SourceFile>("kernel.ptx", ptx);
  auto module = ptx::parse(made.source);
  if (!module) return render(module.errors().front(), false);
  made.module = std::move(*module);
  const auto& functions = made.module->functions;
  const auto entry = std::find_if(functions.begin(), functions.end(),
                                  [&](const auto& f) { return f.is_entry && f.has_body && f.name == which.kernel; });
  if (entry == functions.end()) return "the PTX has no such kernel";
  constexpr ptx::SharingLimits all_inlined{1'000'000, 100'000'000};
  auto body = ptx::expand_calls(*made.module, *entry, all_inlined);
  if (!body) return render(body.errors().front(), false);
  made.body = std::move(*body);
  made.places = reference::lay_out(*made.module, *entry, seed);
  std::string unknown;
  made.program = reference::prepare(*made.body, made.places, unknown);
  return unknown;
}

// What the PTX's variables in constant memory hold, as bank 3 has them: one after the other.
// They are floats: what fills a parameter's memory.
std::vector<uint8_t> constants_of(const Reference& from, Memory& memory) {
  std::vector<uint8_t> bytes;
  reference::Random random(seed);
  for (size_t i = 0; i < from.module->variables.size(); ++i) {
    const ptx::Variable& variable = from.module->variables[i];
    if (variable.space != ir::MemorySpace::constant) continue;
    while (bytes.size() % static_cast<size_t>(std::max<int64_t>(variable.alignment, 1)) != 0) bytes.push_back(0);
    for (int64_t word = 0; word < variable.bytes / 4; ++word)
      memory.store(from.places[i] + static_cast<uint64_t>(word) * 4, 4, any_float(random));
    for (int64_t byte = 0; byte < variable.bytes; ++byte)
      bytes.push_back(static_cast<uint8_t>(memory.load(from.places[i] + static_cast<uint64_t>(byte), 1)));
  }
  return bytes;
}

std::vector<uint64_t> values_of(const Case& which) {
  std::vector<uint64_t> values;
  for (size_t i = 0; i < which.arguments.size(); ++i) values.push_back(value_of(which.arguments[i], i));
  return values;
}

std::string run_reference(const Reference& subject, const Case& which, Memory& memory, Comparison& result) {
  reference::Situation situation;
  situation.block = which.block;
  situation.grid = which.grid;
  situation.blocks = which.blocks;
  situation.most_steps = most_steps;
  situation.seed = seed;
  const std::vector<uint64_t> values = values_of(which);
  for (size_t i = 0; i < values.size(); ++i) situation.arguments[static_cast<uint32_t>(i)] = values[i];
  const reference::ControlGraph graph = reference::control_graph(*subject.program);
  result.of_ptx =
      reference::execute({*subject.module, *subject.body, *subject.program, graph, subject.places}, situation, memory);
  if (result.of_ptx.outcome == reference::Record::Outcome::finished) return "";
  return "the PTX could not be executed to its end";
}

bool near(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::fabs(a - b) <= tolerance * std::max({std::fabs(a), std::fabs(b), 1e-3});
}

bool same(const Case& which, uint64_t a, uint64_t b) {
  if (a == b) return true;
  if (which.tolerance == 0) return false;
  if (which.of_doubles) return near(std::bit_cast<double>(a), std::bit_cast<double>(b), which.tolerance);
  const auto half = [](uint64_t value) {
    return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(value)));
  };
  return near(half(a), half(b), which.tolerance) && near(half(a >> 32), half(b >> 32), which.tolerance);
}

// The first address where they are not the same, and what is there; empty if there is none.
std::string difference(const Case& which, Memory& expected, Memory& found, uint64_t& bytes) {
  std::vector<uint64_t> pages = expected.touched();
  const std::vector<uint64_t> more = found.touched();
  pages.insert(pages.end(), more.begin(), more.end());
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
  for (const uint64_t page : pages) {
    for (uint64_t at = page; at < page + Memory::page_bytes; at += 8) {
      const uint64_t a = expected.load(at, 8), b = found.load(at, 8);
      bytes += 8;
      if (same(which, a, b)) continue;
      using support::hexadecimal;
      return "at 0x" + hexadecimal(at) + " the PTX leaves 0x" + hexadecimal(a, 16) + ", the machine code 0x" +
             hexadecimal(b, 16);
    }
  }
  return "";
}

}  // namespace

Comparison compare(const std::string& ptx, const std::string& cubin, const Case& which, reference::Order order) {
  Reference subject;
  const std::string problem = prepare_reference(ptx, which, subject);
  if (!problem.empty()) return verdict(Verdict::unreadable, problem);
  const auto read = object::read_cubin({"kernel.cubin", cubin});
  if (!read) return verdict(Verdict::unreadable, render(read.errors().front(), false));
  const auto program = prepare(*read, which.kernel);
  if (!program) return verdict(Verdict::unreadable, program.errors().front().message);
  const auto function = std::find_if(read->functions.begin(), read->functions.end(),
                                     [&](const auto& f) { return f.name == which.kernel; });

  Memory expected(seed), found(seed);
  for (size_t i = 0; i < which.arguments.size(); ++i) {
    fill(which.arguments[i], i, expected);
    fill(which.arguments[i], i, found);
  }
  Launch launch{which.block, which.grid, which.blocks, parameter_bytes(*function, values_of(which)), {}, order,
                seed,        most_steps, false};
  const std::vector<uint8_t> constants = constants_of(subject, expected);
  constants_of(subject, found);
  if (!constants.empty()) launch.constants[3] = constants;
  Comparison result;
  const std::string stopped = run_reference(subject, which, expected, result);
  if (!stopped.empty()) return verdict(Verdict::unreadable, stopped);
  auto record = execute(*program, launch, found);
  if (!record) return verdict(Verdict::refused, record.errors().front().message);
  result.record = std::move(*record);
  result.reason = difference(which, expected, found, result.bytes);
  if (!result.reason.empty()) result.verdict = Verdict::differs;
  return result;
}

}  // namespace warpspan::machine_code
