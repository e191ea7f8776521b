// SPDX-License-Identifier: GPL-3.0-or-later
// Errors are values: a Result has what was asked for, or the diagnostics that state why there is none.
#pragma once

#include <cassert>
#include <utility>
#include <variant>

#include "support/diagnostic.hpp"

namespace warpspan::support {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}                        // NOLINT: return value;
  Result(Diagnostic error) : state_(Diagnostics{std::move(error)}) {}  // NOLINT: return error;
  Result(Diagnostics errors) : state_(std::move(errors)) {             // NOLINT: return errors;
    assert(!std::get<Diagnostics>(state_).empty());
  }

  bool ok() const { return std::holds_alternative<T>(state_); }
  explicit operator bool() const { return ok(); }

  // Valid only if ok().
  T& value() { return std::get<T>(state_); }
  const T& value() const { return std::get<T>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Valid only if not ok().
  const Diagnostics& errors() const { return std::get<Diagnostics>(state_); }

 private:
  std::variant<T, Diagnostics> state_;
};

}  // namespace warpspan::support
