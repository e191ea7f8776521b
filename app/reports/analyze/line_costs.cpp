// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/line_costs.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include "support/file_reads.hpp"

namespace warpspan::app {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_source = 64 << 20;  // bytes
constexpr size_t longest_text = 500;                 // bytes of a line

// Without blanks around it, and not cut within a character of UTF-8.
std::string shown(std::string_view line) {
  constexpr std::string_view blanks = " \t\r\f\v";
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  line = line.substr(0, line.find_last_not_of(blanks) + 1);
  if (line.size() <= longest_text) return std::string(line);
  size_t end = longest_text;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) --end;
  return std::string(line.substr(0, end));
}

// A device or a pipe could have no end.
bool is_source(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && fs::file_size(path, error) <= largest_source && !error;
}

// Of the file that a text is from, also where it is made of it: "<machine code of build/k.cubin>".
fs::path folder_of(std::string_view name) {
  for (const std::string_view made : {"<machine code of ", "<PTX of ", "<PTX in "}) {
    if (name.starts_with(made)) name.remove_prefix(made.size());
  }
  return fs::path(name).parent_path();
}

// Adds costs of instructions to that of a line; `executions` is the caller's business.
class CostSum {
 public:
  void add(const timing::InstructionCost& cost) {
    own_ += cost.own;
    if (cost.others > 0) others_[cost.resource] += cost.others;
  }

  template <typename Cost>
  void fill(Cost& cost) const {
    cost.own = own_;
    cost.others = 0;
    for (const auto& [resource, cycles] : others_) cost.others += cycles;
    const auto most = std::max_element(others_.begin(), others_.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != others_.end()) cost.resource = most->first;
  }

 private:
  int64_t own_ = 0;
  std::map<std::string, int64_t> others_;  // by resource
};

class LineSums {
 public:
  LineSums(const ir::Kernel& kernel, LineTexts& texts, const LineOf& line_of)
      : kernel_(kernel), texts_(texts), line_of_(line_of) {}

  void add(const timing::InstructionCost& cost) {
    const ir::Instruction& instruction = kernel_.instructions[cost.instruction];
    const ir::SourceLine source = line_of_ ? line_of_(instruction) : innermost(instruction);
    const bool known = source.line > 0;
    const std::string& file = known ? source.file : texts_.input();
    const int64_t line = known ? source.line : instruction.line;
    Sum& sum = sums_[{file, line}];
    sum.cost.executions = std::max(sum.cost.executions, cost.executions);
    sum.sum.add(cost);
    if (sum.cost.text.empty()) sum.cost.text = known ? texts_.of_source(file, line) : texts_.of_input(line);
  }

  // The costliest first, then by file and line.
  std::vector<LineCost> take() {
    std::vector<LineCost> lines;
    for (auto& [place, sum] : sums_) {
      LineCost& line = sum.cost;
      std::tie(line.file, line.line) = place;
      line.path = texts_.path_of(line.file);
      sum.sum.fill(line);
      lines.push_back(std::move(line));
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const LineCost& a, const LineCost& b) { return a.cycles() > b.cycles(); });
    return lines;
  }

 private:
  struct Sum {
    LineCost cost;
    CostSum sum;
  };

  ir::SourceLine innermost(const ir::Instruction& instruction) const {
    if (instruction.source_line == 0) return {};
    return {kernel_.source_files[instruction.source_file], instruction.source_line};
  }

  const ir::Kernel& kernel_;
  LineTexts& texts_;
  const LineOf& line_of_;
  std::map<std::pair<std::string, int64_t>, Sum> sums_;
};

}  // namespace

LineTexts::LineTexts(std::shared_ptr<const support::SourceFile> input) : input_(std::move(input)) {}

std::string LineTexts::of_input(int64_t line) const { return shown(input_->line(line)); }

const LineTexts::Source& LineTexts::source_of(const std::string& file) {
  auto known = sources_.find(file);
  if (known == sources_.end()) known = sources_.emplace(file, find(file)).first;
  return known->second;
}

std::string LineTexts::of_source(const std::string& file, int64_t line) {
  const Source& source = source_of(file);
  return source.text ? shown(source.text->line(line)) : std::string();
}

std::shared_ptr<const support::SourceFile> LineTexts::file_of(const std::string& file) { return source_of(file).text; }

std::string LineTexts::path_of(const std::string& file) const {
  const auto known = sources_.find(file);
  return known == sources_.end() || !known->second.text ? file : known->second.path;
}

std::vector<std::shared_ptr<const support::SourceFile>> LineTexts::sources() const {
  std::vector<std::shared_ptr<const support::SourceFile>> all;
  for (const auto& [name, source] : sources_) {
    if (source.text) all.push_back(source.text);
  }
  return all;
}

LineTexts::Source LineTexts::find(const std::string& file) const {
  const fs::path beside = folder_of(input_->name()) / file;
  for (const fs::path& path : {fs::path(file), beside}) {
    if (!is_source(path)) {
      std::error_code unknown;
      if (fs::exists(path, unknown)) {
        support::report_disturbance();  // a folder, say: what becomes of it is not looked after
      } else {
        support::ReadRecord::add_missing(path.string());
      }
      continue;
    }
    auto text = support::read_source(path.string());
    if (!text) continue;
    Source source{std::make_shared<const support::SourceFile>(std::move(*text)), path.string()};
    std::error_code error;
    const fs::path here = fs::proximate(path, error);
    if (!error && !here.empty() && *here.begin() != "..") source.path = here.string();
    return source;
  }
  return {};
}

std::vector<LineCost> line_costs(const ir::Kernel& kernel, const std::vector<timing::InstructionCost>& costs,
                                 LineTexts& texts, const LineOf& line_of) {
  LineSums sums(kernel, texts, line_of);
  for (const timing::InstructionCost& cost : costs) sums.add(cost);
  return sums.take();
}

std::vector<LineCost> expected_lines(const ir::Kernel& kernel, const ExpectedTime& expected, LineTexts& texts,
                                     const LineOf& line_of) {
  double whole = 0, until = 0;
  for (const double cycles : expected.waited) whole += cycles;
  if (whole <= 0 || expected.waited.size() > kernel.instructions.size()) return {};
  LineSums sums(kernel, texts, line_of);
  int64_t given = 0;
  for (ir::InstructionId i = 0; i < expected.waited.size(); ++i) {
    until += expected.waited[i];
    const bool is_last = i + 1 == expected.waited.size();
    const int64_t to =
        is_last ? expected.cycles
                : std::clamp<int64_t>(static_cast<int64_t>(static_cast<double>(expected.cycles) * (until / whole)),
                                      given, expected.cycles);
    timing::InstructionCost cost;
    cost.instruction = i;
    cost.own = to - given;
    if (cost.own > 0) sums.add(cost);
    given = to;
  }
  return sums.take();
}

std::vector<ListedCost> listed_costs(const std::vector<ir::ListedInstruction>& listing, const ir::Kernel& kernel,
                                     const std::vector<timing::InstructionCost>& costs) {
  if (listing.empty()) return {};
  std::map<uint32_t, std::pair<int64_t, CostSum>> by_line;  // executions, and the rest
  for (const timing::InstructionCost& cost : costs) {
    auto& [executions, sum] = by_line[kernel.instructions[cost.instruction].line];
    executions += cost.executions;
    sum.add(cost);
  }
  std::vector<ListedCost> all;
  for (const ir::ListedInstruction& instruction : listing) {
    all.push_back({instruction});
    const auto& [executions, sum] = by_line[instruction.line];
    all.back().executions = executions;
    sum.fill(all.back());
  }
  return all;
}

std::vector<CostlyInstruction> costly_instructions(const ir::Kernel& kernel,
                                                   const std::vector<timing::InstructionCost>& costs) {
  std::vector<CostlyInstruction> result;
  for (const timing::InstructionCost& cost : costs) {
    const ir::Instruction& instruction = kernel.instructions[cost.instruction];
    result.push_back({instruction.line, kernel.operation(instruction).text});
  }
  return result;
}

}  // namespace warpspan::app
