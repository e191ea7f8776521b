// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the text of an experiment small.
#pragma once

#include <functional>

#include "tests/reference/comparison.hpp"

namespace warpspan::reference {

// The experiment without lines that `still_wrong` does not need: as long as any run of lines can be left out.
Experiment shrink(Experiment experiment, const std::function<bool(const Experiment&)>& still_wrong);

}  // namespace warpspan::reference
