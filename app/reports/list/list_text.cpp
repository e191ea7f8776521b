// SPDX-License-Identifier: GPL-3.0-or-later
// The report of list for people: a table for each file, with a row for each kernel of each image.
#include <fmt/format.h>

#include "app/reports/list/list_formats.hpp"
#include "app/reports/readable.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

std::string figure(const std::optional<int64_t>& value) { return value ? thousands(*value) : "-"; }

std::string name_of(const ListedFunction& function) {
  return support::printable(support::brief_name(function.name)) + (function.entry ? "" : " (not a kernel)");
}

std::string block_of(const ListedFunction& function) {
  if (function.required_block) return extent(*function.required_block);
  return function.largest_block ? "at most " + extent(*function.largest_block) : "";
}

std::string image_text(const ListedImage& image) {
  return image.kind + (image.member.empty() ? "" : " in " + support::printable(image.member)) +
         (image.part == 0 ? "" : " #" + std::to_string(image.part));
}

// The rows of an image; its own words stand in the first one.
void append(const ListedImage& image, std::vector<Row>& rows) {
  const size_t first = rows.size();
  for (const ListedFunction& function : image.functions) {
    rows.push_back({"", "", name_of(function), figure(function.registers), figure(function.stack_bytes),
                    figure(function.shared_bytes), figure(function.code_bytes), block_of(function)});
  }
  if (rows.size() == first) {
    const std::string what = image.is_listed ? "no kernel" : thousands(image.bytes) + " bytes, not read";
    rows.push_back({"", "", what, "", "", "", "", ""});
  }
  rows[first][0] = image.architecture;
  rows[first][1] = image_text(image);
}

}  // namespace

std::string to_text(const ListReport& report, const TextStyle&) {
  std::string out;
  for (size_t i = 0; i < report.images.size();) {
    const std::string& file = report.images[i].file;
    std::vector<Row> rows = {{"target", "image", "kernel", "registers", "stack", "shared", "code", "block"}};
    for (; i < report.images.size() && report.images[i].file == file; ++i) append(report.images[i], rows);
    using enum Align;
    out += (out.empty() ? "" : "\n") + support::printable(file) + "\n" +
           table({left, left, left, right, right, right, right, left}, rows, 2);
  }
  return out;
}

}  // namespace warpspan::app
