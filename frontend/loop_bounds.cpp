#include "frontend/loop_bounds.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "support/shell_quote.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::frontend {

namespace {

using support::Diagnostic;
using support::Diagnostics;

class LoopBounds {
 public:
  LoopBounds(const support::SourceFile& file, const ptx::Function& function, const ir::Kernel& kernel)
      : file_(file), function_(function), kernel_(kernel) {}

  void apply(const ir::LoopBound& bound, ir::Loop& loop);
  void check(const ir::Loop& loop);
  Diagnostics errors() { return std::move(errors_); }

 private:
  void error_at(const ir::Loop& loop, std::string message, std::string help);

  const support::SourceFile& file_;
  const ptx::Function& function_;
  const ir::Kernel& kernel_;
  Diagnostics errors_;
};

// Where an instruction of the kernel stands in the file; shared bodies come behind the kernel's own.
uint32_t offset_of(const ptx::Function& function, size_t instruction) {
  if (instruction < function.instructions.size()) return function.instructions[instruction].offset;
  instruction -= function.instructions.size();
  for (const ptx::Function& body : function.shared) {
    if (instruction < body.instructions.size()) return body.instructions[instruction].offset;
    instruction -= body.instructions.size();
  }
  return function.offset;
}

// The shared function that the block belongs to, or nothing if it is one of the kernel's own blocks.
const ir::Function* function_of(const ir::Kernel& kernel, ir::BlockId block) {
  const auto begins_after = [block](const ir::Function& function) { return function.entry > block; };
  const auto next = std::find_if(kernel.functions.begin(), kernel.functions.end(), begins_after);
  return next == kernel.functions.begin() ? nullptr : &*std::prev(next);
}

std::string name_of(const ir::Loop& loop) { return loop.label.empty() ? "without a label" : "'" + loop.label + "'"; }

// "bind what it depends on (--arg n=VALUE, --grid X), ", where that helps.
std::string remedies_for(const ir::Loop& loop) {
  if (loop.remedies.empty()) return {};
  std::string text;
  for (const std::string& remedy : loop.remedies) text += (text.empty() ? "" : ", ") + remedy;
  return "bind what it depends on (" + text + "), ";
}

void LoopBounds::error_at(const ir::Loop& loop, std::string message, std::string help) {
  const ir::Block& header = kernel_.blocks[loop.header];
  const uint32_t offset = header.count == 0 ? function_.offset : offset_of(function_, header.first);
  errors_.push_back(file_.error_at(offset, std::move(message), std::move(help)));
}

void LoopBounds::apply(const ir::LoopBound& bound, ir::Loop& loop) {
  if (bound.trip_count < loop.fewest_trips) {
    const bool is_exact = loop.trip_count == loop.fewest_trips;
    error_at(loop,
             "--loop-bound " + support::shell_quoted(bound.label + "=" + std::to_string(bound.trip_count)) +
                 " cannot be true: the loop " + name_of(loop) + " of kernel " + support::quoted_symbol(kernel_.name) +
                 " runs " + (is_exact ? "" : "at least ") + std::to_string(loop.fewest_trips) +
                 " times where it is entered",
             is_exact ? "leave the option out: the loop's bound is known"
                      : "leave the option out, or give at least " + std::to_string(loop.fewest_trips));
    return;
  }
  if (loop.trip_count && *loop.trip_count <= bound.trip_count) return;
  loop.trip_count = bound.trip_count;
  loop.source = ir::TripCountSource::user;
}

void LoopBounds::check(const ir::Loop& loop) {
  if (loop.trip_count) return;
  std::string message = "no bound for the loop " + name_of(loop) + " of kernel " + support::quoted_symbol(kernel_.name);
  if (!loop.obstacle.empty()) message += ": " + loop.obstacle;
  if (const ir::Function* function = function_of(kernel_, loop.header)) {
    message += "; function '" + function->name +
               "' is called so often that it is bounded once for all its calls, whatever they pass";
  }
  error_at(loop, std::move(message),
           remedies_for(loop) + "give its bound (--loop-bound " +
               support::shell_quoted((loop.label.empty() ? "LABEL" : loop.label) + "=N") +
               ": the most times the code at the label runs each time the loop is entered), or compile with a bound "
               "that is a constant");
}

}  // namespace

Diagnostics apply_loop_bounds(const support::SourceFile& file, const ptx::Function& function, const ir::Kernel& kernel,
                              const std::vector<ir::LoopBound>& bounds, ir::Flow& flow) {
  LoopBounds loop_bounds(file, function, kernel);
  for (ir::Loop& loop : flow.loops) {
    for (const ir::LoopBound& bound : bounds) {
      if (bound.label == loop.label) loop_bounds.apply(bound, loop);
    }
    loop_bounds.check(loop);
  }
  return loop_bounds.errors();
}

}  // namespace warpspan::frontend
