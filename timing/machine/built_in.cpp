// The machines that the program contains.
#include <algorithm>

#include "support/embedded_file.hpp"
#include "support/source_file.hpp"
#include "timing/machine/based_on.hpp"

namespace warpspan::timing {

// cmake/embed.cmake: the files of timing/machine/data, by name.
extern const support::EmbeddedFile embedded_boards[];
extern const size_t embedded_boards_count;
extern const support::EmbeddedFile embedded_generations[];
extern const size_t embedded_generations_count;

namespace {

std::string list_of_machines() {
  std::string list;
  for (const std::string& name : builtin_machines()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

const support::EmbeddedFile* find(const support::EmbeddedFile* files, size_t count, std::string_view name) {
  const support::EmbeddedFile* file =
      std::find_if(files, files + count, [name](const support::EmbeddedFile& one) { return one.name == name; });
  return file == files + count ? nullptr : file;
}

support::Result<Machine> parse_builtin(const support::EmbeddedFile& file) {
  support::Result<Machine> machine =
      parse_machine("timing/machine/data/boards/" + std::string(file.name) + ".toml", file.text);
  if (machine) return machine;
  support::Diagnostics errors = machine.errors();
  for (support::Diagnostic& error : errors) error.cause = support::Cause::internal;
  return errors;
}

bool is_path(const std::string& name) {
  constexpr std::string_view extension = ".toml";
  const bool toml =
      name.size() >= extension.size() && name.compare(name.size() - extension.size(), extension.size(), extension) == 0;
  return toml || name.find('/') != std::string::npos;
}

}  // namespace

std::optional<BaseFile> builtin_base(std::string_view name) {
  if (const auto* board = find(embedded_boards, embedded_boards_count, name)) {
    return BaseFile{"timing/machine/data/boards/" + std::string(name) + ".toml", board->text};
  }
  if (const auto* generation = find(embedded_generations, embedded_generations_count, name)) {
    return BaseFile{"timing/machine/data/generations/" + std::string(name) + ".toml", generation->text};
  }
  return std::nullopt;
}

std::vector<std::string> builtin_bases() {
  std::vector<std::string> names = builtin_machines();
  for (size_t i = 0; i < embedded_generations_count; ++i) names.emplace_back(embedded_generations[i].name);
  return names;
}

support::Result<Machine> load_machine(const std::string& name) {
  if (is_path(name)) {
    const support::Result<support::SourceFile> file = support::read_source(name);
    if (!file) return file.errors();
    return parse_machine(name, file->text());
  }
  if (const auto* board = find(embedded_boards, embedded_boards_count, name)) return parse_builtin(*board);
  return support::usage_error(
      "unknown machine '" + name + "'",
      "known are " + list_of_machines() + "; a machine file is given by its path, such as my.toml");
}

support::Result<Machine> machine_for_target(std::string_view target) {
  std::string base(target);
  if (!base.empty() && (base.back() == 'a' || base.back() == 'f')) base.pop_back();
  for (size_t i = 0; i < embedded_boards_count; ++i) {
    if (embedded_boards[i].text.find('"' + base + '"') == std::string_view::npos)
      continue;  // most are not worth parsing
    support::Result<Machine> machine = parse_builtin(embedded_boards[i]);
    if (!machine) return machine;
    const auto& targets = machine->targets;
    if (std::find(targets.begin(), targets.end(), base) != targets.end()) return machine;
  }
  auto error = support::usage_error("no machine for target '" + std::string(target) + "'",
                                    "choose one with --machine NAME|FILE; known are " + list_of_machines());
  error.cause = support::Cause::input;  // the command is right; it is the file that cannot be bounded as it stands
  return error;
}

std::vector<std::string> builtin_machines() {
  std::vector<std::string> names;
  for (size_t i = 0; i < embedded_boards_count; ++i) names.emplace_back(embedded_boards[i].name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace warpspan::timing
