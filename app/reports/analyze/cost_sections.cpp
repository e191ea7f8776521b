// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/reports/analyze/cost_sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/reports/analyze/report_sections.hpp"
#include "app/reports/readable.hpp"
#include "support/printable.hpp"

namespace warpspan::app {

namespace {

constexpr size_t indent = 4;

std::string share_of(int64_t cycles, int64_t makespan) {
  if (makespan == 0) return "-";
  return fmt::format("{:.1f} %", 100 * static_cast<double>(cycles) / static_cast<double>(makespan));
}

std::string name_of(const std::string& file) {
  const std::string path = file_within(file);
  return path.substr(path.find_last_of('/') + 1);
}

// The file's name; its path where other lines are of another file with this name.
std::string place(const LineCost& line, const std::vector<LineCost>& lines) {
  const std::string name = name_of(line.file);
  const bool ambiguous = std::any_of(lines.begin(), lines.end(), [&](const LineCost& other) {
    return other.file != line.file && name_of(other.file) == name;
  });
  return support::printable(ambiguous ? file_within(line.file) : name) + ":" + std::to_string(line.line);
}

std::string mostly(const LineCost& line) { return line.own >= line.others ? "own wait" : resource_name(line.resource); }

// The rows of a table, each with a text behind it as far as there is room.
std::string with_texts(const std::string& rows, const std::vector<std::string>& texts, size_t width) {
  size_t longest = 0;
  for (size_t begin = 0; begin < rows.size(); begin = rows.find('\n', begin) + 1) {
    longest = std::max(longest, rows.find('\n', begin) - begin);
  }
  const size_t room = width > longest + 2 ? width - longest - 2 : 0;
  std::string out;
  size_t begin = 0;
  for (const std::string& text : texts) {
    const size_t end = rows.find('\n', begin);
    std::string row = rows.substr(begin, end - begin);
    begin = end + 1;
    if (!text.empty() && room >= 8) {
      row.resize(longest + 2, ' ');
      row += text.size() <= room ? text : shorten(text, room - 4);
    }
    out += row + "\n";
  }
  return out;
}

}  // namespace

std::string cost_table(const std::vector<LineCost>& lines, int64_t makespan, size_t most, size_t width) {
  if (lines.empty()) return {};
  std::vector<Row> rows = {{"cycles", "of all", "executions", "mostly", "line"}};
  std::vector<std::string> texts = {""};
  int64_t rest = makespan, others = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const LineCost& line = lines[i];
    rest -= line.cycles();
    if (i >= most) {
      others += line.cycles();
      continue;
    }
    rows.push_back({thousands(line.cycles()), share_of(line.cycles(), makespan), thousands(line.executions),
                    mostly(line), place(line, lines)});
    texts.push_back(support::ascii(single_blanks(line.text)));
  }
  if (lines.size() > most) {
    const auto count = static_cast<int64_t>(lines.size() - most);
    rows.push_back({thousands(others), share_of(others, makespan), "", "", counted(count, "other line")});
    texts.emplace_back();
  }
  if (rest > 0) {
    rows.push_back({thousands(rest), share_of(rest, makespan), "", "", "no line"});
    texts.emplace_back("fetching code, dispatch");
  }
  return with_texts(table({Align::right, Align::right, Align::right, Align::left, Align::left}, rows, indent), texts,
                    width);
}

std::string costliest_lines(const KernelReport& kernel, int64_t makespan, size_t most, size_t indent, size_t width) {
  const std::vector<LineCost>& lines = kernel.lines;
  struct Place {
    int64_t cycles;
    Row row;
    std::string text;
  };
  std::vector<Place> places;
  int64_t rest = lines.empty() ? 0 : makespan - (kernel.brief ? kernel.brief->cycles_left_out : 0);
  for (const LineCost& line : lines) {
    rest -= line.cycles();
    if (places.size() >= most) continue;
    places.push_back({line.cycles(),
                      {share(line.cycles(), makespan), place(line, lines), mostly(line)},
                      support::ascii(single_blanks(line.text))});
  }
  if (rest > 0) places.push_back({rest, {share(rest, makespan), "no line"}, "fetching code, dispatch"});
  std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.cycles > b.cycles; });
  if (places.size() > most) places.resize(most);
  std::erase_if(places, [makespan](const Place& one) { return share(one.cycles, makespan) == "0 %"; });
  std::vector<Row> rows;
  std::vector<std::string> texts;
  for (Place& one : places) {
    rows.push_back(std::move(one.row));
    texts.push_back(std::move(one.text));
  }
  return with_texts(table({Align::right, Align::left, Align::left}, rows, indent), texts, width);
}

}  // namespace warpspan::app
