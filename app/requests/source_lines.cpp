// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/source_lines.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/reports/source_root.hpp"
#include "support/digits.hpp"

namespace warpspan::app {

namespace {

// Takes words and numbers off the front of a line.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::string_view next() {
    constexpr std::string_view blanks = " \t\r,";
    text_.remove_prefix(std::min(text_.find_first_not_of(blanks), text_.size()));
    const std::string_view word = text_.substr(0, text_.find_first_of(blanks));
    text_.remove_prefix(word.size());
    return word;
  }

  std::optional<int64_t> number() { return support::parse_digits<int64_t>(next()); }

  std::optional<std::array<int64_t, 3>> place() {
    std::array<int64_t, 3> numbers{};
    for (int64_t& one : numbers) {
      const auto known = number();
      if (!known) return std::nullopt;
      one = *known;
    }
    return numbers;
  }

  std::string_view rest() const { return text_; }

 private:
  std::string_view text_;
};

std::string folder_of(const std::string& file) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  return folder.empty() ? "." : folder.string();
}

}  // namespace

SourceLines::SourceLines(std::shared_ptr<const support::SourceFile> input, std::string root)
    : input_(std::move(input)), root_(std::move(root)) {}

LineOf SourceLines::of(const frontend::AnalyzedKernel& analyzed) {
  const ir::Kernel& kernel = analyzed.kernel;
  if (kernel.source_files.empty()) return {};
  std::map<int64_t, const ir::ListedInstruction*> listing;
  for (const ir::ListedInstruction& listed : analyzed.listing) listing.emplace(listed.line, &listed);
  if (listing.empty() && !is_read_) read_ptx();
  // The instruction's own line, then the calls that it was inlined for, from the inside out.
  const auto lines_at = [this, &kernel, listing = std::move(listing)](const ir::Instruction& instruction) {
    std::vector<ir::SourceLine> lines = {{kernel.source_files[instruction.source_file], instruction.source_line}};
    const auto listed = listing.find(instruction.line);
    const auto calls = listed == listing.end() ? calls_at(instruction) : listed->second->calls;
    lines.insert(lines.end(), calls.begin(), calls.end());
    return lines;
  };
  std::vector<std::string> folders = {root_};
  if (root_.empty()) {
    folders = {"."};
    const auto has_line = [](const ir::Instruction& instruction) { return instruction.source_line != 0; };
    const auto first = std::find_if(kernel.instructions.begin(), kernel.instructions.end(), has_line);
    if (first != kernel.instructions.end()) folders.push_back(folder_of(lines_at(*first).back().file));
  }
  if (folders != folders_) is_users_.clear();
  folders_ = std::move(folders);
  return [this, lines_at](const ir::Instruction& instruction) -> ir::SourceLine {
    if (instruction.source_line == 0) return {};
    const std::vector<ir::SourceLine> lines = lines_at(instruction);
    const auto users =
        std::find_if(lines.begin(), lines.end(), [this](const ir::SourceLine& line) { return is_users(line.file); });
    return users == lines.end() ? lines.back() : *users;
  };
}

// Only what .loc and .file say.
void SourceLines::read_ptx() {
  is_read_ = true;
  const std::string_view text = input_->text();
  if (text.find("inlined_at") == std::string_view::npos) return;
  int64_t number = 1;
  for (size_t begin = 0; begin < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    Words words(text.substr(begin, end - begin));
    const std::string_view first = words.next();
    if (first == ".loc") {
      read_location(number, words.rest());
    } else if (first == ".file") {
      const auto file = words.number();
      const std::string_view name = words.rest();
      const size_t open = name.find('"'), close = name.rfind('"');
      if (file && open < close) files_[*file] = std::string(name.substr(open + 1, close - open - 1));
    }
    begin = end + 1;
  }
}

// FILE LINE COLUMN {, function_name LABEL{+OFFSET}, inlined_at FILE LINE COLUMN}. The place of the call is one of a
// .loc before, which may itself be of inlined code.
void SourceLines::read_location(int64_t number, std::string_view text) {
  Words words(text);
  const auto place = words.place();
  if (!place) return;
  size_t call = 0;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word != "inlined_at") continue;
    const auto at = words.place();
    if (!at) break;
    const auto outer = last_call_.find(*at);
    const Call one = {(*at)[0], (*at)[1], outer == last_call_.end() ? 0 : outer->second};
    const auto [known, is_new] = known_calls_.try_emplace(one, calls_.size());
    if (is_new) calls_.push_back(one);
    call = known->second;
  }
  last_call_[*place] = call;
  places_.push_back({number, (*place)[1], call});
}

std::vector<ir::SourceLine> SourceLines::calls_at(const ir::Instruction& instruction) const {
  std::vector<ir::SourceLine> calls;
  const auto behind = std::upper_bound(places_.begin(), places_.end(), int64_t{instruction.line},
                                       [](int64_t line, const Place& place) { return line < place.line; });
  if (behind == places_.begin() || std::prev(behind)->source != instruction.source_line) return calls;
  // An outer call was known before those in it.
  for (size_t call = std::prev(behind)->call; call != 0; call = calls_[call].outer) {
    const auto file = files_.find(calls_[call].file);
    if (file == files_.end() || calls_[call].line > UINT32_MAX) break;
    calls.push_back({file->second, static_cast<uint32_t>(calls_[call].line)});
  }
  return calls;
}

bool SourceLines::is_users(const std::string& file) {
  const auto [known, is_new] = is_users_.try_emplace(file, false);
  const auto has_it = [&file](const std::string& folder) { return path_below(folder, file).has_value(); };
  if (is_new) known->second = std::any_of(folders_.begin(), folders_.end(), has_it);
  return known->second;
}

}  // namespace warpspan::app
