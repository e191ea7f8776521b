#include "app/requests/keys_of_options.hpp"

#include <array>
#include <string_view>
#include <vector>

#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

// Help that names an option of other commands says which key of the budgets file is the same.
struct KeyOfOption {
  std::string_view option, key;
};
constexpr std::array<KeyOfOption, 17> keys_of_options = {{{"--block", "block"},
                                                          {"--grid", "grid"},
                                                          {"--arg", "args"},
                                                          {"--global", "globals"},
                                                          {"--trust-initialisers", "trust_initialisers"},
                                                          {"--buffer", "buffers"},
                                                          {"--loop-bound", "loop_bounds"},
                                                          {"--wait", "waits"},
                                                          {"--call-cost", "calls"},
                                                          {"--recursion", "recursion"},
                                                          {"--registers", "registers"},
                                                          {"--shared", "shared"},
                                                          {"--machine", "machine"},
                                                          {"--assume", "assume"},
                                                          {"--arch", "arch"},
                                                          {"--flags", "flags"},
                                                          {"--assemble", "assemble"}}};

// Not as the beginning of another option.
bool names(std::string_view text, std::string_view option) {
  for (size_t at = text.find(option); at != std::string_view::npos; at = text.find(option, at + 1)) {
    const size_t end = at + option.size();
    if (end == text.size() || (text[end] != '-' && (text[end] < 'a' || text[end] > 'z'))) return true;
  }
  return false;
}

}  // namespace

void name_keys(support::Diagnostic& error, const support::Location& at) {
  std::vector<std::string> keys;
  for (const KeyOfOption& known : keys_of_options) {
    if (names(error.help, known.option)) keys.push_back("'" + std::string(known.key) + "'");
  }
  if (keys.empty()) return;
  error.help += "; in " + at.file + ":" + std::to_string(at.line) +
                (keys.size() == 1 ? " that is the key " : " those are the keys ") + support::enumeration(keys);
}

}  // namespace warpspan::app
