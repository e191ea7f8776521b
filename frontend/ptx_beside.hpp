// SPDX-License-Identifier: GPL-3.0-or-later
// What the PTX that a cubin carries for its line tables tells of the machine code of its kernels (frontend/beside).
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/beside/places.hpp"
#include "frontend/beside/trips.hpp"
#include "frontend/frontend.hpp"
#include "frontend/object/lines.hpp"
#include "frontend/reading/cubin_code.hpp"
#include "frontend/sass/lowering/lower.hpp"

namespace warpspan::frontend {

// The texts of PTX of a cubin, each parsed once.
class PtxTexts {
 public:
  // `file` is for messages. The lines must outlive it.
  PtxTexts(const object::Lines& lines, const std::string& file);

  // The text that a file of the table of lines is; null if there is none.
  const PtxFile* of(uint32_t file) const;

 private:
  const object::Lines& lines_;
  std::deque<PtxFile> texts_;
};

// One kernel, for one launch. Nothing that is wrong with the PTX is an error: then nothing is known from it. Nor is
// anything of a kernel with a loop that counts away from its limit, which ptxas is known to mistranslate.
class PtxBeside {
 public:
  // All that is referred to must outlive it. parameters: how the machine code's parameters are called.
  PtxBeside(const sass::Lowered& lowered, const std::vector<CubinCode::PtxPlace>& places,
            const std::vector<std::string>& parameters);

  // Before anything is added.
  void read(const PtxTexts& texts, const ir::Launch& launch);

  // Facts about the kernel, or, of loops, its program.
  void add_trips(ir::Flow& facts);
  void add_accesses(ir::Flow& facts);

  // Sentences that the facts rest on with what was added, and what contradicts them.
  std::vector<std::string> sentences() const;
  // Of the launch's bounds of labels, by loops of the PTX.
  const std::vector<ir::LoopBoundUse>& uses() const { return uses_; }

 private:
  beside::Places code_places(const ir::Flow& facts) const { return {lowered_.kernel, facts, lines_}; }

  const sass::Lowered& lowered_;
  const std::vector<std::string>& parameters_;
  uint32_t file_;                // of the table of lines, that the kernel is of
  std::vector<uint32_t> lines_;  // of the PTX, by instruction of the kernel
  std::map<std::string, std::string> names_;
  std::optional<AnalyzedKernel> kernel_;  // of the PTX
  std::optional<beside::Places> places_;  // in it
  beside::LoopMatches matches_;           // of the machine code's loops with its
  std::vector<ir::LoopBoundUse> uses_;
  std::vector<std::string> of_loops_;  // sentences
  size_t accesses_ = 0;                // that something was added to
  size_t unreached_ = 0;               // blocks that no warp executes
};

}  // namespace warpspan::frontend
