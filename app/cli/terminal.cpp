// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace warpspan::app {

namespace {

constexpr size_t least_width = 80;
constexpr size_t most_width = 120;

// Set once, before anything is written: errors of the command line itself are coloured too.
Colour chosen = Colour::automatic;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// 0 if nothing says.
size_t columns_of_output() {
  struct winsize size {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::string_view text = environment("COLUMNS");
  size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  return error == std::errc() && end == text.data() + text.size() ? columns : 0;
}

}  // namespace

support::Result<Colour> parse_colour(const std::string& option, const std::string& text) {
  if (text == "auto") return Colour::automatic;
  if (text == "always") return Colour::always;
  if (text == "never") return Colour::never;
  return support::usage_error(option + ": expected auto, always or never, got '" + text + "'");
}

void choose_colour(Colour colour) { chosen = colour; }

bool colour_on(Stream stream) {
  if (chosen != Colour::automatic) return chosen == Colour::always;
  if (!environment("NO_COLOR").empty() || environment("TERM") == "dumb") return false;
  return ::isatty(stream == Stream::output ? STDOUT_FILENO : STDERR_FILENO) == 1;
}

TextStyle style_of(const std::string& file) {
  if (!file.empty() && file != "-") return {chosen == Colour::always, usual_width};
  const size_t columns = columns_of_output();
  return {colour_on(Stream::output), columns == 0 ? usual_width : std::clamp(columns, least_width, most_width)};
}

bool assembler_at_hand(const std::string& file) {
  if ((!file.empty() && file != "-") || ::isatty(STDOUT_FILENO) != 1) return false;
  std::string_view folders = environment("PATH");
  while (!folders.empty()) {
    const size_t end = std::min(folders.find(':'), folders.size());
    const std::string program = std::string(folders.substr(0, end)) + "/ptxas";
    if (end > 0 && ::access(program.c_str(), X_OK) == 0) return true;
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return false;
}

}  // namespace warpspan::app
