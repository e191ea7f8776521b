// SPDX-License-Identifier: GPL-3.0-or-later
// The machines that the program contains.
#include <algorithm>
#include <array>
#include <cctype>

#include "support/embedded_file.hpp"
#include "support/nearest.hpp"
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

// --- Boards, named in the description of their machines: "..., board Jetson TX2".

// Small letters without blanks.
std::string plain(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (c != ' ') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters;
}

std::string_view between(std::string_view text, std::string_view begin, std::string_view ends) {
  const size_t at = text.find(begin);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + begin.size());
  return text.substr(0, text.find_first_of(ends));
}

std::string_view board_of(const support::EmbeddedFile& file) {
  return between(between(file.text, "\ndescription = \"", "\""), ", board ", ",");
}

// Whether a user who writes so means the board: all of its name, or without the word for the series.
bool names_board(const std::string& name, std::string_view board) {
  constexpr std::array<std::string_view, 3> series = {"geforce", "tesla", "jetson"};
  const std::string own = plain(board);
  if (own.empty()) return false;
  return plain(name) == own || std::any_of(series.begin(), series.end(), [&](std::string_view word) {
           return own == std::string(word) + plain(name);
         });
}

// Whether the words stand in the board's name, one after another: "AGX Orin" in "Jetson AGX Orin 64 GB".
bool names_part(std::string_view name, std::string_view board) {
  const auto spaced = [](std::string_view text) {
    std::string words = " ";
    for (const char c : text) words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return words + " ";
  };
  return !name.empty() && spaced(board).find(spaced(name)) != std::string::npos;
}

// Those of a board of that name, or else those of boards with the name as a part of theirs.
std::vector<const support::EmbeddedFile*> machines_of_board(const std::string& name) {
  std::vector<const support::EmbeddedFile*> machines, parts;
  for (size_t i = 0; i < embedded_boards_count; ++i) {
    if (names_board(name, board_of(embedded_boards[i]))) machines.push_back(&embedded_boards[i]);
    if (names_part(name, board_of(embedded_boards[i]))) parts.push_back(&embedded_boards[i]);
  }
  return machines.empty() ? parts : machines;
}

// The words of the text that have a digit, in small letters: "h100" of "H100 SXM". Numbers name GPUs.
std::vector<std::string> numbers_in(std::string_view text) {
  std::vector<std::string> numbers;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string word = plain(text.substr(0, end));
    if (word.find_first_of("0123456789") != std::string::npos) numbers.push_back(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return numbers;
}

// What a word that names no machine comes nearest to: a name, a target or a board. A GPU of another number is another
// one, and no slip of the pen: empty.
std::string nearest_machine(const std::string& name) {
  std::vector<std::string> known = builtin_machines();
  for (size_t i = 0; i < embedded_boards_count; ++i) known.emplace_back(board_of(embedded_boards[i]));
  std::vector<std::string> letters;
  for (const std::string& one : known) letters.push_back(plain(one));
  const std::string wanted = plain(name);
  const std::string_view meant = support::nearest(wanted, {letters.begin(), letters.end()});
  for (size_t i = 0; i < known.size() && !meant.empty(); ++i) {
    if (letters[i] == meant) return numbers_in(known[i]) == numbers_in(name) ? known[i] : "";
  }
  return {};
}

support::Diagnostic unknown_machine(const std::string& name) {
  const std::string meant = nearest_machine(name);
  return support::usage_error(
      "unknown machine '" + name + "'",
      (meant.empty() ? "" : "did you mean '" + meant + "'? ") + "known are " + list_of_machines() +
          "; 'warpspan machines' has their boards; a machine file is given by its path, such as my.toml");
}

std::string without_letter(std::string_view target) {
  if (!target.empty() && (target.back() == 'a' || target.back() == 'f')) target.remove_suffix(1);
  return std::string(target);
}

// The machine whose targets have this one; nothing if there is none.
std::optional<support::Result<Machine>> with_target(const std::string& target) {
  for (size_t i = 0; i < embedded_boards_count; ++i) {
    if (embedded_boards[i].text.find('"' + target + '"') == std::string_view::npos)
      continue;  // most are not worth parsing
    support::Result<Machine> machine = parse_builtin(embedded_boards[i]);
    if (!machine) return machine;
    const auto& targets = machine->targets;
    if (std::find(targets.begin(), targets.end(), target) != targets.end()) return machine;
  }
  return std::nullopt;
}

}  // namespace

bool is_machine_file(std::string_view name) {
  return name.ends_with(".toml") || name.find('/') != std::string_view::npos;
}

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
  if (is_machine_file(name)) {
    const support::Result<support::SourceFile> file = support::read_source(name);
    if (!file) return file.errors();
    return parse_machine(name, file->text());
  }
  if (const auto* board = find(embedded_boards, embedded_boards_count, name)) return parse_builtin(*board);
  if (auto machine = with_target(without_letter(name))) return std::move(*machine);
  const auto boards = machines_of_board(name);
  if (boards.size() == 1) return parse_builtin(*boards.front());
  if (boards.empty()) return unknown_machine(name);
  std::vector<std::string> names;
  for (const support::EmbeddedFile* board : boards) names.emplace_back(board->name);
  return support::usage_error("several machines are of a board '" + name + "'",
                              "give one of " + support::alternatives(names));
}

support::Result<NamedCycles> load_times(const std::string& name) {
  const std::optional<BaseFile> file = builtin_base(name);
  if (!file) return unknown_machine(name);
  return parse_times(file->name, file->text);
}

std::string_view stand_in(std::string_view target) {
  constexpr std::array<std::string_view, 4> first = {"sm_10", "sm_11", "sm_12", "sm_13"};
  return std::find(first.begin(), first.end(), target) == first.end() ? "" : "sm_20";
}

support::Result<Machine> machine_for_target(std::string_view target) {
  std::string device = without_letter(target);
  if (device.starts_with("compute_")) device.replace(0, 7, "sm");
  if (const std::string_view later = stand_in(device); !later.empty()) device = later;
  if (auto machine = with_target(device)) return std::move(*machine);
  auto error = support::usage_error("no machine for target '" + std::string(target) + "'",
                                    "choose one with {machine} NAME|FILE; known are " + list_of_machines());
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
