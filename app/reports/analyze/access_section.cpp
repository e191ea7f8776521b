// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/access_section.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reports/readable.hpp"
#include "ir/sizes.hpp"
#include "support/checked.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

std::string accesses(int64_t count) { return thousands(count) + (count == 1 ? " access" : " accesses"); }

// "once", "2.1 times", "64 times": of hundredths.
std::string times(int64_t hundredths) {
  const int64_t tenths = (hundredths + 5) / 10;
  if (tenths <= 10) return "once";
  return tenths < 100 && tenths % 10 != 0 ? fmt::format("{}.{} times", tenths / 10, tenths % 10)
                                          : thousands((tenths + 5) / 10) + " times";
}

// How often the warps of the launch ask for a line, on average: ", each line once". Where what parameters point to is
// aligned an execution may need fewer lines, and that is said.
std::string reuse(const MemoryAccess& access, const KernelReport& kernel) {
  const auto& lines = access.where.grid_lines;
  if (!lines || *lines < 1 || !access.executions) return {};
  const bool aligns = access.where.aligned_transactions > 0 && access.where.aligned_transactions < access.pieces;
  const int64_t pieces = aligns ? access.where.aligned_transactions : access.pieces;
  const auto requests =
      (support::Integer(*access.executions) * pieces * kernel.analysis.load.device_warps * 100).value();
  if (!requests) return {};
  return ", each line " + times(*requests / *lines) + (aligns ? " if aligned" : "");
}

std::string lines_text(const MemoryAccess& access) {
  const ir::Access& where = access.where;
  std::string text;
  const auto add = [&text](const std::optional<int64_t>& lines, const char* of) {
    if (lines) text += (text.empty() ? "" : ", ") + counted(*lines, "line") + " a " + of;
  };
  add(where.warp_lines, "warp");
  add(where.block_lines, "block");
  return text;
}

std::string place(const MemoryAccess& access, const KernelReport& kernel) {
  const bool known = access.source_line > 0;
  const std::string& file = known ? access.source_file : kernel.file;
  return support::printable(file.substr(file.find_last_of('/') + 1)) + ":" +
         std::to_string(known ? access.source_line : access.line);
}

// Whether its addresses are no sums of what the launch fixes; without a grid some of that is not known.
bool is_gather(const MemoryAccess& access, const KernelReport& kernel) {
  return access.where.form.empty() && (access.where.span || (kernel.launch.grid && !access.object.empty()));
}

// What gathers count from and whose size is unknown, each once.
std::vector<std::string> arrays_without_size(const KernelReport& kernel) {
  std::vector<std::string> names;
  for (const MemoryAccess& access : kernel.accesses) {
    if (access.where.span || !is_gather(access, kernel)) continue;
    const std::string name = support::printable(access.object);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

// "param_0" of "saxpy_param_0", as compilers name the parameters of a kernel "saxpy".
std::string short_object(const MemoryAccess& access, const KernelReport& kernel) {
  if (access.object.empty()) return "-";
  const std::string prefix = kernel.name + "_";
  const bool has_prefix = access.object.starts_with(prefix) && access.object.size() > prefix.size();
  return support::printable(has_prefix ? access.object.substr(prefix.size()) : access.object);
}

// Whether the size of its object is the user's.
bool is_stated(const MemoryAccess& access, const KernelReport& kernel) {
  const auto& buffers = kernel.launch.buffers;
  return std::any_of(buffers.begin(), buffers.end(),
                     [&access](const ir::Buffer& buffer) { return buffer.parameter == access.object; });
}

// "5 of 6 accesses to global memory cover dense ranges", and what the others miss.
std::string summary(const KernelReport& kernel) {
  const auto count = static_cast<int64_t>(kernel.accesses.size());
  const auto dense = static_cast<int64_t>(std::count_if(kernel.accesses.begin(), kernel.accesses.end(),
                                                        [](const MemoryAccess& access) { return access.where.dense; }));
  if (!kernel.launch.grid) return accesses(count) + " to global memory, of one block";
  if (dense == count) {
    return count == 1 ? "the access to global memory covers a dense range"
                      : fmt::format("all {} accesses to global memory cover dense ranges", thousands(count));
  }
  if (dense == 0) {
    return count == 1 ? "the access to global memory covers no dense range: --assume stream does not help it"
                      : fmt::format(
                            "none of {} accesses to global memory covers a dense range: --assume stream helps "
                            "none",
                            thousands(count));
  }
  return fmt::format("{} of {} to global memory {}: --assume stream helps no other", thousands(dense), accesses(count),
                     dense == 1 ? "covers a dense range" : "cover dense ranges");
}

Row row_of(const MemoryAccess& access, const KernelReport& kernel) {
  return {place(access, kernel), support::printable(access.instruction), short_object(access, kernel),
          touched(access, kernel)};
}

// ", 32 lines of it": where it is fewer than there are.
std::string part_of_span(const ir::Access& where) {
  const int64_t all = (where.span->end - where.span->first) / ir::memory_line_bytes;
  return where.grid_lines && *where.grid_lines < all ? ", " + counted(*where.grid_lines, "line") + " of it" : "";
}

}  // namespace

std::string touched(const MemoryAccess& access, const KernelReport& kernel) {
  const ir::Access& where = access.where;
  if (access.object.empty() && !where.span) return "unknown";
  const std::string range = where.span ? memory_size(where.span->end - where.span->first) : std::string();
  if (where.dense) return "dense, " + range + reuse(access, kernel);
  if (is_gather(access, kernel)) {
    return where.span ? "gather, " + range + (is_stated(access, kernel) ? " (--buffer)" : "")
                      : "gather of unknown size";
  }
  if (!where.span) return lines_text(access).empty() ? "unknown without --grid" : lines_text(access);
  return "within " + range + part_of_span(where) + reuse(access, kernel);
}

std::string access_table(const KernelReport& kernel, size_t most, size_t width) {
  if (kernel.accesses.empty()) return {};
  std::vector<const MemoryAccess*> costliest;
  for (const MemoryAccess& access : kernel.accesses) costliest.push_back(&access);
  std::stable_sort(costliest.begin(), costliest.end(),
                   [](const MemoryAccess* a, const MemoryAccess* b) { return a->cycles > b->cycles; });
  std::vector<Row> rows;
  std::vector<int64_t> counts;  // of accesses, by row
  int64_t others = 0;
  for (const MemoryAccess* access : costliest) {
    Row row = row_of(*access, kernel);
    const auto known = std::find(rows.begin(), rows.end(), row);
    if (known != rows.end()) {
      ++counts[static_cast<size_t>(known - rows.begin())];
    } else if (rows.size() < most) {
      rows.push_back(std::move(row));
      counts.push_back(1);
    } else {
      ++others;
    }
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (counts[i] > 1) rows[i][1] += " x" + std::to_string(counts[i]);
  }
  std::string out =
      wrap("  ", summary(kernel), width) + table({Align::left, Align::left, Align::left, Align::left}, rows, 4, width);
  if (others > 0) out += fmt::format("    ... and {} more; the JSON report has all\n", thousands(others));
  const std::vector<std::string> unsized = arrays_without_size(kernel);
  if (!unsized.empty()) {
    out += wrap("    ", "--buffer NAME=BYTES gives a gather its size; NAME: " + joined(unsized), width);
  }
  return out;
}

}  // namespace warpspan::app
