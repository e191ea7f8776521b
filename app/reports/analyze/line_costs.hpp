// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of a bound by instruction, as people find it: by line of the source.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/reports/analyze/analyze_report.hpp"
#include "ir/kernel.hpp"
#include "support/source_file.hpp"
#include "timing/analysis.hpp"

namespace warpspan::app {

// The lines of an input and of the files that it was compiled from, each file read once. A line has no blanks around it
// and is cut where it is very long; one that is not there is empty.
class LineTexts {
 public:
  explicit LineTexts(std::shared_ptr<const support::SourceFile> input);

  const std::string& input() const { return input_->name(); }
  std::string of_input(int64_t line) const;
  // file: as the line tables of the input name it, seen from the folder the program runs in or else from that of the
  // input. A file that is missing, no regular one or larger than any source has no lines.
  std::string of_source(const std::string& file, int64_t line);
  // The whole file, named as for of_source; null where it has no lines.
  std::shared_ptr<const support::SourceFile> file_of(const std::string& file);
  // Where a file is that of_source was asked for, from the folder the program runs in if it is below; the name itself
  // if it was not found.
  std::string path_of(const std::string& file) const;
  // The source files that were read so far, in the order of the names in the line tables.
  std::vector<std::shared_ptr<const support::SourceFile>> sources() const;

 private:
  struct Source {
    std::shared_ptr<const support::SourceFile> text;
    std::string path;
  };

  Source find(const std::string& file) const;
  const Source& source_of(const std::string& file);

  std::shared_ptr<const support::SourceFile> input_;
  std::map<std::string, Source> sources_;
};

// The line of the source that an instruction counts for; line 0 where the line tables do not tell.
using LineOf = std::function<ir::SourceLine(const ir::Instruction&)>;

// What the lines of a kernel cost: those of the source where the line tables tell them, else those of the input. The
// costliest first, then by file and line. line_of: by default the innermost of inlined code.
std::vector<LineCost> line_costs(const ir::Kernel& kernel, const std::vector<timing::InstructionCost>& costs,
                                 LineTexts& texts, const LineOf& line_of = {});

// The same of the expected time, as `own`, of a launch that was simulated: to each line its part of what warps waited.
// They add up to it. Nothing of others.
std::vector<LineCost> expected_lines(const ir::Kernel& kernel, const ExpectedTime& expected, LineTexts& texts,
                                     const LineOf& line_of = {});

// The costs of all instructions of a listing, also of those that nothing leads to; empty without a listing.
std::vector<ListedCost> listed_costs(const std::vector<ir::ListedInstruction>& listing, const ir::Kernel& kernel,
                                     const std::vector<timing::InstructionCost>& costs);

// The instructions that have costs, one for each.
std::vector<CostlyInstruction> costly_instructions(const ir::Kernel& kernel,
                                                   const std::vector<timing::InstructionCost>& costs);

}  // namespace warpspan::app
