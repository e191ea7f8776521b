// SPDX-License-Identifier: GPL-3.0-or-later
// The forms of a report. A report is data; a format makes the text of it. Each kind of report has a table of its
// formats.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/kept/long_text.hpp"
#include "app/reports/text_style.hpp"

namespace warpspan::app {

template <typename Report>
struct ReportFormat {
  const char* name;
  LongText (*render)(const Report& report, const TextStyle& style);  // a format for programs has no style
  const char* endings = "";  // of files that say by their name that they have it: ".md .markdown"
};

// ReportFormat::render of a form that is never too long for one piece.
template <typename Report, std::string (*form)(const Report& report, const TextStyle& style)>
LongText in_one_piece(const Report& report, const TextStyle& style) {
  return form(report, style);
}

// A format by its name, and the endings of its files.
struct FormatName {
  std::string name;
  std::vector<std::string> endings;

  bool has_ending(std::string_view ending) const {
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
  }
};

// In the order of the table; the first is the default.
template <typename Report, size_t count>
std::vector<FormatName> forms_of(const ReportFormat<Report> (&formats)[count]) {
  std::vector<FormatName> forms;
  for (const auto& format : formats) {
    FormatName form{format.name, {}};
    for (std::string_view rest = format.endings; !rest.empty();) {
      const size_t blank = rest.find(' ');
      form.endings.emplace_back(rest.substr(0, blank));
      rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank + 1);
    }
    forms.push_back(std::move(form));
  }
  return forms;
}

inline std::vector<std::string> names_of(const std::vector<FormatName>& forms) {
  std::vector<std::string> names;
  for (const FormatName& form : forms) names.push_back(form.name);
  return names;
}

// The format of that name, which the table has.
template <typename Report, size_t count>
LongText render(const ReportFormat<Report> (&formats)[count], const Report& report, std::string_view name,
                const TextStyle& style) {
  for (const auto& format : formats) {
    if (format.name == name) return format.render(report, style);
  }
  return {};
}

}  // namespace warpspan::app
