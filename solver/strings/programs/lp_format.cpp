// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "solver/strings/programs/linear_program.hpp"

namespace warpspan::solver {

namespace {

// A name must not read as a number, a keyword or part of an expression. That is made sure of by less than the format
// allows: letters, digits, _ ( ) , and a begin with a letter that no number has.
bool is_plain(const std::string& name) {
  constexpr size_t longest = 255;
  constexpr std::string_view keywords[] = {
      "bound",    "bounds",   "bin",      "binary",   "binaries", "end",      "free",    "gen", "general",
      "inf",      "int",      "integer",  "integers", "generals", "infinity", "st",      "max", "min",
      "maximize", "minimize", "maximise", "minimise", "maximum",  "minimum",  "subject", "such"};
  if (name.empty() || name.size() > longest) return false;
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  if (!is_letter(name.front()) || name.front() == 'e' || name.front() == 'E') return false;
  std::string small;
  for (const char c : name) small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (std::find(std::begin(keywords), std::end(keywords), small) != std::end(keywords)) return false;
  return std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || std::string_view("_(),").find(c) != std::string_view::npos;
  });
}

template <typename Item>
std::vector<std::string> names_of(const std::vector<Item>& items, const char* replacement) {
  std::vector<std::string> names;
  for (const Item& item : items) names.push_back(item.name);
  const bool all_plain = std::all_of(names.begin(), names.end(), is_plain);
  if (all_plain && std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  for (size_t i = 0; i < names.size(); ++i) names[i] = replacement + std::to_string(i + 1);
  return names;
}

class LpText {
 public:
  explicit LpText(const LinearProgram& program)
      : program_(program), variables_(names_of(program.variables, "x")), rows_(names_of(program.rows, "r")) {}

  std::string write() {
    text_ = "Maximize\n";
    std::vector<std::pair<size_t, int64_t>> objective;
    for (size_t j = 0; j < variables_.size(); ++j) {
      if (program_.variables[j].objective != 0) objective.emplace_back(j, program_.variables[j].objective);
    }
    write_sum(" objective:", objective);
    text_ += "\nSubject To\n";
    for (size_t i = 0; i < rows_.size(); ++i) write_row(i);
    text_ += "Bounds\n";
    for (size_t j = 0; j < variables_.size(); ++j) write_bounds(j);
    write_integers();
    return std::move(text_) + "End\n";
  }

 private:
  // Lines are broken, as readers may limit their length.
  void write_sum(const std::string& begin, const std::vector<std::pair<size_t, int64_t>>& terms) {
    constexpr size_t widest = 100;
    std::string line = begin;
    for (const auto& [variable, coefficient] : terms) {
      const std::string number = std::to_string(coefficient);
      std::string term = coefficient < 0 ? " - " + number.substr(1) : " + " + number;
      term += " " + variables_[variable];
      if (line.size() + term.size() > widest) {
        text_ += line + "\n";
        line = " ";
      }
      line += term;
    }
    if (terms.empty()) line += " 0 " + variables_.front();
    text_ += line;
  }

  void write_row(size_t i) {
    const auto& row = program_.rows[i];
    write_sum(" " + rows_[i] + ":", row.terms);
    if (row.lower && row.upper && *row.lower != *row.upper) {
      text_ += " >= " + std::to_string(*row.lower) + "\n";
      write_sum(" ", row.terms);
      text_ += " <= " + std::to_string(*row.upper) + "\n";
    } else if (row.lower) {
      text_ += (row.upper ? " = " : " >= ") + std::to_string(*row.lower) + "\n";
    } else {
      text_ += " <= " + std::to_string(row.upper.value_or(0)) + "\n";
    }
  }

  void write_bounds(size_t j) {
    const auto& [name, lower, upper, is_integer, objective] = program_.variables[j];
    if (!lower && !upper) {
      text_ += " " + variables_[j] + " free\n";
    } else if (lower == upper) {
      text_ += " " + variables_[j] + " = " + std::to_string(*lower) + "\n";
    } else {
      text_ += " " + (lower ? std::to_string(*lower) : "-inf") + " <= " + variables_[j];
      text_ += upper ? " <= " + std::to_string(*upper) + "\n" : "\n";
    }
  }

  void write_integers() {
    bool is_first = true;
    for (size_t j = 0; j < variables_.size(); ++j) {
      if (!program_.variables[j].is_integer) continue;
      if (is_first) text_ += "Generals\n";
      is_first = false;
      text_ += " " + variables_[j] + "\n";
    }
  }

  const LinearProgram& program_;
  std::vector<std::string> variables_;
  std::vector<std::string> rows_;
  std::string text_;
};

}  // namespace

std::string to_lp_format(const LinearProgram& program) { return LpText(program).write(); }

}  // namespace warpspan::solver
