#include "app/requests/kernels/gpu_code.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "frontend/object/cubin.hpp"
#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

using object::Image;
using support::Diagnostic;
using support::Result;

constexpr std::string_view section_of_linked_code = ".nv_fatbin", section_of_unlinked_code = "__nv_relfatbin";

// Of code that is not optimized, instructions wait for as long as they can say, but for a few fences (docs/sass.md).
bool is_optimized(std::span<const sass::Instruction> code) {
  constexpr uint8_t longest_stall = 15;
  size_t all = 0, longest = 0;
  for (const sass::Instruction& instruction : code) {
    if (sass::is_filler(instruction)) continue;
    ++all;
    if (instruction.control.stall == longest_stall) ++longest;
  }
  return longest * 4 < all * 3;
}

// Code of an architecture that cannot be decoded says nothing.
void look_into(const object::Function& function, int architecture, CompiledKernel& compiled) {
  if (!sass::is_supported(architecture)) return;
  const auto* bytes = reinterpret_cast<const uint8_t*>(function.code.data());
  const auto code = sass::decode_bytes({bytes, function.code.size()}, architecture, sass::UnknownOpcodes::are_kept);
  if (!code) return;
  size_t end = code->size();
  while (end > 0 && sass::is_filler((*code)[end - 1])) --end;
  compiled.instructions = static_cast<int64_t>(end);
  compiled.optimized = is_optimized({code->data(), end});
}

// What a cubin says of a kernel, as a log of ptxas would.
CompiledKernel compiled_from(const object::Cubin& cubin, const object::Function& function, const std::string& file) {
  CompiledKernel compiled;
  compiled.registers = compiled.fewest_registers = function.registers;
  compiled.stack = function.min_stack_bytes;
  compiled.frame = function.frame_bytes;
  if (compiled.stack == 0) compiled.spill = 0;
  compiled.shared = object::own_shared_bytes(cubin, function);
  compiled.logs = {file};
  compiled.is_code = true;
  look_into(function, static_cast<int>(cubin.architecture.number), compiled);
  return compiled;
}

// Of functions by themselves, and of those in the code of a kernel, "$kernel$function".
void add_frames(const object::Function& function, CompiledKernels& kernels) {
  if (!function.entry) kernels.add_frame(std::string(function.name), function.frame_bytes.value_or(0));
  for (const object::Subroutine& subroutine : function.subroutines) {
    const std::string name(subroutine.name.substr(subroutine.name.rfind('$') + 1));
    kernels.add_frame(name, subroutine.frame_bytes.value_or(0));
  }
}

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

class UnitReader {
 public:
  UnitReader(const support::SourceFile& file, const std::vector<Image>& images, const CodeChoice& choice)
      : input_{file.name(), file.bytes()}, images_(images), choice_(choice) {}

  Result<std::vector<CodeUnit>> run() {
    auto error = choose_targets();
    for (size_t i = 0; i < images_.size() && !error; ++i) error = place(images_[i]);
    if (error) return *error;
    std::vector<CodeUnit> units;
    for (size_t i = 0; i < places_.size(); ++i) {
      auto unit = unit_of(places_[i], name_of(i));
      if (!unit) return unit.errors();
      units.push_back(std::move(*unit));
    }
    return units;
  }

 private:
  using Targets = std::vector<std::string>;

  // The images of one fatbin, or a cubin by itself.
  struct Place {
    const Image* ptx = nullptr;
    const Image* code = nullptr;
    const Image& any() const { return ptx != nullptr ? *ptx : *code; }
  };

  Diagnostic error(const std::string& what, std::string help) const {
    return support::usage_error("'" + input_.name + "' holds " + what, std::move(help));
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
    if (choice_.wanted == Wanted::machine_code) {
      if (code.empty()) return error("no machine code", "leave --machine-code out: its PTX is bounded then");
      ptx.clear();
    }
    if (choice_.wanted == Wanted::ptx && ptx.empty()) {
      return error("no PTX", "leave --ptx out: its machine code is bounded then");
    }
    const auto texts = candidates(ptx, is_later);
    if (texts.size() == 1) ptx_ = *texts.begin();
    const auto codes = ptx_ ? beside(code) : candidates(code, runs_on);
    if (codes.size() == 1) code_ = *codes.begin();
    if (codes.size() > 1 && ptx_ && choice_.wanted != Wanted::ptx) return refused("machine code", code, codes);
    if (choice_.wanted == Wanted::ptx ? ptx_.has_value() : ptx_ || code_) return std::nullopt;
    return ptx.empty() ? refused("machine code", code, codes) : refused("PTX", ptx, texts);
  }

  Diagnostic refused(const std::string& what, const Targets& all, const std::set<std::string>& fitting) const {
    if (fitting.empty()) {
      return error("no " + what + " for " + choice_.target, "it has some for " + support::enumeration(all));
    }
    return error(what + " for several targets",
                 "choose one with --arch: " + support::enumeration({fitting.begin(), fitting.end()}));
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

  std::optional<Diagnostic> place(const Image& image) {
    const bool is_ptx = image.kind == Image::Kind::ptx;
    if (!is_ptx && image.kind != Image::Kind::cubin) return std::nullopt;
    if ((is_ptx ? ptx_ : code_) != image.architecture) return std::nullopt;
    const bool is_same = !places_.empty() && image.fatbin != 0 && places_.back().any().fatbin == image.fatbin;
    if (!is_same) places_.emplace_back();
    const Image*& own = is_ptx ? places_.back().ptx : places_.back().code;
    if (own != nullptr) {
      return error(
          std::string(is_ptx ? "2 texts of PTX" : "2 cubins") + " for " + image.architecture + " in one fatbin",
          "give the files that it was made of, one by one");
    }
    own = &image;
    return std::nullopt;
  }

  std::string name_of(size_t index) const {
    const std::string& member = places_[index].any().member;
    size_t before = 0, all = 0;
    for (size_t i = 0; i < places_.size(); ++i) {
      const bool is_same = places_[i].any().member == member;
      all += is_same ? 1 : 0;
      before += is_same && i < index ? 1 : 0;
    }
    const std::string name = input_.name + (member.empty() ? "" : "(" + member + ")");
    return all == 1 ? name : name + "#" + std::to_string(before + 1);
  }

  Result<CodeUnit> unit_of(const Place& place, const std::string& name) const {
    CodeUnit unit;
    unit.name = name;
    if (place.ptx != nullptr) {
      const auto text = object::contents(input_, *place.ptx);
      if (!text) return text.errors();
      unit.ptx = std::make_shared<const support::SourceFile>(
          "<PTX of " + name + " for " + place.ptx->architecture + ">", std::string(text->bytes));
    }
    if (place.code == nullptr) return unit;
    const auto bytes = object::contents(input_, *place.code);
    if (!bytes) return bytes.errors();
    auto figures = figures_in({name, bytes->bytes});
    if (!figures) return figures.errors();
    unit.figures = std::move(*figures);
    if (choice_.wanted != Wanted::ptx) unit.cubin = std::string(bytes->bytes);
    return unit;
  }

  object::Input input_;
  const std::vector<Image>& images_;
  const CodeChoice& choice_;
  std::optional<std::string> ptx_, code_;  // the targets that were chosen
  std::vector<Place> places_;
};

// Those of systems on a chip, between which, and other devices, machine code is not compatible.
constexpr std::array<int64_t, 7> systems_on_chip = {53, 62, 72, 87, 101, 110, 121};

}  // namespace

bool is_gpu_code(const support::SourceFile& file) { return object::is_container(file.bytes()); }

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

Result<std::vector<Image>> images_of(const object::Input& input) {
  auto images = object::images(input);
  if (!images) return images;
  std::set<std::string> linked;
  for (const Image& image : *images) {
    if (image.section == section_of_linked_code) linked.insert(image.member);
  }
  std::erase_if(*images, [&linked](const Image& image) {
    return image.section == section_of_unlinked_code && linked.contains(image.member);
  });
  return images;
}

Result<CompiledKernels> figures_in(const object::Input& input) {
  const auto cubin = object::read_cubin(input);
  if (!cubin) return cubin.errors();
  CompiledKernels figures;
  for (const object::Function& function : cubin->functions) {
    add_frames(function, figures);
    if (!function.entry) continue;
    figures.add(object::to_string(cubin->architecture), std::string(function.name),
                compiled_from(*cubin, function, std::string(input.name)));
  }
  return figures;
}

Result<frontend::Contents> contents_of(const CodeUnit& unit) {
  if (!unit.cubin) return frontend::contents_of(unit.ptx);
  const auto cubin = object::read_cubin({unit.name, *unit.cubin});
  if (!cubin) return cubin.errors();
  frontend::Contents contents;
  contents.target = object::to_string(cubin->architecture);
  for (const object::Function& function : cubin->functions) {
    if (function.entry) contents.kernels.push_back({std::string(function.name), {unit.name, 0, 0}});
  }
  return contents;
}

Result<std::vector<CodeUnit>> read_gpu_code(const support::SourceFile& file, const CodeChoice& choice) {
  const auto images = images_of({file.name(), file.bytes()});
  if (!images) return images.errors();
  return UnitReader(file, *images, choice).run();
}

std::vector<std::string> targets_of(const std::vector<Image>& images) {
  std::vector<std::string> targets;
  for (const Image& image : images) targets.push_back(image.architecture);
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

}  // namespace warpspan::app
