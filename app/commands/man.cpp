// warpspan man: the manual page.
#include "app/cli/man_page.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "Examples:\n"
    "  warpspan man | man -l -\n"
    "  warpspan man > warpspan.1\n";

}  // namespace

Command man_command(AllCommands all) {
  return {"man", "Print the manual page", footer, [all](OptionSet&) {
            return Run([all] { return Outcome{man_page(described(all())), {}, {}}; });
          }};
}

}  // namespace warpspan::app
