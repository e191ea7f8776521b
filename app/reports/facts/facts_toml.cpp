// A file of facts to be filled in: app/requests/kernels/facts_file.hpp has its keys. What is known stands in comments.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/reports/facts/facts_formats.hpp"
#include "app/reports/names.hpp"
#include "support/printable.hpp"
#include "support/symbol_name.hpp"
#include "support/toml_text.hpp"

namespace warpspan::app {

namespace {

constexpr const char* head =
    "# Facts for 'warpspan analyze FILE --facts', to be filled in: each 0, and of what stands behind '#' what you "
    "know.\n"
    "# docs/facts.md tells what each line means.\n"
    "schema = \"warpspan.facts/1\"\n";

constexpr const char* about_loops =
    "# Loops without a bound. trip_count is for the loop as it was compiled, each time it is entered: of a source line "
    "the\n"
    "# most turns, of a label or line of PTX the most times the first instruction runs. A loop that was unrolled by 4 "
    "has\n"
    "# a quarter of the turns of its source; the number of these is safe, too.\n";

// What a terminal might act on stands as \xNN.
std::string quoted(const std::string& text) { return support::toml_text(support::printable(text)); }
std::string key(const std::string& name) { return support::toml_key(support::printable(name)); }

template <typename Parts>
std::string remembered(const Parts& parts) {
  std::string list;
  for (const auto& part : parts) list += (list.empty() ? "" : ", ") + quoted(ir::remembered(part));
  return "[" + list + "]";
}

std::string comment(const std::string& text) { return "# " + support::printable(text) + "\n"; }

// "$L__BB0_2 (line 63, kernel.cu:42)"
std::string name_of(const ir::Loop& loop, bool with_source) {
  const std::string source = with_source ? ir::source_place(loop) : std::string();
  const std::string line = "line " + std::to_string(loop.line) + (source.empty() ? "" : ", " + source);
  return (loop.label.empty() ? line : loop.label + " (" + line + ")") + ir::calls_text(loop);
}

std::string found(const ir::Loop& loop, bool with_source) {
  const std::string name = name_of(loop, with_source) + ": ";
  if (loop.source == ir::TripCountSource::not_entered) return name + "not entered by this launch";
  return name + fmt::format("{}, found by {}", *loop.trip_count, to_string(loop.source));
}

std::string state_of(const ir::Loop& loop) {
  if (loop.trip_count && loop.source != ir::TripCountSource::user) return found(loop, false);
  std::string text = name_of(loop, false);
  if (!loop.obstacle.empty()) text += ": " + loop.obstacle;
  if (!loop.tests_last) text += "; it is left before the end of a turn, so its first instruction runs once more";
  return text;
}

// The longest time that was given for one of the loops, if no number of turns was; else empty.
std::string wait_of(const LoopGroup& group) {
  int64_t longest = 0;
  for (const ir::Loop* loop : group.loops) longest = std::max(longest, loop->longest_wait.value_or(0));
  return longest == 0 || group.given != 0 ? std::string() : fmt::format("wait = \"{} ns\"", longest);
}

bool has_calls(const LoopGroup& group) {
  return !group.loops.front()->called_from.empty() && group.place.find(" from ") == std::string::npos;
}

std::string group_text(const LoopGroup& group) {
  std::string out = "\n";
  if (group.loops.size() > 1) {
    out +=
        comment(fmt::format("{} loops, unrolled, copied or of one line: the number is for each of them, and each "
                            "can have its own by its label{}.",
                            group.loops.size(),
                            has_calls(group) ? ", or by its call: \"" + group.place + " from " +
                                                   group.loops.front()->called_from.front() + "\""
                                             : ""));
  }
  std::set<std::string> remedies, arrays;
  for (const ir::Loop* loop : group.loops) {
    out += comment(state_of(*loop));
    if (!loop->remedies.empty()) remedies.insert(fmt::format("{}", fmt::join(loop->remedies, ", ")));
    if (!loop->array_remedies.empty()) arrays.insert(fmt::format("{}", fmt::join(loop->array_remedies, ", ")));
  }
  for (const std::string& remedy : remedies) out += comment("It may follow from what it depends on: " + remedy);
  for (const std::string& array : arrays) {
    out += comment("The size of an array that it goes through would do instead, with as many turns as steps fit in: " +
                   array);
  }
  const std::string wait = wait_of(group);
  const bool is_open = wait.empty() && group.given == 0 && group.may_follow;
  const std::string fact = wait.empty() ? fmt::format("trip_count = {}", group.given) : wait;
  for (const std::string& line : {std::string("[[kernel.loop]]"), "at = " + quoted(group.place), fact}) {
    out += (is_open ? "# " : "") + line + "\n";
  }
  return out;
}

std::string loops_text(const ir::KernelCode& code) {
  if (!code.loops) return "\n" + comment("Its loops are not known: it could not be read.");
  const std::vector<LoopGroup> groups = loop_groups(*code.loops);
  std::string open;
  std::string known;
  for (const LoopGroup& group : groups) {
    if (!group.has_bounds) open += group_text(group);
    if (!group.has_bounds) continue;
    for (const ir::Loop* loop : group.loops) known += comment("  " + found(*loop, true));
  }
  std::string out;
  if (!known.empty()) out += "\n# Loops whose bound was found:\n" + known;
  if (!open.empty()) out += "\n" + std::string(about_loops) + open;
  return out;
}

// What loops depend on that an option gives, as the option names it: "--arg " or "--global ".
std::set<std::string> wanted_of(const ir::KernelCode& code, std::string_view before) {
  std::set<std::string> wanted;
  for (const ir::Loop& loop : code.loops.value_or(std::vector<ir::Loop>{})) {
    for (const std::string& remedy : loop.remedies) {
      if (!remedy.starts_with(before)) continue;
      const size_t begin = before.size() + (remedy.substr(before.size()).starts_with('\'') ? 1 : 0);  // of the quotes
      wanted.insert(remedy.substr(begin, remedy.find('=') - begin));
    }
  }
  return wanted;
}

// The keys of a parameter, as a fact names it: of a structure whose members are known, these.
std::vector<std::string> places_of(const ir::KernelCode& code, size_t index) {
  constexpr size_t most_members = 16;
  const ir::KernelParameter& parameter = code.parameters[index];
  const std::string source = code.names == nullptr ? "" : code.names->parameters[index].source;
  const std::string name = source.empty() ? parameter.name : source;
  if (parameter.is_integer) return {name};
  std::vector<std::string> members;
  for (size_t i = 0; !source.empty() && i < code.names->members.size() && members.size() < most_members; ++i) {
    const ir::NamedBytes& member = code.names->members[i];
    if (member.parameter == index && member.is_integer && !member.is_pointer) members.push_back(member.name);
  }
  return members.empty() ? std::vector{name + "+0:4"} : members;
}

std::string arguments_text(const KernelFactsReport& kernel) {
  std::string out;
  for (const ir::Argument& argument : kernel.arguments) {
    out += key(ir::place_of(argument)) + " = " + quoted(argument.value) + "\n";
  }
  std::set<std::string> wanted = wanted_of(kernel.code, "--arg ");
  for (size_t i = 0; i < kernel.code.parameters.size(); ++i) {
    const ir::KernelParameter& parameter = kernel.code.parameters[i];
    const auto is_given = [&parameter](const ir::Argument& a) { return a.parameter == parameter.name; };
    if (std::any_of(kernel.arguments.begin(), kernel.arguments.end(), is_given)) continue;
    for (const std::string& place : places_of(kernel.code, i)) {
      const char* use = wanted.erase(place) > 0 ? "; loops depend on it" : "";
      out += comment(fmt::format("{} = 0  # parameter {}, {}{}", key(place), i, parameter.type, use));
    }
  }
  for (const std::string& place : wanted) out += comment(key(place) + " = 0  # loops depend on it");
  return out.empty() ? out : "\n# Values of parameters.\n[kernel.args]\n" + out;
}

std::string globals_text(const KernelFactsReport& kernel) {
  std::string out;
  std::set<std::string> wanted = wanted_of(kernel.code, "--global ");
  for (const ir::Argument& global : kernel.globals) {
    wanted.erase(ir::place_of(global));
    out += key(ir::place_of(global)) + " = " + quoted(global.value) + "\n";
  }
  for (const std::string& place : wanted) out += comment(key(place) + " = 0  # loops depend on it");
  return out.empty() ? out
                     : "\n# What variables of the file hold as long as the kernel runs.\n[kernel.globals]\n" + out;
}

// What may point to memory: where the source is not known, each integer of 64 bits.
std::vector<std::string> pointers_of(const ir::KernelCode& code) {
  if (code.names != nullptr) return code.names->pointers();
  std::vector<std::string> pointers;
  for (const ir::KernelParameter& parameter : code.parameters) {
    if (parameter.is_integer && parameter.bytes == 8) pointers.push_back(parameter.name);
  }
  return pointers;
}

std::string buffers_text(const KernelFactsReport& kernel) {
  std::string out;
  for (const ir::Buffer& buffer : kernel.buffers)
    out += key(ir::place_of(buffer)) + fmt::format(" = {}\n", buffer.bytes);
  for (const std::string& pointer : pointers_of(kernel.code)) {
    ir::Buffer placed{pointer};
    if (kernel.code.names != nullptr) kernel.code.names->place(placed);
    const auto is_given = [&placed](const ir::Buffer& b) { return b.parameter == placed.parameter; };
    if (std::none_of(kernel.buffers.begin(), kernel.buffers.end(), is_given)) out += comment(key(pointer) + " = 0");
  }
  return out.empty() ? out
                     : "\n# Bytes that parameters point to, if they are pointers: sizes of the arrays.\n"
                       "[kernel.buffers]\n" +
                           out;
}

// "  # fibonacci(int)", where the name says less, and the end of the line.
std::string with_readable(const std::string& name) {
  const std::string readable = support::demangled(name);
  return readable == name ? "\n" : "  # " + support::printable(readable) + "\n";
}

std::string calls_text(const std::vector<FunctionTime>& calls) {
  if (calls.empty()) return {};
  std::string out =
      "\n# Functions that are called and have no body in the file; link them in (nvcc -dlto, clang with its bitcode), "
      "or\n"
      "# say how long one call of a warp takes at most, as \"20 us\", or 5000 for cycles.\n"
      "[kernel.calls]\n";
  for (const FunctionTime& call : calls) {
    out += key(call.function) + " = " + (call.time.empty() ? "0" : quoted(call.time)) + with_readable(call.function);
  }
  return out;
}

std::string recursion_text(const std::vector<FunctionDepth>& recursion) {
  if (recursion.empty()) return {};
  std::string out =
      "\n# Recursive functions: how many activations of each are on a thread's stack at the same time, at most.\n"
      "[kernel.recursion]\n";
  for (const FunctionDepth& one : recursion) {
    out += key(one.function) + fmt::format(" = {}", one.depth.value_or(0)) + with_readable(one.function);
  }
  return out;
}

bool is_called(const ir::Loop& loop) { return !loop.called_from.empty(); }

std::string kernel_text(const KernelFactsReport& kernel) {
  const ir::KernelCode& code = kernel.code;
  std::string out = "\n[[kernel]]\n";
  out += comment(support::demangled(code.name) + ", " + kernel.file + " line " + std::to_string(code.location.line));
  out += "name = " + quoted(code.name) + "\n";
  out += "# The code that the facts are for: if it is another one they are refused, with what has changed.\n";
  out += "sha256 = " + quoted(code.sha256) + "\n";
  out += fmt::format("instructions = {}\n", code.instructions);
  out += "parameters = " + remembered(code.parameters) + "\n";
  if (code.loops) out += "loops = " + remembered(*code.loops) + "\n";
  if (code.loops && std::any_of(code.loops->begin(), code.loops->end(), is_called)) {
    std::vector<std::string> calls;
    for (const std::string& call : code.calls) calls.push_back(quoted(call));
    out += fmt::format("call_lines = [{}]\n", fmt::join(calls, ", "));
  }
  return out + loops_text(code) + calls_text(kernel.calls) + recursion_text(kernel.recursion) + arguments_text(kernel) +
         globals_text(kernel) + buffers_text(kernel);
}

}  // namespace

std::string to_toml(const FactsReport& report, const TextStyle&) {
  if (report.kernels.empty()) return {};
  std::string out = head;
  for (const KernelFactsReport& kernel : report.kernels) out += kernel_text(kernel);
  return out;
}

}  // namespace warpspan::app
