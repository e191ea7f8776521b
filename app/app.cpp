#include "app/app.hpp"

#include "app/cli/command_line.hpp"
#include "app/cli/output.hpp"
#include "app/command_table.hpp"
#include "app/reports/exit_status.hpp"

namespace warpspan::app {

int run(int argc, const char* const* argv) {
  const auto run = parse_command_line(all_commands(), argc, argv);
  return static_cast<int>(deliver(run ? (*run)() : Outcome{{}, run.errors(), {}}));
}

}  // namespace warpspan::app
