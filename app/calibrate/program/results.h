// SPDX-License-Identifier: MIT-0
// Results of measurements, and what is made of them. Plain C++14: no GPU is needed.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

typedef long long Number;

static std::vector<std::string> errors;

// What was measured, each by a name, in the order of its repetitions. A number of 0 or less, or of more than a million
// millions, is none: it is an error.
class Results {
 public:
  void add(const std::string& name, Number value) { numbers_[name].push_back(value); }
  void add_text(const std::string& name, const std::string& text) { texts_[name] = text; }

  bool has(const std::string& name) const { return numbers_.count(name) != 0; }

  // Empty after an error.
  const std::vector<Number>& of(const std::string& name) {
    static const std::vector<Number> none;
    asked_.insert(name);
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) {
      errors.push_back("there is no result '" + name + "'");
      return none;
    }
    for (const Number value : found->second) {
      if (value > 0 && value <= most) continue;
      errors.push_back("result '" + name + "' is " + std::to_string(value) + ", not 1 to " + std::to_string(most));
      return none;
    }
    return found->second;
  }
  // The only number of that name; 1 after an error.
  Number one(const std::string& name) {
    const std::vector<Number>& values = of(name);
    if (values.empty()) return 1;
    if (values.size() > 1) errors.push_back("result '" + name + "' has " + std::to_string(values.size()) + " numbers");
    return values.front();
  }
  // With '?' for whatever a comment or text of TOML might take for something else.
  std::string text(const std::string& name) {
    asked_.insert(name);
    if (texts_.count(name) == 0) errors.push_back("there is no result '" + name + "'");
    std::string text = texts_[name];
    if (text.empty() || text.size() > 200) errors.push_back("result '" + name + "' is no text of 1 to 200 characters");
    for (char& letter : text) {
      const bool known = (letter >= '0' && letter <= '9') || (letter >= 'A' && letter <= 'Z') ||
                         (letter >= 'a' && letter <= 'z') || std::strchr(" .,-_()/+:", letter) != nullptr;
      if (!known || letter == '\0') letter = '?';
    }
    return text;
  }
  void refuse_what_nobody_asked_for() const {
    for (const auto& result : numbers_) {
      if (asked_.count(result.first) == 0) errors.push_back("nothing is known of a result '" + result.first + "'");
    }
    for (const auto& result : texts_) {
      if (asked_.count(result.first) == 0) errors.push_back("nothing is known of a result '" + result.first + "'");
    }
  }
  // As made_up.h reads it.
  void write(std::FILE* file) const {
    for (const auto& result : texts_) std::fprintf(file, "%s = %s\n", result.first.c_str(), result.second.c_str());
    for (const auto& result : numbers_) {
      std::fprintf(file, "%s:", result.first.c_str());
      for (const Number value : result.second) std::fprintf(file, " %lld", value);
      std::fprintf(file, "\n");
    }
  }

  static constexpr Number most = 1000000000000;

 private:
  std::map<std::string, std::vector<Number>> numbers_;
  std::map<std::string, std::string> texts_;
  std::set<std::string> asked_;
};
constexpr Number Results::most;

// Least, median and most of what was seen, in thousandths.
struct Seen {
  Number least = 0, median = 0, most = 0;
  bool any = false;

  Number whole() const { return (most + 999) / 1000; }  // the most, rounded up
};

static Seen seen_of(std::vector<Number> thousandths) {
  Seen seen;
  if (thousandths.empty()) return seen;
  std::sort(thousandths.begin(), thousandths.end());
  seen.least = thousandths.front();
  seen.median = thousandths[thousandths.size() / 2];
  seen.most = thousandths.back();
  seen.any = true;
  return seen;
}

static Seen seen_of(Results& results, const std::string& name) {
  std::vector<Number> thousandths;
  for (const Number value : results.of(name)) thousandths.push_back(value * 1000);
  return seen_of(thousandths);
}

// What one of `operations` takes: so many more has the kernel with 128 of them than the one with 64.
constexpr Number operations = 64;
constexpr Number pairs = operations / 2;
static Seen difference_of(Results& results, const std::string& name, Number count = operations) {
  const std::vector<Number>& few = results.of(name + ".64");
  const std::vector<Number>& many = results.of(name + ".128");
  if (few.empty() || many.empty()) return Seen();
  if (few.size() != many.size()) {
    errors.push_back(name + ": " + std::to_string(few.size()) + " repetitions with 64 operations, " +
                     std::to_string(many.size()) + " with 128");
    return Seen();
  }
  std::vector<Number> thousandths;
  for (std::size_t i = 0; i < few.size(); ++i) {
    if (many[i] <= few[i]) {
      errors.push_back(name + ": 128 operations took " + std::to_string(many[i]) + " cycles, 64 took " +
                       std::to_string(few[i]) + ": the clocks do not enclose them, or something else was running");
      return Seen();
    }
    thousandths.push_back(((many[i] - few[i]) * 1000 + count - 1) / count);
  }
  const Seen seen = seen_of(thousandths);
  const Number times = 4, cycles = 8000;
  if (seen.most > times * seen.median + cycles) {
    errors.push_back(name + ": " + std::to_string(seen.most / 1000) + " cycles at most and " +
                     std::to_string(seen.median / 1000) + " as a rule: something else was running");
  }
  return seen;
}

// Figures of the built-in machine that the file is based on.
struct BaseFigure {
  const char* name;
  Number value;
  const char* text;
};
struct Base {
  const char* target;
  const char* machine;
  Number capability;
  bool sees_half_of_l2;  // one multiprocessor does, of what the device reports
  const BaseFigure* figures;
};
