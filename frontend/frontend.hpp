// From a file to kernels with their control flow known: parse, expand calls, lower, lift, apply what the user knows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ir/flow.hpp"
#include "ir/kernel.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::frontend {

struct AnalyzedKernel {
  ir::Kernel kernel;
  ir::Flow flow;                 // every loop has a trip count
  ir::Launch launch;             // with the block filled in
  bool block_from_file = false;  // the block is the file's .reqntid or .maxntid
};

struct FailedKernel {
  std::string name;
  support::Diagnostics errors;
};

struct Reading {
  std::vector<std::string> names;       // of all kernels of the file, chosen or not, in its order
  std::vector<AnalyzedKernel> kernels;  // in the order of the file: those that were chosen and could be read
  std::vector<FailedKernel> failed;     // those that were chosen and could not
  support::Diagnostics errors;          // of the file, and of the kernels that failed
};

// The names of the kernels of a PTX file, in its order. Errors: of the file.
support::Result<std::vector<std::string>> kernel_names(std::shared_ptr<const support::SourceFile> source);

// The kernels of a PTX file that one of the patterns names (support::names_symbol), or all if there is no pattern; none
// need be named, but a file without a kernel is an error. launch.block may be missing: then the file's
// .reqntid, or else its .maxntid, is taken; a file without either is an error that says what to give. A loop bound of
// the launch counts where nothing smaller is proven, and is an error where more is proven to happen. A loop without a
// bound is an error that names it and the ways to give one. A bound or an argument that fits no kernel of the file is a
// usage error.
Reading read_kernels(std::shared_ptr<const support::SourceFile> source, const std::vector<std::string>& patterns,
                     const ir::Launch& launch);

}  // namespace warpspan::frontend
