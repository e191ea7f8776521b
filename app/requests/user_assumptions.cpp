#include "app/requests/user_assumptions.hpp"

#include <algorithm>

namespace warpspan::app {

namespace {

constexpr const char* unrounded_floats =
    "Sums and products of floating-point numbers without a rounding, on which loops, branches or addresses depend, "
    "are rounded to nearest, as the PTX ISA says, and optimized no further than that a product and a sum become one "
    "operation.";
constexpr const char* least_number =
    "The least number of a signed type, divided by -1, gives that number again and leaves nothing, as in "
    "arithmetic that wraps: the PTX ISA does not say.";
constexpr const char* full_block =
    "Every block has as many threads as .maxntid allows: with fewer, loops may run more often.";

// .maxntid allows smaller blocks than the one that is analyzed.
bool assumes_full_block(const frontend::AnalyzedKernel& analyzed) {
  return analyzed.block_from_file && analyzed.kernel.launch_bounds.required.x == 0;
}

// "The loop at 'L' (line 63, kernel.cu:42)"
std::string name_of(const ir::Loop& loop) {
  const std::string line = "line " + std::to_string(loop.line);
  const std::string source = ir::source_place(loop);
  const std::string places = line + (source.empty() ? "" : ", " + source);
  const std::string calls = ir::calls_text(loop);
  return (loop.label.empty() ? "The loop without a label (" + places + ")"
                             : "The loop at '" + loop.label + "' (" + places + ")") +
         (calls.empty() ? "" : ", called" + calls + ",");
}

std::string trips_assumption(const ir::Loop& loop) {
  const int64_t trips = loop.trip_count.value_or(1);
  const bool is_one_more = loop.given && *loop.given != trips;  // the user counts turns
  return name_of(loop) + " runs at most " + std::to_string(trips) + (trips == 1 ? " time" : " times") +
         " each time it is entered" + (is_one_more ? ", the last time to a test before the end of a turn" : "") + " (" +
         ir::to_string(loop.given_by) + ").";
}

std::string wait_assumption(const ir::Loop& loop) {
  std::string name = name_of(loop);
  name.front() = 't';
  return "No thread is in " + name + " for longer than " + std::to_string(*loop.longest_wait) +
         " ns each time it is entered, whatever else runs meanwhile (" + ir::to_string(loop.wait_given_by) + ").";
}

// What any loop whose count is known so rests on, as goes on from its name; empty: nothing.
std::string_view assumption_of(ir::TripCountSource source) {
  constexpr std::string_view assumptions[] = {
#define TRIP_SOURCE(enumerator, name, known, assumed) assumed,
#include "ir/trip_methods.def"
  };
  return assumptions[static_cast<size_t>(source)];
}

std::string clock_assumption(const ir::Loop& loop) {
  return name_of(loop) +
         " compares what a counter of cycles tells, which counts those of the thread's multiprocessor: the thread "
         "stays "
         "there, machine code reads the counter where the PTX does, and from the read before the loop on the next one "
         "of the thread follows within " +
         std::to_string(loop.clock->apart) + " cycles each time.";
}

// Whether its trip count is how often it can run in the time that it waits.
bool follows_from_wait(const ir::Loop& loop) {
  return loop.longest_wait && (!loop.given || loop.trip_count.value_or(0) < *loop.given);
}

bool is_range(const ir::Argument& argument) { return argument.value.find("..") != std::string::npos; }

// "is 100", "are between 1 and 4096"
std::string value_words(const std::string& verb, const std::string& value) {
  const size_t dots = value.find("..");
  if (dots == std::string::npos) return verb + " " + value;
  return verb + " between " + value.substr(0, dots) + " and " + value.substr(dots + 2);
}

std::string argument_assumption(const ir::Argument& argument) {
  const bool is_source = !argument.written.empty();
  const std::string name = "parameter '" + (is_source ? argument.written : argument.parameter) + "'";
  const auto bytes = is_source ? std::nullopt : argument.bytes;
  const std::string count = !bytes || bytes->count == 1 ? "" : std::to_string(bytes->count) + " bytes from ";
  const std::string what = bytes ? count + "byte " + std::to_string(bytes->offset) + " of " + name : name;
  return "The " + what + " " + value_words(count.empty() ? "is" : "are", argument.value) + " (" +
         ir::to_string(argument.origin) + ").";
}

std::string global_assumption(const ir::Argument& global) {
  const bool is_element = global.element.has_value();
  const bool has_bytes = global.bytes && !is_element;
  const std::string name =
      "variable '" + global.parameter + (is_element ? "[" + std::to_string(*global.element) + "]" : "") + "'";
  const std::string what = has_bytes ? "bytes from byte " + std::to_string(global.bytes->offset) + " of " + name : name;
  const std::string count = has_bytes ? std::to_string(global.bytes->count) + " " : "";
  return "The " + count + what + " " + value_words(has_bytes ? "are" : "is", global.value) +
         " as long as the kernel runs (" + ir::to_string(global.origin) + ").";
}

std::string initialiser_assumption(const std::string& variable) {
  return "Variable '" + variable +
         "' holds what the file initialises it with: neither the host nor another kernel has changed it "
         "(--trust-initialisers).";
}

std::string bound_assumption(const std::string& variable) {
  return "No access by an address that is counted from variable '" + variable +
         "' leaves it: loops that go through it end before its end.";
}

std::string buffer_assumption(const ir::Buffer& buffer) {
  return "Parameter '" + ir::place_of(buffer) + "' points to " + std::to_string(buffer.bytes) +
         " bytes, and no access by it goes beyond (" + ir::to_string(buffer.origin) + ").";
}

std::string interference_assumption(const ir::Interference& interference) {
  return "Others that use the memory, such as the CPU, keep the kernel's requests waiting for at most " +
         support::to_string(interference.share) + " of the time that it runs (" + ir::to_string(interference.origin) +
         ").";
}

}  // namespace

std::vector<std::string> user_assumptions(const frontend::AnalyzedKernel& analyzed) {
  std::vector<std::string> result;
  const auto add = [&result](std::string assumption) {
    if (std::find(result.begin(), result.end(), assumption) == result.end()) result.push_back(std::move(assumption));
  };
  if (assumes_full_block(analyzed)) add(full_block);
  for (const ir::Argument& argument : analyzed.launch.arguments) {
    if (argument.origin.is_file() || is_range(argument)) add(argument_assumption(argument));
  }
  for (const ir::Argument& global : analyzed.launch.globals) add(global_assumption(global));
  for (const std::string& variable : analyzed.flow.trusted_variables) add(initialiser_assumption(variable));
  if (analyzed.flow.unrounded_floats) add(unrounded_floats);
  if (analyzed.flow.divides_least) add(least_number);
  for (const ir::Buffer& buffer : analyzed.launch.buffers) add(buffer_assumption(buffer));
  if (analyzed.launch.interference) add(interference_assumption(*analyzed.launch.interference));
  for (const std::string& variable : analyzed.flow.bounding_variables) add(bound_assumption(variable));
  for (const ir::Loop& loop : analyzed.flow.loops) {
    if (loop.longest_wait) add(wait_assumption(loop));
    if (const auto assumed = assumption_of(loop.source); !assumed.empty()) add(name_of(loop) + std::string(assumed));
    if (loop.clock) add(clock_assumption(loop));
    if (loop.source == ir::TripCountSource::user && !follows_from_wait(loop)) add(trips_assumption(loop));
  }
  return result;
}

}  // namespace warpspan::app
