// SPDX-License-Identifier: GPL-3.0-or-later
// Work that may run out of memory or of stack without taking the program with it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/result.hpp"

namespace warpspan::support {

enum class Exhausted : uint8_t { memory, stack };

// Bytes of the stack that isolated work has.
inline constexpr uint64_t isolated_stack = uint64_t{256} << 20;

// What the program that uses this reports where memory runs out; the texts must live as long as it runs.
struct OutOfMemory {
  std::string_view help;     // of the error of work that ran out
  std::string_view message;  // where the work cannot be stopped alone: all that is reported
  int status = 1;            // of the program, then
};
void when_out_of_memory(const OutOfMemory& what);

// For a library, whose process has threads and handlers of others: what it sets for isolated work it sets back, a
// thread that is not known to be of such work gets std::bad_alloc, and nothing ends the process.
void be_guest();

// Runs each task in a thread that is not this one, which may start others, and waits for all: what ran out, by
// task. What the first of them throws is thrown on. Several threads may call it side by side. As many run at the same
// time as the machine has cores, and one for each GiB of memory that the process was limited to: less is left to one
// task, so that none lacks it for another.
//
// If memory or stack run out, the thread is stopped where it is, for good: nothing is unwound, since LLVM's data
// structures are not in a state to be destroyed when an allocation fails, and what it has stays taken. Another thread
// goes on with the tasks that are left, and the program gets a little memory above its limit for that. Isolated work
// within isolated work is a part of it. Where several tasks run, memory that lacks to a thread which one of them has
// started ends the program with a message.
std::vector<std::optional<Exhausted>> run_isolated(const std::vector<std::function<void()>>& works);

// For one task.
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

// A task, with the location and the words of the error if it runs out.
template <typename T>
struct Piece {
  Location at;
  std::string task;
  std::function<Result<T>()> work;
};

// The result of each task, in their order.
template <typename T>
std::vector<Result<T>> isolated(const std::vector<Piece<T>>& pieces) {
  std::vector<std::optional<Result<T>>> done(pieces.size());
  std::vector<std::function<void()>> works;
  for (size_t i = 0; i < pieces.size(); ++i) works.push_back([&, i] { done[i].emplace(pieces[i].work()); });
  const auto exhausted = run_isolated(works);
  std::vector<Result<T>> results;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (exhausted[i]) {
      results.push_back(exhaustion(*exhausted[i], pieces[i].at, pieces[i].task));
    } else {
      results.push_back(std::move(*done[i]));
    }
  }
  return results;
}

// What operator new does when there is no memory, for allocators that do not use it: stops isolated work as above,
// and throws std::bad_alloc elsewhere.
[[noreturn]] void out_of_memory();

}  // namespace warpspan::support
