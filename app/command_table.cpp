// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_table.hpp"

#include "app/cli/command_line.hpp"
#include "app/cli/described_command.hpp"

namespace warpspan::app {

// Each in the source of its name in app/commands.
Command analyze_command();
Command check_command();
Command compare_command();
Command merge_command();
Command simulate_command();
Command string_command();
Command occupancy_command();
Command rta_command();
Command amalthea_command();
Command list_command();
Command listing_command();
Command facts_command();
Command solve_command();
Command verify_command();
Command machines_command();
Command calibrate_command();
Command reproduce_command();
Command rerun_command(Parse parse);
Command completion_command(AllCommands all);
Command man_command(AllCommands all);

std::vector<Command> all_commands() {
  return {
      analyze_command(),
      check_command(),
      compare_command(),
      merge_command(),
      simulate_command(),
      string_command(),
      occupancy_command(),
      rta_command(),
      amalthea_command(),
      list_command(),
      listing_command(),
      facts_command(),
      solve_command(),
      verify_command(),
      machines_command(),
      calibrate_command(),
      reproduce_command(),
      rerun_command([](const std::vector<std::string>& words) { return parse_command_line(all_commands(), words); }),
      completion_command(all_commands),
      man_command(all_commands)};
}

}  // namespace warpspan::app
