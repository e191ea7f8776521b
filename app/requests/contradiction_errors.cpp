// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/contradiction_errors.hpp"

#include <algorithm>
#include <functional>

#include "ir/kernel.hpp"
#include "support/shell_quote.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using ir::Contradiction;
using support::Diagnostic;
using Of = Contradiction::Of;

std::string known_by(ir::TripCountSource source) {
  constexpr std::string_view known[] = {
#define TRIP_SOURCE(enumerator, name, what, assumed) what,
#include "ir/trip_methods.def"
  };
  return std::string(known[static_cast<size_t>(source)]);
}

class Errors {
 public:
  Errors(const frontend::AnalyzedKernel& analyzed, const std::string& command)
      : analyzed_(analyzed), command_(command) {}

  Diagnostic error_of(const Contradiction& found) const {
    if (found.of == Of::array) return small_array(found);
    if (found.of == Of::iterations && loop_of(found).source == ir::TripCountSource::user) return stated_loop(found);
    Diagnostic error = support::internal_error("warpspan is wrong about kernel " +
                                               support::quoted_symbol(analyzed_.kernel.name) + ": " + what(found));
    error.location = analyzed_.kernel.location;
    error.help = "what 'warpspan analyze' says of it is not safe; report the file and the command: " + command_;
    return error;
  }

 private:
  const ir::Loop& loop_of(const Contradiction& found) const { return analyzed_.flow.loops[found.loop]; }

  // "0x1a0 (kernel.cu:42)"
  std::string place(const Contradiction& found) const {
    return place(analyzed_.kernel.instructions[found.instruction].line);
  }
  std::string place(uint32_t line) const {
    std::string text = "line " + std::to_string(line);
    for (const ir::ListedInstruction& listed : analyzed_.listing) {
      if (listed.line != line) continue;
      text = ir::place_of(listed, analyzed_.kernel.name);
      if (listed.source_line != 0) text += " (" + ir::source_place(listed.source_file, listed.source_line) + ")";
    }
    return text;
  }

  // "the loop at 0x1a0 (kernel.cu:42)"
  std::string loop_at(const Contradiction& found) const { return "the loop at " + place(loop_of(found).line); }

  std::string what(const Contradiction& found) const {
    const std::string proven = std::to_string(found.proven), happened = std::to_string(found.happened);
    const std::string in_run = ", and " + happened + " in a run";
    switch (found.of) {
      case Of::array: break;
      case Of::iterations:
        return loop_at(found) + " runs at most " + proven + " times each time it is entered (" +
               known_by(loop_of(found).source) + "), and ran " + happened + " times";
      case Of::executions:
        return "a warp executes what ends at " + place(found) + " at most " + proven + " times" + in_run;
      case Of::warps: return "at most " + proven + " warps of a block execute what ends at " + place(found) + in_run;
      case Of::blocks: return "at most " + proven + " blocks execute what ends at " + place(found) + in_run;
      case Of::transactions:
        return "an access at " + place(found) + " has at most " + proven + " transactions" + in_run;
      case Of::warp_lines: return "a warp accesses at most " + proven + " lines of memory at " + place(found) + in_run;
      case Of::block_lines:
        return "a block accesses at most " + proven + " lines of memory at " + place(found) + in_run;
      case Of::span:
        return "what is accessed at " + place(found) + " of '" + found.array + "' is known to " +
               (found.happened < found.proven ? "begin" : "end") + " at byte " + proven + ", and byte " + happened +
               " was accessed";
    }
    return {};
  }

  Diagnostic small_array(const Contradiction& found) const {
    ir::Buffer stated{found.array};
    for (const ir::Buffer& buffer : analyzed_.launch.buffers) {
      if (buffer.parameter == found.array) stated = buffer;
    }
    const std::string name = ir::place_of(stated);
    Diagnostic error = support::usage_error(
        "the size of array '" + name + "' is wrong (" + ir::to_string(stated.origin) + "): of its " +
            std::to_string(found.proven) + " bytes, the access at " + place(found) + " goes to byte " +
            std::to_string(found.happened - 1),
        "give {buffer} " + name + "=BYTES with its true size, or mend the kernel, the arguments or the contents");
    error.refutes = true;
    return at(stated.origin, error);
  }

  Diagnostic stated_loop(const Contradiction& found) const {
    const ir::Loop& loop = loop_of(found);
    Diagnostic error = support::usage_error(
        "what is stated of " + loop_at(found) + " is wrong (" + ir::to_string(loop.given_by) + "): it runs " +
            std::to_string(found.happened) + " times, not at most " + std::to_string(found.proven),
        "give {loop_bound} with its true number, or other arguments and contents of arrays");
    error.refutes = true;
    return at(loop.given_by, error);
  }

  Diagnostic at(const ir::Origin& origin, Diagnostic error) const {
    error.location = origin.is_file() ? origin.location : analyzed_.kernel.location;
    if (origin.is_file()) error.source_line = origin.line;
    return error;
  }

  const frontend::AnalyzedKernel& analyzed_;
  const std::string& command_;
};

}  // namespace

support::Diagnostics contradiction_errors(const frontend::AnalyzedKernel& analyzed,
                                          const std::vector<Contradiction>& contradictions,
                                          const std::string& command) {
  support::Diagnostics errors;
  for (const Contradiction& each : contradictions) errors.push_back(Errors(analyzed, command).error_of(each));
  // What follows from a wrong statement says nothing against us.
  const auto is_stated = [](const Diagnostic& each) { return each.cause == support::Cause::usage; };
  if (std::any_of(errors.begin(), errors.end(), is_stated)) std::erase_if(errors, std::not_fn(is_stated));
  return errors;
}

}  // namespace warpspan::app
