// SPDX-License-Identifier: GPL-3.0-or-later
// Which files a user means by words that may be folders and patterns.
#pragma once

#include <string>
#include <vector>

#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// For each word, in order: a file or "-" as it is, also one that does not exist; of a folder all files with the name of
// an input (is_input) in it and the folders below; of a pattern with '*', '?' or '[' what matches it, as a shell would,
// unless a file has that very name. Each file once, those of one word in the order of their names. A folder without
// inputs and a pattern that matches none are usage errors. Links to files that do not exist are taken from a folder
// too, so that reading them fails; links to folders are not followed. Words are relative to the folder, if one is
// given; what is a sign of a pattern in its name is none.
support::Result<std::vector<std::string>> input_files(const std::vector<std::string>& words,
                                                      const std::string& folder = {});

// A note for each word that is a folder with inputs, and with machine code besides: input_files leaves that out.
support::Diagnostics code_left_out(const std::vector<std::string>& words);

// The file, as support::read_source reads it; one that does not fit into memory is an error, too.
support::Result<support::SourceFile> read_isolated(const std::string& path);

// Whether a file of such a name is taken from a folder: ".ptx".
bool is_input(const std::string& path);

}  // namespace warpspan::app
