// SPDX-License-Identifier: GPL-3.0-or-later
// What went wrong, where, and what the user can write to mend it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpspan::support {

enum class Severity : uint8_t { error, warning, note };

// Lines and columns count from 1; 0 means "not known", as for an error about a whole file or an option.
struct Location {
  std::string file;
  int64_t line = 0;
  int64_t column = 0;
};

// Whose mistake it is decides the exit status: wrong use (2), something that cannot be bounded (3), a defect of ours
// (4).
enum class Cause : uint8_t { usage, input, internal };

struct Diagnostic {
  Severity severity = Severity::error;
  Cause cause = Cause::input;
  Location location;
  std::string message;                     // lower case, no full stop: "unknown opcode 'addd'"
  std::string help;                        // what to write instead; may be empty
  std::string source_line;                 // the text of the line, for the caret; may be empty
  bool refutes = false;                    // what the user stated of the kernel, however it is compiled
  std::vector<std::string> mentions = {};  // what the help asks for, by kinds of it (app/facts/spelling.hpp)
};

using Diagnostics = std::vector<Diagnostic>;

// An error that has no location in a file, such as a wrong option.
Diagnostic usage_error(std::string message, std::string help = {});

// A defect of ours, where one was found out.
Diagnostic internal_error(std::string message);

// "file:line:column: error: message", the line of the source (160 bytes of it around the column) with a caret, and a
// help line; ends with a newline. What a terminal might act on is escaped, wherever it comes from (printable.hpp).
std::string render(const Diagnostic& diagnostic, bool colour);

}  // namespace warpspan::support
