// SPDX-License-Identifier: GPL-3.0-or-later
// Words of the command line that stand in files.
#pragma once

#include <string>
#include <vector>

#include "support/result.hpp"

namespace warpspan::app {

// The words with those of a file in place of each "@file" before a "--". A file's words are split as a shell does, with
// comments (support::ShellWordReader), and nothing in them is expanded but an '@' in front that is not quoted. Paths
// are from the current folder. Usage errors, with the place in a file: one that cannot be read, names itself, is nested
// deeper than 10, a quote that is never closed; more than 100,000 words.
support::Result<std::vector<std::string>> with_response_files(const std::vector<std::string>& words);

}  // namespace warpspan::app
