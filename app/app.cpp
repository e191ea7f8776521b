#include "app/app.hpp"

#include "app/cli/exit_status.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/options.hpp"
#include "app/cli/output.hpp"
#include "app/commands/analyze.hpp"
#include "app/commands/machines.hpp"
#include "app/commands/solve.hpp"
#include "app/commands/string.hpp"
#include "app/commands/verify.hpp"

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
