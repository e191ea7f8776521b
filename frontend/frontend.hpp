// SPDX-License-Identifier: GPL-3.0-or-later
// From a file to kernels with their control flow known: parse, expand calls, lower, lift, apply what the user knows.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/reading/reading.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::frontend {

// Errors: of the file.
support::Result<Contents> contents_of(std::shared_ptr<const support::SourceFile> source);

// A PTX file that is parsed once for all that is read of it, when it is first asked for. Several threads may read it
// side by side.
class PtxFile {
 public:
  explicit PtxFile(std::shared_ptr<const support::SourceFile> source) : source_(std::move(source)) {}

  const support::SourceFile& source() const { return *source_; }
  const std::shared_ptr<const support::SourceFile>& shared_source() const { return source_; }

  // As contents_of.
  support::Result<Contents> contents() const;

  // The indirect calls of a kernel, and of all that it may call.
  struct PointerCalls {
    struct Call {
      uint32_t first_line = 0, end_line = 0;  // of the file: where it begins, and where what follows it does
      std::set<std::string> targets;          // names of the functions that it may lead to; empty: not known
    };
    std::set<std::string> functions;  // that the file has, by their names
    std::vector<Call> calls;
  };
  // Nothing: the file is malformed, or has no such kernel.
  std::optional<PointerCalls> pointer_calls(const std::string& kernel) const;

  // As read_kernels.
  Reading read(const std::vector<std::string>& patterns, const ir::Launch& launch, const Inquiry& inquiry = {}) const;

 private:
  struct Parsed;

  std::shared_ptr<const Parsed> parsed() const;

  std::shared_ptr<const support::SourceFile> source_;
  // No lock: a thread that has no memory left stops where it is, for good.
  mutable std::atomic<std::shared_ptr<const Parsed>> parsed_;
};

// The kernels of a PTX file that one of the patterns names (support::names_symbol), or all if there is no pattern; none
// need be named, but a file without a kernel is an error. launch.block may be missing: then the file's
// .reqntid, or else its .maxntid, is taken; a file without either is an error that says what to give. Arguments and
// loop bounds of the launch that name a kernel are for it alone. A loop bound counts where nothing smaller is proven,
// and is an error where more is proven to happen; which loops it names stands in `uses`, and whether these are the ones
// that the user means is for the caller to check. A loop without a bound is an error that names it and the options that
// give one. An argument that fits no kernel of the file is a usage error.
Reading read_kernels(std::shared_ptr<const support::SourceFile> source, const std::vector<std::string>& patterns,
                     const ir::Launch& launch, const Inquiry& inquiry = {});

}  // namespace warpspan::frontend
