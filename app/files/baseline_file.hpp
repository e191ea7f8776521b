// SPDX-License-Identifier: GPL-3.0-or-later
// Baselines of 'warpspan check': JSON of schema warpspan.baseline/1 with a line of text for each kernel and for each
// line of source, sorted, so that differences can be read (docs/gate.md).
#pragma once

#include <string>

#include "app/requests/check/baseline.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// {"schema", "version": of warpspan, "kernels": [{"kernel", "file", "label", "machine", "machine_sha256", "options":
// [words], "bound", "usual", "expected": cycles, "registers", "spill", "stack", "shared", "constant": each null where
// it is not known, "lines": [{"file", "line", "text", "bound", "expected"}]}]}. The same for the same baseline.
std::string baseline_text(const Baseline& baseline);

// Errors: no such JSON; a member that is missing, unknown or of a wrong type; lines that do not add up to the kernel's
// cycles, or kernels that stand twice, as where text was merged.
support::Result<Baseline> read_baseline(const support::SourceFile& file);

}  // namespace warpspan::app
