// SPDX-License-Identifier: GPL-3.0-or-later
// Which line of the source an instruction of inlined code is shown at: where somebody would change something.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/reports/analyze/line_costs.hpp"
#include "frontend/frontend.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// Of the kernels of one file.
class SourceLines {
 public:
  // input: what was read, PTX or a listing of machine code. root: the folder of the sources that are the user's; empty:
  // the folder that the program runs in and that of the kernel's own source.
  SourceLines(std::shared_ptr<const support::SourceFile> input, std::string root);

  // Of code that was inlined: the innermost line that is of a file of the user, be it that of a call; else that of the
  // outermost call. The kernel must live as long, and `of` is called for the next one when its lines are told.
  LineOf of(const frontend::AnalyzedKernel& analyzed);

 private:
  // A call that code was inlined for: `.loc ... inlined_at FILE LINE COLUMN`.
  struct Call {
    int64_t file = 0, line = 0;
    size_t outer = 0;  // of the code that the call is in, as calls_; 0: of none
    auto operator<=>(const Call&) const = default;
  };
  struct Place {
    int64_t line = 0;    // of the input: from there on
    int64_t source = 0;  // line of the source
    size_t call = 0;
  };

  void read_ptx();
  void read_location(int64_t number, std::string_view words);
  std::vector<ir::SourceLine> calls_at(const ir::Instruction& instruction) const;
  bool is_users(const std::string& file);

  std::shared_ptr<const support::SourceFile> input_;
  std::string root_;
  bool is_read_ = false;
  std::vector<Call> calls_ = {{}};
  std::map<Call, size_t> known_calls_;
  std::map<std::array<int64_t, 3>, size_t> last_call_;  // of the last .loc with this file, line and column
  std::map<int64_t, std::string> files_;
  std::vector<Place> places_;
  std::vector<std::string> folders_;      // of the user's sources
  std::map<std::string, bool> is_users_;  // by file, of these folders
};

}  // namespace warpspan::app
