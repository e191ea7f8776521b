// The forms of a report. A report is data; a format makes the text of it. Each kind of report has a table of its
// formats.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "app/reports/text_style.hpp"

namespace warpspan::app {

template <typename Report>
struct ReportFormat {
  const char* name;
  std::string (*render)(const Report& report, const TextStyle& style);  // a format for programs has none
  const char* extension = "";  // ".csv": files with such a name get this format; it cannot be chosen otherwise
  const char* content = "";    // of such a file: "a table"
};

// The formats that are chosen by name: those without an extension. The first is the default.
template <typename Report, size_t count>
std::vector<std::string> names_of(const ReportFormat<Report> (&formats)[count]) {
  std::vector<std::string> names;
  for (const auto& format : formats) {
    if (*format.extension == '\0') names.emplace_back(format.name);
  }
  return names;
}

// What extensions do, for a help: "a name that ends in .csv gets a table, one in .svg a picture"; empty if no format
// has any.
template <typename Report, size_t count>
std::string extensions_of(const ReportFormat<Report> (&formats)[count]) {
  std::string text;
  for (const auto& format : formats) {
    if (*format.extension == '\0') continue;
    text += text.empty() ? "a name that ends in " : ", one in ";
    text += format.extension;
    text += text.find(" gets ") == std::string::npos ? " gets " : " ";
    text += format.content;
  }
  return text;
}

// The format of the file's name, or else the one of that name, which names_of() has.
template <typename Report, size_t count>
const ReportFormat<Report>& chosen_format(const ReportFormat<Report> (&formats)[count], std::string_view name,
                                          std::string_view file) {
  const ReportFormat<Report>* chosen = nullptr;
  for (const auto& format : formats) {
    const std::string_view extension = format.extension;
    if (extension.empty() && format.name == name) chosen = &format;
  }
  for (const auto& format : formats) {
    const std::string_view extension = format.extension;
    if (!extension.empty() && file.size() > extension.size() && file.ends_with(extension)) chosen = &format;
  }
  return *chosen;
}

// The report in that format.
template <typename Report, size_t count>
std::string render(const ReportFormat<Report> (&formats)[count], const Report& report, std::string_view name,
                   std::string_view file, const TextStyle& style) {
  return chosen_format(formats, name, file).render(report, style);
}

}  // namespace warpspan::app
