// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a model and what is left out of it, with places, in their number limited: a million errors help
// nobody.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "support/source_file.hpp"

namespace warpspan::amalthea {

class Findings {
 public:
  explicit Findings(const support::SourceFile& file) : file_(file) {}

  void error(size_t at, std::string message, std::string help = {}) {
    if (++errors_ <= most) add(support::Severity::error, at, std::move(message), std::move(help));
  }
  void note(size_t at, std::string message, std::string help = {}) {
    if (++notes_ <= most) add(support::Severity::note, at, std::move(message), std::move(help));
  }
  bool has_errors() const { return errors_ > 0; }
  support::Location locate(size_t at) const { return file_.locate(std::min(at, file_.text().size())); }

  // By place, the same only once; and how many more there are.
  support::Diagnostics errors() { return reported(support::Severity::error, errors_, "errors"); }
  support::Diagnostics notes() { return reported(support::Severity::note, notes_, "notes"); }

 private:
  static constexpr size_t most = 100;  // of errors, and of notes

  void add(support::Severity severity, size_t at, std::string message, std::string help) {
    support::Diagnostic one = file_.error_at(std::min(at, file_.text().size()), std::move(message), std::move(help));
    one.severity = severity;
    one.cause = support::Cause::usage;
    if (severity == support::Severity::note) one.source_line.clear();
    found_.emplace_back(at, std::move(one));
  }

  support::Diagnostics reported(support::Severity severity, size_t count, const std::string& what) {
    std::stable_sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    support::Diagnostics result;
    std::set<std::pair<size_t, std::string>> known;
    for (const auto& [at, one] : found_) {
      if (one.severity == severity && known.insert({at, one.message}).second) result.push_back(one);
    }
    if (count <= most) return result;
    result.push_back(support::usage_error(std::to_string(count - most) + " more " + what + " are not shown"));
    result.back().severity = severity;
    result.back().location.file = file_.name();
    return result;
  }

  const support::SourceFile& file_;
  std::vector<std::pair<size_t, support::Diagnostic>> found_;
  size_t errors_ = 0, notes_ = 0;
};

}  // namespace warpspan::amalthea
