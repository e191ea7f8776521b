// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/readable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warpspan::app {

namespace {

constexpr size_t least_cell = 24;  // columns that a cell is wrapped to: below that long lines read better

int64_t ceil_divide(int64_t a, int64_t b) { return a / b + (a % b > 0 ? 1 : 0); }

// A number of thousandths of the unit.
std::string decimal(int64_t thousandths, std::string_view unit) {
  return fmt::format("{}.{:03} {}", thousands(thousandths / 1000), thousandths % 1000, unit);
}

}  // namespace

std::string duration(int64_t cycles, int64_t clock_khz) {
  const int64_t whole_ms = cycles / clock_khz;
  const int64_t rest = cycles % clock_khz;  // cycles of a started millisecond
  if (whole_ms == 0 && rest <= INT64_MAX / 1'000'000) return decimal(ceil_divide(rest * 1'000'000, clock_khz), "us");
  if (whole_ms < 1000 && rest <= INT64_MAX / 1000) {
    return decimal(whole_ms * 1000 + ceil_divide(rest * 1000, clock_khz), "ms");
  }
  return decimal(whole_ms + (rest > 0 ? 1 : 0), "s");
}

std::optional<int64_t> picoseconds(int64_t cycles, int64_t clock_khz) {
  __extension__ using Wide = __int128;
  const Wide time = (Wide{cycles} * 1'000'000'000 + clock_khz - 1) / clock_khz;
  return time <= INT64_MAX ? std::optional(static_cast<int64_t>(time)) : std::nullopt;
}

std::string memory_size(int64_t bytes) {
  constexpr std::string_view units[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return counted(bytes, "byte");
  size_t unit = 0;
  int64_t of_one = 1024;
  while (unit + 1 < std::size(units) && bytes / 1024 >= of_one) {
    of_one *= 1024;
    ++unit;
  }
  const int64_t whole = bytes / of_one;
  const int64_t tenths = ceil_divide(bytes % of_one * 10, of_one);  // below 10 * 2^40
  if (tenths == 10) return thousands(whole + 1) + " " + std::string(units[unit]);
  const std::string fraction = tenths == 0 ? "" : "." + std::to_string(tenths);
  return thousands(whole) + fraction + " " + std::string(units[unit]);
}

std::string frequency(int64_t clock_khz) {
  std::string text = fmt::format("{}.{:03}", clock_khz / 1000, clock_khz % 1000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " MHz";
}

std::string extent(const ir::Extent& e) {
  std::string text = std::to_string(e.x);
  if (e.y != 1 || e.z != 1) text += "x" + std::to_string(e.y);
  if (e.z != 1) text += "x" + std::to_string(e.z);
  return text;
}

std::string percent(int64_t tenths) {
  const int64_t size = tenths < 0 ? -tenths : tenths;
  return fmt::format("{}{}.{} %", tenths < 0 ? "-" : "", thousands(size / 10), size % 10);
}

std::string counted(int64_t count, std::string_view word) {
  return fmt::format("{} {}{}", thousands(count), word, count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : separator).append(word);
  return text;
}

std::string file_within(const std::string& name) {
  constexpr std::string_view of = " of ";
  const size_t at = name.find(of);
  const bool is_made = name.starts_with('<') && name.ends_with('>') && at != std::string::npos;
  return is_made ? name.substr(at + of.size(), name.size() - 1 - at - of.size()) : name;
}

std::string single_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t';
    if (!is_blank || (!out.empty() && out.back() != ' ')) out += is_blank ? ' ' : c;
  }
  return out;
}

std::string shorten(std::string_view text, size_t width) {
  if (text.size() <= width) return std::string(text);
  return std::string(text.substr(0, width)) + " ...";
}

std::string bold(const std::string& text, bool colour) { return colour ? "\033[1m" + text + "\033[0m" : text; }

std::string wrap(std::string_view first, std::string_view text, size_t width) {
  std::string out;
  std::string line(first);
  bool empty = true;
  while (!text.empty()) {
    const size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (word.empty()) continue;
    if (!empty && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line.assign(first.size(), ' ');
      empty = true;
    }
    line += (empty ? "" : " ") + std::string(word);
    empty = false;
  }
  return out + line + "\n";
}

std::string one_line(std::string_view first, std::string_view text, size_t width) {
  constexpr std::string_view dots = " ...";
  std::string line = std::string(first) + std::string(text);
  if (line.size() > width) {
    const size_t blank = line.rfind(' ', width - std::min(width, dots.size()));
    line.resize(blank == std::string::npos || blank < first.size() ? width - std::min(width, dots.size()) : blank);
    line += dots;
  }
  return line + "\n";
}

std::string table(const std::vector<Align>& alignments, const std::vector<Row>& rows, size_t indent, size_t width) {
  std::vector<size_t> widths(alignments.size(), 0);
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  size_t last_column = 0;  // where it begins
  for (size_t i = 0; i + 1 < widths.size(); ++i) last_column += widths[i] + 2;
  std::string out;
  for (const Row& row : rows) {
    std::string line(indent, ' ');
    for (size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - row[i].size(), ' ');
      line += (i == 0 ? "" : "  ") + (alignments[i] == Align::right ? padding + row[i] : row[i] + padding);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    const size_t before = indent + last_column;
    const bool is_full = row.size() == alignments.size() && alignments.back() == Align::left;
    if (line.size() > width && is_full && before + least_cell <= width) {
      out += wrap(line.substr(0, before), line.substr(before), width);
    } else {
      out += line + "\n";
    }
  }
  return out;
}

}  // namespace warpspan::app
