// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernels of files have the same bound.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "app/requests/response/response_times.hpp"

namespace warpspan::app {

// All that decides the bound of a kernel on a machine; where the tasks file states it is no part of it. Kernels whose
// files, facts and values are the same have the same key.
struct KernelKey {
  std::vector<std::string> words;
  ir::Launch launch;

  friend auto operator<=>(const KernelKey&, const KernelKey&) = default;
};
KernelKey key_of(const KernelOfFile& kernel);

}  // namespace warpspan::app
