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

// Small letters and digits, and points: "A100-SXM4-40GB" is "a100sxm440gb".
std::string plain(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '.') letters += static_cast<char>(std::tolower(byte));
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

std::vector<std::string> words_of(std::string_view board) {
  std::vector<std::string> words;
  while (!board.empty()) {
    const size_t end = std::min(board.find(' '), board.size());
    words.push_back(plain(board.substr(0, end)));
    board.remove_prefix(std::min(end + 1, board.size()));
  }
  return words;
}

// Words that a name may have and a board not: who made it, and its series.
constexpr std::array<std::string_view, 5> series = {"nvidia", "geforce", "tesla", "jetson", "grid"};

// Words of a board that a name may lack. Without any other one, such as "Ti" or "AGX", it may be another product.
bool may_lack(std::string_view word) {
  constexpr std::array<std::string_view, 7> details = {"rtx", "gtx", "dgx", "sxm", "sxm2", "64", "gb"};
  const auto is_word = [word](std::string_view one) { return one == word; };
  return std::any_of(series.begin(), series.end(), is_word) || std::any_of(details.begin(), details.end(), is_word);
}

// Whether plain letters are these words of a board, each once at most and in any order, and words for series.
bool consists_of(std::string_view letters, const std::vector<std::string>& words) {
  if (letters.empty()) return std::all_of(words.begin(), words.end(), may_lack);
  for (size_t i = 0; i < words.size(); ++i) {
    if (!letters.starts_with(words[i])) continue;
    std::vector<std::string> others = words;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (consists_of(letters.substr(words[i].size()), others)) return true;
  }
  return std::any_of(series.begin(), series.end(), [&](std::string_view word) {
    return letters.starts_with(word) && consists_of(letters.substr(word.size()), words);
  });
}

// The same boards by other names: as nvidia-smi or their makers call what the source of the board's figures is.
struct OtherName {
  std::string_view machine, name;  // plain
};
constexpr std::array<OtherName, 11> other_names = {{{"hopper", "h100sxm5"},
                                                    {"hopper", "h100sxm80gb"},
                                                    {"hopper", "h100sxm580gb"},
                                                    {"hopper", "h10080gbhbm3"},
                                                    {"ampere", "a100sxm440gb"},
                                                    {"ampere", "a100pcie40gb"},
                                                    {"ampere", "a10040gb"},
                                                    {"volta", "v100sxm216gb"},
                                                    {"volta", "v100sxm232gb"},
                                                    {"pascal", "p100sxm216gb"},
                                                    {"gb10", "gb10"}}};

// Whether a user who writes so means the board of that machine: all of its name or a part that no other product has.
bool names_board(const std::string& name, const support::EmbeddedFile& machine) {
  std::string letters = plain(name);
  for (const std::string_view maker : {"nvidia", "tesla"}) {
    if (letters.starts_with(maker)) letters.erase(0, maker.size());
  }
  if (std::any_of(other_names.begin(), other_names.end(),
                  [&](const OtherName& one) { return one.machine == machine.name && one.name == letters; })) {
    return true;
  }
  const std::vector<std::string> words = words_of(board_of(machine));
  return !words.empty() && consists_of(plain(name), words);
}

std::vector<const support::EmbeddedFile*> machines_of_board(const std::string& name) {
  std::vector<const support::EmbeddedFile*> machines;
  for (size_t i = 0; i < embedded_boards_count; ++i) {
    if (names_board(name, embedded_boards[i])) machines.push_back(&embedded_boards[i]);
  }
  return machines;
}

bool has_digit(std::string_view text) { return text.find_first_of("0123456789") != std::string_view::npos; }

// Whether the word stands in the letters, and if it is a number, no other number.
bool stands_in(std::string_view word, std::string_view letters) {
  const size_t at = letters.find(word);
  if (at == std::string_view::npos) return false;
  const std::string_view behind = letters.substr(at + word.size(), 1);
  const bool is_longer = at > 0 && has_digit(word.substr(0, 1)) && has_digit(letters.substr(at - 1, 1));
  return !is_longer && !(has_digit(word) && has_digit(behind));
}

// "'orin' is of Jetson AGX Orin 64 GB" for "Orin Nano": machines whose boards share a word with it that tells products
// apart, or else any word.
std::vector<std::string> related_boards(const std::string& name) {
  std::vector<std::string> close, far;
  std::string letters;  // those of two words do not make one: "A100 80GB"
  for (const char c : name) letters += std::isalnum(static_cast<unsigned char>(c)) ? plain({&c, 1}) : " ";
  for (size_t i = 0; i < embedded_boards_count; ++i) {
    const std::string_view board = board_of(embedded_boards[i]);
    const std::string sentence = "'" + std::string(embedded_boards[i].name) + "' is of " + std::string(board);
    bool is_close = false, is_far = false;
    for (const std::string& word : words_of(board)) {
      const bool shared = stands_in(word, letters);
      is_close = is_close || (shared && !may_lack(word) && (has_digit(word) || word.size() > 3));
      is_far = is_far || (shared && word.size() > 2);
    }
    if (is_close) close.push_back(sentence);
    if (is_far) far.push_back(sentence);
  }
  std::vector<std::string>& found = close.empty() ? far : close;
  std::sort(found.begin(), found.end());
  return std::move(found);
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
  if (const std::vector<std::string> related = related_boards(name); !related.empty()) {
    return support::usage_error("no built-in machine is of a board '" + name + "'",
                                support::enumeration(related) +
                                    "; another board needs a file with its figures, which may be based on one of " +
                                    "these: docs/machines.md, A new board");
  }
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

// "sm_80" of "SM80", "compute_80", "8.0" and "cc 8.0"; empty for what is no target.
std::string as_target(std::string_view name) {
  std::string letters = plain(name);
  bool is_marked = false;
  for (const std::string_view mark : {"compute", "sm", "cc"}) {
    if (is_marked || !letters.starts_with(mark)) continue;
    letters.erase(0, mark.size());
    is_marked = true;
  }
  letters = without_letter(letters);
  const size_t point = letters.find('.');
  if (point != std::string::npos && point + 2 == letters.size()) {
    letters.erase(point, 1);
    is_marked = true;
  }
  const bool is_number = !letters.empty() && letters.find_first_not_of("0123456789") == std::string::npos;
  return is_marked && is_number ? "sm_" + letters : "";
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
  std::string machine_name = name;
  std::transform(name.begin(), name.end(), machine_name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (const auto* board = find(embedded_boards, embedded_boards_count, machine_name)) return parse_builtin(*board);
  if (auto machine = with_target(as_target(name))) return std::move(*machine);
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
