// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the methods. A method is added by its own files and a row in methods.cpp: solve(), the command line,
// problem files and reports read the rows.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace warpspan::solver {

class Method;
class Run;

struct MethodRow {
  // What is sought before any method works.
  enum class Needs : uint8_t {
    nothing,
    certificate,
    simulation,  // of schedules; where a search has many states, guided by a certificate
  };

  std::string_view name;             // in --method, problem files and reports, such as "ilp-count"
  std::string_view work = {};        // what is done while it is at work, in words; empty: its name
  std::string_view asked_with = {};  // the method whose name asks for this one too; empty: none
  bool by_default = true;            // used where no methods are named
  bool for_target = true;            // used for the target of a sweep, which may have many workers
  bool is_slow = false;              // takes all the time it gets
  Needs needs = Needs::nothing;
  void (*run)(Run& run, Method method) = nullptr;  // reports its result, perhaps a second one
};

// A method of the table. They are in the order in which results are listed.
class Method {
 public:
  // Those that code asks for by name.
  static const Method witness, exact, certificate, list, published, tractable, raravi, ilp_count, ilp, ilp_long;

  const MethodRow& row() const;
  size_t index() const { return index_; }  // in the table

  friend constexpr auto operator<=>(const Method&, const Method&) = default;

 private:
  friend const std::vector<Method>& all_methods();
  constexpr explicit Method(size_t index) : index_(index) {}
  static consteval Method named(std::string_view name);

  size_t index_;
};

const std::vector<Method>& all_methods();
std::optional<Method> find_method(std::string_view name);  // none of this name: nothing
std::string_view to_string(Method method);                 // its name

}  // namespace warpspan::solver
