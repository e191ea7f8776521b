#include "app/command_table.hpp"

namespace warpspan::app {

// Each in the source of its name in app/commands.
Command analyze_command();
Command check_command();
Command string_command();
Command solve_command();
Command verify_command();
Command machines_command();

std::vector<Command> all_commands() {
  return {analyze_command(), check_command(), string_command(), solve_command(), verify_command(), machines_command()};
}

}  // namespace warpspan::app
