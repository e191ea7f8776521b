// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/dwarf/parameters.hpp"

#include <sstream>

#include "frontend/dwarf/read_parameters.hpp"
#include "support/worker_process.hpp"

namespace warpspan::dwarf {

namespace {

constexpr double most_seconds = 60;  // of work that takes well below one

// What the worker tells, in words with a blank or a line's end behind each: "f 2" for a function of the symbol with
// that number, "p s 12 1" for its next parameter, "s .n 8 4 0" for the next scalar of that, and "end". Names have no
// blanks.
constexpr const char* no_text = "-";

std::string or_none(const std::string& text) { return text.empty() ? no_text : text; }
std::string without_none(std::string text) { return text == no_text ? "" : text; }

std::string written(const std::vector<std::vector<Parameters>>& found) {
  std::ostringstream out;
  for (size_t i = 0; i < found.size(); ++i) {
    for (const Parameters& function : found[i]) {
      out << "f " << i << '\n';
      for (const Parameter& parameter : function) {
        out << "p " << or_none(parameter.name) << ' ' << parameter.bytes.value_or(-1) << ' ' << parameter.has_members
            << '\n';
        for (const Scalar& scalar : parameter.scalars) {
          out << "s " << or_none(scalar.path) << ' ' << scalar.offset << ' ' << scalar.bytes << ' '
              << static_cast<int>(scalar.kind) << '\n';
        }
      }
    }
  }
  out << "end\n";
  return out.str();
}

// Of what `written` wrote for so many symbols; nothing if it is not complete.
std::vector<std::vector<Parameters>> read_back(const std::string& text, size_t symbols) {
  std::vector<std::vector<Parameters>> found(symbols);
  std::istringstream in(text);
  std::vector<Parameters>* of_symbol = nullptr;
  for (std::string what; in >> what;) {
    if (what == "end") return found;
    if (what == "f") {
      size_t symbol = 0;
      if (!(in >> symbol) || symbol >= symbols) break;
      of_symbol = &found[symbol];
      of_symbol->emplace_back();
    } else if (what == "p") {
      Parameter& parameter = of_symbol->back().emplace_back();
      int64_t bytes = 0;
      in >> parameter.name >> bytes >> parameter.has_members;
      parameter.name = without_none(std::move(parameter.name));
      if (bytes >= 0) parameter.bytes = bytes;
    } else {
      Scalar& scalar = of_symbol->back().back().scalars.emplace_back();
      int kind = 0;
      in >> scalar.path >> scalar.offset >> scalar.bytes >> kind;
      scalar.path = without_none(std::move(scalar.path));
      scalar.kind = static_cast<ScalarKind>(kind);
    }
  }
  return {};
}

}  // namespace

std::vector<std::vector<Parameters>> find_parameters(const Sections& sections, const std::vector<Wanted>& wanted) {
  if (!sections.contains(".debug_info") || wanted.empty()) return {};
  const auto work = [&](int output) {
    const auto found = read_parameters(sections, wanted);
    const std::string text = found.empty() ? "" : written(found);
    support::report(output, text.data(), text.size());
  };
  support::WorkerLimits limits;
  limits.seconds = most_seconds;
  const support::WorkerReport report = support::run_in_worker(work, limits);
  if (report.end != support::WorkerReport::End::finished) return {};
  return read_back(report.output, wanted.size());
}

}  // namespace warpspan::dwarf
