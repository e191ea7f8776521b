// SPDX-License-Identifier: GPL-3.0-or-later
// What the streams of the program can show.
#pragma once

#include <string>

#include "app/reports/text_style.hpp"
#include "support/result.hpp"

namespace warpspan::app {

enum class Stream { output, error };

enum class Colour { automatic, always, never };

// "auto", "always" or "never"; a usage error that begins with the option's name.
support::Result<Colour> parse_colour(const std::string& option, const std::string& text);

// For all that the program writes from now on.
void choose_colour(Colour colour);

// Whether text for the stream is coloured: as chosen, or else where it is a terminal that can (TERM is not "dumb") and
// NO_COLOR is unset or empty (no-color.org).
bool colour_on(Stream stream);

// How a report is to look that goes to the file, or, where that is empty or "-", to standard output: in lines as wide
// as the terminal, or else as COLUMNS says, but of 80 to 120 columns; usual_width in a file.
TextStyle style_of(const std::string& file);

// Whether ptxas is on PATH, for somebody who reads the report on a terminal: in files it is the same everywhere.
bool assembler_at_hand(const std::string& file);

}  // namespace warpspan::app
