// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/machine_code_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/readable.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

constexpr size_t indent = 4;

std::string field(const std::string& value, size_t width) { return wrap("  its PTX        ", value, width); }

int64_t executed(const KernelReport& kernel) {
  int64_t sum = 0;
  for (const int64_t count : kernel.analysis.instructions) sum += count;
  return sum;
}

// Pieces of the accesses to one of the spaces; nothing where they are not known.
std::optional<int64_t> pieces(const KernelReport& kernel, const std::set<ir::MemorySpace>& spaces) {
  if (!kernel.transactions) return std::nullopt;
  int64_t sum = 0;
  for (const SpaceTransactions& entry : *kernel.transactions) sum += spaces.contains(entry.space) ? entry.count : 0;
  return sum;
}

std::string or_dash(std::optional<int64_t> value) { return value ? thousands(*value) : "-"; }

void add(std::vector<Row>& rows, const std::string& name, std::optional<int64_t> ptx, std::optional<int64_t> code) {
  rows.push_back({name, or_dash(ptx), or_dash(code)});
}

// Those that are at least a hundredth of either bound, the largest first.
void add_parts(std::vector<Row>& rows, const KernelReport& ptx, const KernelReport& code) {
  using Both = std::array<int64_t, 2>;
  std::map<std::string, Both> both;
  int64_t makespan = 0;
  for (size_t side = 0; side < 2; ++side) {
    const solver::Bound& bound = *headline_bound((side == 0 ? ptx : code).analysis);
    makespan = std::max(makespan, *bound.makespan);
    for (const solver::Part& part : bound.parts) both[part_name(part)][side] += part.cycles;
  }
  const auto larger = [](const Both& cycles) { return std::max(cycles[0], cycles[1]); };
  std::vector<std::pair<std::string, Both>> sorted(both.begin(), both.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const auto& a, const auto& b) { return larger(a.second) > larger(b.second); });
  for (const auto& [name, cycles] : sorted) {
    if (larger(cycles) >= makespan / 100) add(rows, "  " + name, cycles[0], cycles[1]);
  }
}

std::string difference(const KernelReport& ptx, const KernelReport& code) {
  std::vector<Row> rows = {{"", "PTX", "machine code"}};
  add(rows, "bound, cycles", headline_bound(ptx.analysis)->makespan, headline_bound(code.analysis)->makespan);
  add_parts(rows, ptx, code);
  add(rows, "one warp, cycles", ptx.analysis.worst, code.analysis.worst);
  add(rows, "instructions it executes", executed(ptx), executed(code));
  const auto bytes = [](const KernelReport& kernel) {
    return kernel.analysis.fetch ? std::optional(kernel.analysis.fetch->bytes) : std::nullopt;
  };
  add(rows, "bytes of code", bytes(ptx), bytes(code));
  const std::set<ir::MemorySpace> memory = {ir::MemorySpace::global, ir::MemorySpace::generic};
  add(rows, "its lines of memory", pieces(ptx, memory), pieces(code, memory));
  const auto local = [](const KernelReport& kernel) { return pieces(kernel, {ir::MemorySpace::local}); };
  if (local(ptx) > 0 || local(code) > 0) add(rows, "its local accesses", local(ptx), local(code));
  add(rows, "loops", static_cast<int64_t>(ptx.loops.size()), static_cast<int64_t>(code.loops.size()));
  return table({Align::left, Align::right, Align::right}, rows, indent);
}

std::string origin(const ir::ListedInstruction& instruction) {
  std::string text;
  if (instruction.source_line > 0) {
    const size_t slash = instruction.source_file.find_last_of('/');
    const std::string name = instruction.source_file.substr(slash == std::string::npos ? 0 : slash + 1);
    text = support::printable(name) + ":" + std::to_string(instruction.source_line);
  }
  if (instruction.ptx_line > 0) text += (text.empty() ? "" : ", ") + fmt::format("PTX {}", instruction.ptx_line);
  return text;
}

}  // namespace

std::string beside_section(const KernelReport& kernel, size_t width) {
  if (kernel.ptx.empty()) {
    if (kernel.ptx_errors.empty()) return {};
    const support::Diagnostic& first = kernel.ptx_errors.front();
    return "\n" + field("not bounded: " + support::printable(first.message) + "; --ptx tells more", width);
  }
  const KernelReport& ptx = kernel.ptx.front();
  const int64_t other = *headline_bound(ptx.analysis)->makespan;
  const int64_t own = *headline_bound(kernel.analysis)->makespan;
  return "\n" +
         field(
             fmt::format("<= {} = {}, {:.2f} of the bound above, which is that of the machine code: this is what runs, "
                         "and the PTX only explains; --ptx tells all of it",
                         counted(other, "cycle"), duration(other, kernel.machine.clock_khz),
                         static_cast<double>(other) / static_cast<double>(std::max<int64_t>(own, 1))),
             width) +
         difference(ptx, kernel);
}

std::string listing_table(const KernelReport& kernel, size_t width) {
  if (kernel.listing.empty()) return {};
  std::vector<Row> rows = {{"cycles", "executions", "mostly", "instruction", "from", "control"}};
  for (const ListedCost& cost : kernel.listing) {
    if (cost.instruction.offset == 0) rows.push_back({"", "", "", support::printable(cost.instruction.function) + ":"});
    const std::string mostly = cost.own >= cost.others ? "own wait" : resource_name(cost.resource);
    rows.push_back({thousands(cost.cycles()), thousands(cost.executions), cost.cycles() > 0 ? mostly : "",
                    support::ascii(cost.instruction.text), origin(cost.instruction), cost.instruction.control});
  }
  return "  listing\n" +
         table({Align::right, Align::right, Align::left, Align::left, Align::left, Align::left}, rows, indent, width);
}

std::string assembler_offer(size_t width) {
  return wrap(
      "", "ptxas is on PATH: with --assemble 'ptxas -O3' the machine code that it makes is bounded, which is what runs",
      width);
}

}  // namespace warpspan::app
