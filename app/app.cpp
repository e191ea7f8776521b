#include "app/app.hpp"

#include "app/analyze.hpp"
#include "app/exit_status.hpp"
#include "app/machines.hpp"
#include "app/memory.hpp"
#include "app/options.hpp"
#include "app/output.hpp"
#include "app/solve.hpp"
#include "app/string.hpp"
#include "app/verify.hpp"

namespace warpspan::app {

namespace {

struct RunCommand {
  Outcome operator()(const PrintText& print) const { return {print.text, {}, {}}; }
  Outcome operator()(const AnalyzeOptions& options) const {
    limit_memory(options.input.memory);
    return analyze(options, options.output.empty() && colour_on(Stream::output));
  }
  Outcome operator()(const StringOptions& options) const {
    limit_memory(options.input.memory);
    return strings(options);
  }
  Outcome operator()(const SolveOptions& options) const {
    limit_memory(options.memory);
    return solve(options, options.output.empty() && colour_on(Stream::output));
  }
  Outcome operator()(const VerifyOptions& options) const { return verify(options); }
  Outcome operator()(const MachinesOptions& options) const { return machines(options); }
};

}  // namespace

int run(int argc, const char* const* argv) {
  const auto command = parse_command_line(argc, argv);
  Outcome outcome;
  if (command) {
    outcome = std::visit(RunCommand{}, *command);
  } else {
    outcome.errors = command.errors();
  }
  return static_cast<int>(deliver(outcome));
}

}  // namespace warpspan::app
