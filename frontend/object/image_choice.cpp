// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/image_choice.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "support/nearest.hpp"

namespace warpspan::object {

namespace {

using support::Diagnostic;
using support::Result;

constexpr std::string_view section_of_linked_code = ".nv_fatbin", section_of_unlinked_code = "__nv_relfatbin";

// Those of targets that devices take: their own, or else the latest that runs there.
template <typename Runs>
std::set<std::string> taken_by(const std::vector<std::string>& devices, const std::vector<std::string>& targets,
                               const Runs& runs) {
  std::set<std::string> taken;
  for (const std::string& device : devices) {
    std::set<std::string> own;
    std::string latest;
    for (const std::string& target : targets) {
      if (without_suffix(target) == without_suffix(device)) own.insert(target);
      const bool fits = without_suffix(target) == target && runs(target, device);
      if (fits && (latest.empty() || number_of(target) > number_of(latest))) latest = target;
    }
    if (own.contains(device)) own = {device};
    if (own.empty() && !latest.empty()) own = {latest};
    taken.merge(own);
  }
  return taken;
}

bool is_later(const std::string& ptx, const std::string& device) { return number_of(device) >= number_of(ptx); }

class ImageChooser {
 public:
  ImageChooser(std::string_view file, const std::vector<Image>& images, const ImageChoice& choice)
      : file_(file), images_(images), choice_(choice) {}

  Result<std::vector<ImageUnit>> run() {
    if (auto error = choose_targets()) return *error;
    for (const Image& image : images_) {
      if (is_code(image)) ++codes_of_fatbin_[image.fatbin];
    }
    for (size_t i = 0; i < images_.size(); ++i) add(i);
    for (const ImageUnit& unit : units_) ++units_of_member_[unit.any().member];
    for (size_t i = 0; i < units_.size(); ++i) units_[i].name = name_of(i);
    if (choice_.part.empty()) return std::move(units_);
    std::erase_if(units_, [this](const ImageUnit& unit) { return !is_meant(unit); });
    if (!units_.empty()) return std::move(units_);
    return support::usage_error("'" + file_ + "' has no part '" + choice_.part + "' for its target",
                                "'warpspan list' shows the parts; leave it out for all");
  }

 private:
  using Targets = std::vector<std::string>;

  Diagnostic error(const std::string& what, std::string help) const {
    return support::usage_error("'" + file_ + "' holds " + what, std::move(help));
  }

  Targets targets_with(Image::Kind kind) const {
    std::vector<Image> own;
    std::copy_if(images_.begin(), images_.end(), std::back_inserter(own),
                 [kind](const Image& image) { return image.kind == kind; });
    return targets_of(own);
  }

  std::optional<Diagnostic> choose_targets() {
    Targets ptx = targets_with(Image::Kind::ptx), code = targets_with(Image::Kind::cubin);
    if (ptx.empty() && code.empty()) return error("neither PTX nor machine code", "");
    if (choice_.wanted == WantedCode::machine_code) {
      if (code.empty()) return error("no machine code", "leave {machine_code} out: its PTX is bounded then");
      ptx.clear();
    }
    if (choice_.wanted == WantedCode::ptx && ptx.empty()) {
      return error("no PTX", "leave {ptx} out: its machine code is bounded then");
    }
    const auto texts = candidates(ptx, is_later);
    if (texts.size() == 1) ptx_ = *texts.begin();
    const auto codes = ptx_ ? beside(code) : candidates(code, runs_on);
    if (codes.size() == 1) code_ = *codes.begin();
    if (codes.size() > 1 && ptx_ && choice_.wanted != WantedCode::ptx) return refused("machine code", code, codes);
    if (choice_.wanted == WantedCode::ptx ? ptx_.has_value() : ptx_ || code_) return std::nullopt;
    return ptx.empty() ? refused("machine code", code, codes) : refused("PTX", ptx, texts);
  }

  Diagnostic refused(const std::string& what, const Targets& all, const std::set<std::string>& fitting) const {
    if (fitting.empty()) {
      return error("no " + what + " for " + choice_.target, "it has some for " + support::enumeration(all));
    }
    return error(what + " for several targets",
                 "choose one with {arch}: " + support::enumeration({fitting.begin(), fitting.end()}));
  }

  // Of targets the one that is asked for; else those that the devices take, or all where there is nothing to choose by.
  template <typename Runs>
  std::set<std::string> candidates(const Targets& targets, const Runs& runs) const {
    if (is_asked_for(targets)) return {choice_.target};
    if (!choice_.target.empty()) return {};
    auto taken = taken_by(choice_.devices, targets, runs);
    return taken.empty() ? std::set<std::string>(targets.begin(), targets.end()) : taken;
  }

  // Of machine code beside the PTX: what no device of the machine runs is not what becomes of it.
  std::set<std::string> beside(const Targets& code) const {
    if (is_asked_for(code)) return {choice_.target};
    return taken_by(choice_.devices.empty() ? Targets{*ptx_} : choice_.devices, code, runs_on);
  }

  bool is_asked_for(const Targets& targets) const {
    return std::find(targets.begin(), targets.end(), choice_.target) != targets.end();
  }

  void add(size_t index) {
    const Image& image = images_[index];
    const bool is_ptx = image.kind == Image::Kind::ptx;
    if (!is_ptx && image.kind != Image::Kind::cubin) return;
    if ((is_ptx ? ptx_ : code_) != image.architecture) return;
    const bool is_alone = image.fatbin == 0;
    if (is_ptx && !is_alone && choice_.wanted != WantedCode::ptx && codes_of_fatbin_[image.fatbin] > 1) return;
    // Those of a fatbin stand behind one another.
    const auto begin = std::find_if(units_.rbegin(), units_.rend(), [&](const ImageUnit& unit) {
                         return is_alone || unit.any().fatbin != image.fatbin;
                       }).base();
    const auto known =
        std::find_if(begin, units_.end(), [&](const ImageUnit& unit) { return unit.part == parts_[index]; });
    ImageUnit& unit = known == units_.end() ? units_.emplace_back() : *known;
    unit.part = parts_[index];
    (is_ptx ? unit.ptx : unit.code) = &image;
  }

  bool is_code(const Image& image) const { return image.kind == Image::Kind::cubin && image.architecture == code_; }

  static std::string in_file(const ImageUnit& unit, bool with_part) {
    const std::string& member = unit.any().member;
    return (member.empty() ? "" : "(" + member + ")") + (with_part ? "#" + std::to_string(unit.part) : "");
  }

  bool is_meant(const ImageUnit& unit) const {
    return choice_.part == in_file(unit, false) || choice_.part == in_file(unit, true);
  }

  std::string name_of(size_t index) const {
    return file_ + in_file(units_[index], units_of_member_.at(units_[index].any().member) > 1);
  }

  std::string file_;
  const std::vector<Image>& images_;
  const ImageChoice& choice_;
  const std::vector<uint64_t> parts_ = parts_of(images_);
  std::optional<std::string> ptx_, code_;       // the targets that were chosen
  std::map<uint64_t, size_t> codes_of_fatbin_;  // images of machine code for the chosen target
  std::map<std::string, size_t> units_of_member_;
  std::vector<ImageUnit> units_;
};

// Those of systems on a chip, between which, and other devices, machine code is not compatible.
constexpr std::array<int64_t, 7> systems_on_chip = {53, 62, 72, 87, 101, 110, 121};

}  // namespace

std::string without_suffix(std::string target) {
  if (!target.empty() && (target.back() == 'a' || target.back() == 'f')) target.pop_back();
  return target;
}

int64_t number_of(std::string_view target) {
  int64_t number = 0;
  const size_t digits = std::min(target.find('_'), target.size() - 1) + 1;
  std::from_chars(target.data() + digits, target.data() + target.size(), number);
  return number;
}

bool runs_on(const std::string& code, const std::string& device) {
  const int64_t own = number_of(code), other = number_of(device);
  const auto is_on_chip = [](int64_t number) {
    return std::find(systems_on_chip.begin(), systems_on_chip.end(), number) != systems_on_chip.end();
  };
  if (own != other && (is_on_chip(own) || is_on_chip(other))) return false;
  return other >= own && other / 10 == own / 10;
}

Result<std::vector<Image>> final_images(const Input& input) {
  auto all = images(input);
  if (!all) return all;
  std::set<std::string> linked;
  for (const Image& image : *all) {
    if (image.section == section_of_linked_code) linked.insert(image.member);
  }
  std::erase_if(*all, [&linked](const Image& image) {
    return image.section == section_of_unlinked_code && linked.contains(image.member);
  });
  return all;
}

std::vector<std::string> targets_of(const std::vector<Image>& images) {
  std::vector<std::string> targets;
  for (const Image& image : images) targets.push_back(image.architecture);
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

std::vector<uint64_t> parts_of(const std::vector<Image>& images) {
  struct Numbering {
    uint64_t parts = 0, before = 0, fatbin = 0;                         // before the current fatbin
    std::map<std::pair<Image::Kind, std::string>, uint64_t> in_fatbin;  // images of it, by what they are
  };
  std::map<std::string, Numbering> members;
  std::vector<uint64_t> parts;
  for (const Image& image : images) {
    Numbering& member = members[image.member];
    if (image.fatbin == 0 || image.fatbin != member.fatbin) {
      member.before = member.parts;
      member.fatbin = image.fatbin;
      member.in_fatbin.clear();
    }
    parts.push_back(member.before + ++member.in_fatbin[{image.kind, image.architecture}]);
    member.parts = std::max(member.parts, parts.back());
  }
  for (size_t i = 0; i < images.size(); ++i) {
    if (members[images[i].member].parts == 1) parts[i] = 0;
  }
  return parts;
}

Result<std::vector<ImageUnit>> choose_images(std::string_view file, const std::vector<Image>& images,
                                             const ImageChoice& choice) {
  return ImageChooser(file, images, choice).run();
}

}  // namespace warpspan::object
