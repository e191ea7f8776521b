// SPDX-License-Identifier: GPL-3.0-or-later
#include "library/request_options.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

namespace warpspan::library {

namespace {

constexpr const char* code_options[] = {"", "--machine-code", "--ptx"};
constexpr const char* efforts[] = {"never", "quick", "full"};

class Words {
 public:
  explicit Words(app::OptionSet& options) : options_(options) {}

  void add(std::string_view name, std::string word) { find(name).words.push_back(std::move(word)); }
  void add_text(std::string_view name, const std::string& text) {
    if (!text.empty()) add(name, text);
  }
  void add_number(std::string_view name, const std::optional<int64_t>& number) {
    if (number) add(name, std::to_string(*number));
  }
  void add_all(std::string_view name, const std::vector<std::string>& words) {
    for (const std::string& word : words) add(name, word);
  }
  void add_facts(std::string_view name, const std::vector<Fact>& facts) {
    for (const Fact& fact : facts) add(name, fact.place + "=" + fact.value);
  }
  // "256", "16,16": as short as it can be.
  void add_extent(std::string_view name, const std::optional<Extent>& extent) {
    if (!extent) return;
    std::string text = std::to_string(extent->x);
    if (extent->y != 1 || extent->z != 1) text += "," + std::to_string(extent->y);
    if (extent->z != 1) text += "," + std::to_string(extent->z);
    add(name, std::move(text));
  }
  void add_flag(std::string_view name, bool given) {
    if (given) find(name).given = true;
  }

 private:
  app::Option& find(std::string_view name) {
    auto& all = options_.options();
    return *std::find_if(all.begin(), all.end(), [name](const app::Option& option) { return option.name == name; });
  }

  app::OptionSet& options_;
};

// Only a name of a single file can be that of a content.
bool names_file(const std::string& path) {
  std::error_code unknown;
  return !path.empty() && path != "-" && path.find_first_of("*?[") == std::string::npos &&
         !std::filesystem::is_directory(path, unknown);
}

}  // namespace

support::Diagnostics give(const Request& request, app::OptionSet& options, app::KernelRequest& kernels) {
  support::Diagnostics errors;
  Words words(options);
  std::set<std::string> contents;
  for (const Input& input : request.inputs) {
    words.add("FILE", input.path);
    if (!input.bytes) continue;
    if (!names_file(input.path)) {
      errors.push_back(support::usage_error("'" + input.path + "' cannot be the name of a content",
                                            "give the name of a file, such as 'kernel.ptx', without '*', '?' and '['"));
    } else if (!contents.insert(input.path).second) {
      errors.push_back(support::usage_error("'" + input.path + "' is given twice", "give each content its own name"));
    }
    kernels.compilation.inputs->add(input.path, *input.bytes);
  }
  words.add_text("--arch", request.target);
  if (request.code != Code::machine_code_if_any) words.add_flag(code_options[static_cast<size_t>(request.code)], true);
  words.add_text("--assemble", request.assembler);
  if (request.unknown_opcodes_are_worst) words.add("--unknown-opcodes", "worst");
  words.add_text("--flags", request.flags);
  words.add_all("--kernel", request.kernels);
  words.add_extent("--block", request.block);
  words.add_extent("--grid", request.grid);
  words.add_facts("--arg", request.arguments);
  words.add_facts("--global", request.globals);
  words.add_flag("--trust-initialisers", request.trust_initialisers);
  words.add_facts("--buffer", request.buffers);
  words.add_facts("--loop-bound", request.loop_bounds);
  words.add_facts("--wait", request.waits);
  words.add_facts("--call-cost", request.call_costs);
  words.add_facts("--recursion", request.recursions);
  words.add_text("--facts", request.facts_file);
  words.add_text("--machine", request.machine);
  words.add_number("--registers", request.registers);
  words.add_number("--shared", request.shared_bytes);
  words.add_text("--interference", request.interference);
  std::string assumed;
  for (const std::string& name : request.assume) assumed += (assumed.empty() ? "" : ",") + name;
  words.add_text("--assume", assumed);
  words.add_all("--ptxas-log", request.ptxas_logs);
  if (request.simulate != Effort::quick) words.add("--simulate", efforts[static_cast<size_t>(request.simulate)]);
  words.add_flag("--explain", true);  // values are made of all that is known
  return errors;
}

}  // namespace warpspan::library
