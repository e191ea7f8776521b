// Work that may run out of memory or of stack without taking the program with it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "support/result.hpp"

namespace warpspan::support {

enum class Exhausted : uint8_t { memory, stack };

// Bytes of the stack that isolated work has.
inline constexpr uint64_t isolated_stack = uint64_t{256} << 20;

// Runs the work in a thread of its own, which may start others, and waits for it. What it throws is thrown on.
//
// If memory or stack run out, the thread is stopped where it is, for good: nothing is unwound, since LLVM's data
// structures are not in a state to be destroyed when an allocation fails, and what it holds stays taken. The program
// gets a little memory above its limit to go on with. One piece of work at a time; isolated work within isolated work
// is a part of it.
std::optional<Exhausted> run_isolated(const std::function<void()>& work);

// The error of work that ran out. task: "in the analysis of kernel 'k'".
Diagnostic exhaustion(Exhausted what, const Location& at, const std::string& task);

// The result of isolated work, or the error that something ran out.
template <typename Work>
auto isolated(const Location& at, const std::string& task, const Work& work) -> decltype(work()) {
  std::optional<decltype(work())> result;
  const auto exhausted = run_isolated([&] { result.emplace(work()); });
  if (exhausted) return exhaustion(*exhausted, at, task);
  return std::move(*result);
}

// What operator new does when there is no memory, for allocators that do not use it: stops isolated work as told above,
// and throws std::bad_alloc elsewhere.
[[noreturn]] void out_of_memory();

}  // namespace warpspan::support
