// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/written_errors.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "app/reports/readable.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

using support::Diagnostic;

constexpr size_t most_places = 8;

// "'saxpy'" of "the block of kernel 'saxpy' is not known", also with the symbol behind it; empty where no kernel is
// named.
std::string_view kernel_in(std::string_view message) {
  constexpr std::string_view word = "kernel '";
  const size_t begin = message.find(word);
  if (begin == std::string_view::npos) return {};
  const size_t quote = begin + word.size() - 1;
  size_t end = message.find('\'', quote + 1);
  if (end == std::string_view::npos) return {};
  ++end;
  if (message.substr(end).starts_with(" (_Z")) end = message.find(')', end) + 1;  // npos + 1 is none
  return end == 0 ? std::string_view() : message.substr(quote, end - quote);
}

// What is the same in errors of one cause.
auto cause_of(const Diagnostic& error) {
  std::string message = error.message;
  if (const std::string_view kernel = kernel_in(error.message); !kernel.empty())
    message.erase(static_cast<size_t>(kernel.data() - error.message.data()), kernel.size());
  return std::tuple(error.severity, error.cause, std::move(message), error.help);
}

std::string place_of(const Diagnostic& error) {
  const support::Location& at = error.location;
  std::string place = at.file + (at.line > 0 ? ":" + std::to_string(at.line) : "");
  const std::string_view kernel = kernel_in(error.message);
  return place + (place.empty() || kernel.empty() ? "" : " ") + std::string(kernel);
}

std::string others(const std::vector<const Diagnostic*>& alike) {
  std::vector<std::string> places;
  for (size_t i = 1; i < alike.size() && i <= most_places; ++i)
    places.push_back(support::printable(place_of(*alike[i])));
  std::string text = joined(places);
  if (alike.size() > most_places + 1) text += " and " + std::to_string(alike.size() - 1 - most_places) + " more";
  return wrap("  the same: ", text);
}

}  // namespace

std::string written(const support::Diagnostics& errors, bool colour) {
  std::map<decltype(cause_of(errors.front())), std::vector<const Diagnostic*>> causes;
  for (const Diagnostic& error : errors) {
    if (!kernel_in(error.message).empty()) causes[cause_of(error)].push_back(&error);
  }
  std::string out;
  for (const Diagnostic& error : errors) {
    const auto cause = causes.find(cause_of(error));
    const bool is_alone = cause == causes.end();
    if (!is_alone && cause->second.front() != &error) continue;
    out += support::render(error, colour);
    if (!is_alone && cause->second.size() > 1) out += others(cause->second);
  }
  return out;
}

}  // namespace warpspan::app
