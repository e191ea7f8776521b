// SPDX-License-Identifier: GPL-3.0-or-later
// What 'warpspan verify' says about a certificate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "solver/strings/certificate/certificate.hpp"
#include "support/diagnostic.hpp"

namespace warpspan::app {

struct VerifyReport {
  std::string file;
  std::optional<solver::Certificate> certificate;  // if the file could be read
  std::string string;                              // the certificate's, "C(L2C)^64L"
  std::optional<solver::Line> line;                // what it proves, if it does
  std::optional<int64_t> warps;                    // asked for
  std::optional<int64_t> makespan;                 // the bound for them
  support::Diagnostics errors;
};

}  // namespace warpspan::app
