// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/man_page.hpp"

#include <sstream>

#include "app/reports/exit_status.hpp"

namespace warpspan::app {

namespace {

// Text between requests of troff: nothing in it is one, or an escape.
std::string text_of(const std::string& text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    begins = c == '\n';
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else {
      result += c;
    }
  }
  return result;
}

std::string bold(const std::string& text) { return "\\fB" + text_of(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + text_of(text) + "\\fR"; }

std::string as_it_stands(const std::string& text) { return ".nf\n" + text_of(text) + ".fi\n"; }

std::string section_of(const DescribedCommand& command) {
  std::string text = ".SS " + command.name + "\n" + text_of(command.help) + ".\n.PP\n" +
                     bold("warpspan " + command.name) + " [options]";
  for (const Option& option : command.options) {
    if (option.kind == Option::Kind::positional) text += " " + italic(option.name);
  }
  text += "\n";
  for (const Option& option : command.options) {
    const bool is_named = option.kind != Option::Kind::positional;
    text += ".TP\n" + (is_named ? bold(option.name) : italic(option.name));
    if (!option.value.empty()) text += " " + italic(option.value);
    text += "\n" + text_of(option.help) + ".\n";
  }
  return command.footer.empty() ? text : text + ".PP\n" + as_it_stands(command.footer);
}

}  // namespace

std::string man_page(const std::vector<DescribedCommand>& commands) {
  std::string text =
      ".TH WARPSPAN 1 \"\" \"warpspan " WARPSPAN_VERSION
      "\"\n"
      ".SH NAME\n"
      "warpspan \\- bounds how long GPU kernels can take in the worst case\n"
      ".SH SYNOPSIS\n" +
      bold("warpspan") + " " + italic("command") + " [options] [files]\n" +
      ".SH DESCRIPTION\n"
      "warpspan reads compiled GPU code, PTX and machine code, and gives a safe upper bound on how long a kernel can "
      "take. It needs no GPU. A word " +
      italic("@FILE") + " stands for the words of a file.\n" + ".SH COMMANDS\n";
  for (const DescribedCommand& command : commands) text += section_of(command);
  std::istringstream statuses(exit_statuses);
  text += ".SH EXIT STATUS\n";
  for (std::string line; std::getline(statuses, line);) text += text_of(line) + "\n";
  return text;
}

}  // namespace warpspan::app
