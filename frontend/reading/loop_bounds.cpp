// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/reading/loop_bounds.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "support/shell_quote.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::frontend {

namespace {

using support::Diagnostic;
using support::Diagnostics;

// The shared function that the block belongs to, or nothing if it is one of the kernel's own blocks.
const ir::Function* function_of(const ir::Kernel& kernel, ir::BlockId block) {
  const auto begins_after = [block](const ir::Function& function) { return function.entry > block; };
  const auto next = std::find_if(kernel.functions.begin(), kernel.functions.end(), begins_after);
  return next == kernel.functions.begin() ? nullptr : &*std::prev(next);
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// "bind what it depends on ({argument} n=VALUE, {grid} X), ", where that helps; "give the size of an array ...".
std::string remedies_for(const ir::Loop& loop) {
  const std::string values = loop.remedies.empty() ? "" : "bind what it depends on (" + list_of(loop.remedies) + "), ";
  if (loop.array_remedies.empty()) return values;
  return values + "give the size of an array that it goes through (" + list_of(loop.array_remedies) +
         ": it runs as often as steps fit in), ";
}

Diagnostic at_origin(const ir::Origin& origin) {
  Diagnostic error;
  error.location = origin.location;
  error.source_line = origin.line;
  return error;
}

// How often the header may run by what the user states. The bound of a source line counts iterations. Each iteration
// that ends runs the header once, and the loop is left once: if that may be elsewhere than at the end of one, the
// header may run once more.
int64_t allowed_trips(const ir::LoopBound& bound, const ir::Loop& loop) {
  const bool counts_iterations = !bound.file.empty() && !loop.tests_last;
  return bound.trip_count + (counts_iterations && bound.trip_count < INT64_MAX ? 1 : 0);
}

// A bound below what is proven to happen.
Diagnostic contradiction(const support::SourceFile& file, const ir::Kernel& kernel, const ir::Loop& loop,
                         const HeaderPlace& header, const ir::LoopBound& bound) {
  const bool is_exact = loop.source != ir::TripCountSource::user && loop.trip_count == loop.fewest_trips;
  const bool is_file = bound.origin.is_file();
  Diagnostic error = is_file ? at_origin(bound.origin) : file.error_at(header.offset, {});
  const std::string given = ir::place_of(bound) + "=" + std::to_string(bound.trip_count);
  error.message = (is_file ? "the bound " + given : bound.origin.giver + " " + support::shell_quoted(given)) +
                  " cannot be true: the loop " + loop_name(loop) + " of kernel " + support::quoted_symbol(kernel.name) +
                  " runs " + (is_exact ? "" : "at least ") + std::to_string(loop.fewest_trips) +
                  " times where it is entered";
  const std::string leave_out = is_file ? "take it out" : "leave the option out";
  error.help = is_exact ? leave_out + ": the loop's bound is known"
                        : leave_out + ", or give at least " +
                              std::to_string(loop.fewest_trips - (allowed_trips(bound, loop) - bound.trip_count));
  if (bound.line != 0) error.help += "; other loops of the line are named by their labels";
  return error;
}

void apply(const ir::LoopBound& bound, ir::Loop& loop) {
  if (bound.wait) {
    if (loop.longest_wait && *loop.longest_wait <= *bound.wait) return;
    loop.longest_wait = bound.wait;
    loop.wait_given_by = bound.origin;
    return;
  }
  if (!loop.given || bound.trip_count < *loop.given) {
    loop.given = bound.trip_count;
    loop.given_by = bound.origin;
  }
  const int64_t trips = allowed_trips(bound, loop);
  if (loop.trip_count && *loop.trip_count <= trips) return;
  loop.trip_count = trips;
  loop.source = ir::TripCountSource::user;
  ir::close_gap(loop);
}

bool writes_memory(const ir::Operation& operation) {
  using enum ir::OperationKind;
  switch (operation.kind) {
    case store_shared:
    case store_global:
    case store_generic:
    case atomic_shared:
    case atomic_global:
    case atomic_generic:
    case reduce_global: return true;
    default: return false;
  }
}

// Whether it sleeps, looks at a clock, asks a barrier object, or looks at what others write and writes nothing itself:
// its author knows for how long it waits rather than how often it looks.
bool looks_like_waiting(const ir::Kernel& kernel, const ir::Flow& flow, ir::LoopId loop) {
  const auto any = [&](const auto& is) {
    return ir::any_instruction(kernel, flow, loop,
                               [&](ir::InstructionId i) { return is(kernel.operation(kernel.instructions[i])); });
  };
  return any([](const ir::Operation& operation) {
           return operation.kind == ir::OperationKind::sleep || operation.kind == ir::OperationKind::mbarrier ||
                  operation.reads_clock;
         }) ||
         (any(ir::is_strong_load) && !any(writes_memory));
}

bool lacks_bound(const ir::Loop& loop) { return !loop.trip_count && !loop.longest_wait; }

std::string place_for_option(const ir::Loop& loop) {
  if (!loop.ptx_label.empty()) return loop.ptx_label;
  return loop.label.empty() ? "line:" + std::to_string(loop.line) : loop.label;
}

// The calls of the copies of a loop that lack a bound, by the innermost ones; nothing where there is one copy.
struct CallsOfCopies {
  std::vector<std::string> lacking;
  bool lack_all = true;
  bool are_several = false;
};

CallsOfCopies calls_of_copies(const ir::Flow& flow, const ir::Loop& loop) {
  CallsOfCopies calls;
  for (const ir::Loop& copy : flow.loops) {
    if (copy.line != loop.line || copy.label != loop.label || copy.called_from.empty()) continue;
    calls.are_several = calls.are_several || copy.called_from != loop.called_from;
    if (!lacks_bound(copy)) {
      calls.lack_all = false;
    } else if (std::find(calls.lacking.begin(), calls.lacking.end(), copy.called_from.front()) == calls.lacking.end()) {
      calls.lacking.push_back(copy.called_from.front());
    }
  }
  return calls;
}

// Loops that lack a bound, in the order of the first of each: in one group those of which the same options would make
// known what they depend on.
std::vector<std::vector<ir::LoopId>> unbounded_by_cause(const ir::Flow& flow) {
  std::vector<std::vector<ir::LoopId>> causes;
  std::map<std::pair<std::string, std::vector<std::string>>, size_t> known;
  for (ir::LoopId l = 0; l < flow.loops.size(); ++l) {
    const ir::Loop& loop = flow.loops[l];
    if (!lacks_bound(loop)) continue;
    size_t cause = causes.size();
    if (!loop.remedies.empty()) cause = known.emplace(std::pair(loop.obstacle, loop.remedies), cause).first->second;
    if (cause == causes.size()) causes.emplace_back();
    causes[cause].push_back(l);
  }
  return causes;
}

// `others`: how many more loops lack one for the same reason.
Diagnostic without_bound(const support::SourceFile& file, const ir::Kernel& kernel, const ir::Flow& flow, ir::LoopId id,
                         const HeaderPlace& header, size_t others) {
  const ir::Loop& loop = flow.loops[id];
  std::string message =
      "no bound for the loop " + loop_name(loop) + " of kernel " + support::quoted_symbol(kernel.name);
  const CallsOfCopies calls = calls_of_copies(flow, loop);
  if (!calls.lack_all) message += ", called from " + list_of(calls.lacking);
  if (!loop.obstacle.empty()) message += ": " + loop.obstacle;
  if (others > 0)
    message += "; so " +
               (others == 1 ? "does that of another loop" : "do those of " + std::to_string(others) + " other loops");
  if (const ir::Function* function = function_of(kernel, loop.header)) {
    message += "; function '" + function->name +
               "' is called so often that it is bounded once for all its calls, whatever they pass";
  }
  const std::string where = loop.label.empty() ? "the loop's first instruction" : "the code at the label";
  const std::string of_one_call =
      calls.are_several ? "; of the copy for one call, " +
                              support::shell_quoted(place_for_option(loop) + " from " + calls.lacking.front() + "=N")
                        : "";
  const std::string wait = loop.looks_like_waiting
                               ? "give the longest time that a thread waits in it each time ({wait} " +
                                     support::shell_quoted(place_for_option(loop) + "=2us") + "), or "
                               : "";
  return file.error_at(header.offset, std::move(message),
                       remedies_for(loop) + wait + "give its bound (" + loop_bound_option(loop) + ": the most times " +
                           where + " runs each time the loop is entered" + of_one_call +
                           "), or compile with a bound that is a constant");
}

}  // namespace

std::string loop_name(const ir::Loop& loop) {
  std::string name = loop.label.empty() ? "without a label" : "'" + loop.label + "'";
  if (loop.source_line != 0) name += " (" + ir::source_place(loop) + ")";
  return name;
}

void find_waits(const ir::Kernel& kernel, ir::Flow& flow) {
  for (ir::LoopId l = 0; l < flow.loops.size(); ++l) {
    ir::Loop& loop = flow.loops[l];
    loop.looks_like_waiting = looks_like_waiting(kernel, flow, l);
    if (loop.looks_like_waiting) loop.ptx_label.clear();  // how long it waits is stated of the machine code
  }
}

std::string loop_bound_option(const ir::Loop& loop) {
  return "{loop_bound} " + support::shell_quoted(place_for_option(loop) + "=N");
}

AppliedBounds apply_loop_bounds(const support::SourceFile& file, const ir::Kernel& kernel,
                                const std::vector<HeaderPlace>& headers, const std::vector<ir::LoopBound>& bounds,
                                ir::Flow& flow) {
  AppliedBounds applied;
  for (size_t l = 0; l < flow.loops.size(); ++l) {
    ir::Loop& loop = flow.loops[l];
    for (size_t b = 0; b < bounds.size(); ++b) {
      if (!names_loop(bounds[b], loop, headers[l])) continue;
      applied.uses.push_back(
          {b, kernel.name, loop.label, file.locate(headers[l].offset), loop.source_file, loop.source_line});
      if (!bounds[b].wait && allowed_trips(bounds[b], loop) < loop.fewest_trips) {
        applied.errors.push_back(contradiction(file, kernel, loop, headers[l], bounds[b]));
      } else {
        apply(bounds[b], loop);
      }
    }
  }
  return applied;
}

Diagnostics check_loop_bounds(const support::SourceFile& file, const ir::Kernel& kernel,
                              const std::vector<HeaderPlace>& headers, const ir::Flow& flow) {
  Diagnostics errors;
  for (const std::vector<ir::LoopId>& loops : unbounded_by_cause(flow)) {
    const ir::LoopId first = loops.front();
    errors.push_back(without_bound(file, kernel, flow, first, headers[first], loops.size() - 1));
  }
  return errors;
}

}  // namespace warpspan::frontend
