// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/kernels/gpu_code.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "frontend/object/cubin.hpp"
#include "frontend/object/kernel_identity.hpp"
#include "frontend/object/kernel_names.hpp"
#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/opcode_table.hpp"
#include "support/nearest.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Result;
using Words = std::vector<std::string>;

// In code that is not optimized, instructions wait for as long as they can state, but for a few fences (docs/sass.md).
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
  compiled.constant = 0;
  for (const object::ConstantBank& bank : cubin.constants) {
    if (bank.function && &cubin.functions[*bank.function] == &function)
      *compiled.constant += static_cast<int64_t>(bank.bytes.size());
  }
  compiled.logs = {file};
  compiled.is_code = true;
  look_into(function, static_cast<int>(cubin.architecture.number), compiled);
  return compiled;
}

// The frames of functions by themselves, and of those in the code of a kernel, "$kernel$function".
void add_frames(const object::Function& function, CompiledKernels& kernels) {
  if (!function.entry) kernels.add_frame(std::string(function.name), function.frame_bytes.value_or(0));
  for (const object::Subroutine& subroutine : function.subroutines) {
    const std::string name(subroutine.name.substr(subroutine.name.rfind('$') + 1));
    kernels.add_frame(name, subroutine.frame_bytes.value_or(0));
  }
}

// The kernels of an image; of PTX perhaps more words.
Result<Words> kernels_in(const object::Input& input, const object::Image& image) {
  const auto bytes = object::contents(input, image);
  if (!bytes) return bytes.errors();
  if (image.kind == object::Image::Kind::ptx) return object::words_behind_entry(bytes->bytes);
  return object::kernels_of_cubin({input.name, bytes->bytes});
}

Result<Words> kernels_in(const object::Input& input, const object::ImageUnit& images) {
  Words all;
  for (const object::Image* image : {images.code, images.ptx}) {
    if (image == nullptr) continue;
    auto own = kernels_in(input, *image);
    if (!own) return own.errors();
    for (std::string& name : *own) {
      if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(std::move(name));
    }
  }
  return all;
}

bool has_chosen(const Words& names, const Words& patterns) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return support::is_chosen(patterns, name); });
}

// With the bytes of its images.
Result<CodeUnit> unit_of(const object::Input& input, const object::ImageUnit& images, Wanted wanted) {
  CodeUnit unit;
  unit.name = images.name;
  unit.ptx_is_wanted = wanted == Wanted::ptx;
  if (images.ptx != nullptr) {
    const auto text = object::contents(input, *images.ptx);
    if (!text) return text.errors();
    unit.ptx = std::make_shared<const frontend::PtxFile>(std::make_shared<const support::SourceFile>(
        "<PTX of " + unit.name + " for " + images.ptx->architecture + ">", std::string(text->bytes)));
  }
  if (images.code == nullptr) return unit;
  const auto bytes = object::contents(input, *images.code);
  if (!bytes) return bytes.errors();
  unit.cubin = std::string(bytes->bytes);
  return unit;
}

// The error if images for other targets have a chosen kernel.
std::optional<support::Diagnostic> of_other_targets(const object::Input& input,
                                                    const std::vector<object::Image>& images, const Words& patterns) {
  std::set<std::string> targets;
  std::string found;
  for (const object::Image& image : images) {
    const bool is_read = image.kind == object::Image::Kind::ptx || image.kind == object::Image::Kind::cubin;
    if (!is_read || targets.contains(image.architecture)) continue;
    const auto names = kernels_in(input, image);
    if (!names) continue;
    const auto chosen = std::find_if(names->begin(), names->end(),
                                     [&](const std::string& name) { return support::is_chosen(patterns, name); });
    if (chosen == names->end()) continue;
    found = *chosen;
    targets.insert(image.architecture);
  }
  if (targets.empty()) return std::nullopt;
  return support::usage_error("'" + input.name + "' has kernel " + support::quoted_symbol(found) + " for " +
                                  support::enumeration({targets.begin(), targets.end()}) + " only",
                              "choose one with {arch}");
}

}  // namespace

bool is_gpu_code(const support::SourceFile& file) { return object::is_container(file.bytes()); }

Result<CompiledKernels> figures_of(const CodeUnit& unit, const Words& kernels) {
  CompiledKernels figures;
  if (!unit.cubin) return figures;
  const auto cubin = object::read_cubin({unit.name, *unit.cubin});
  if (!cubin) return cubin.errors();
  for (const object::Function& function : cubin->functions) {
    add_frames(function, figures);
    const std::string name(function.name);
    if (!function.entry || !support::is_chosen(kernels, name)) continue;
    figures.add(object::to_string(cubin->architecture), name, compiled_from(*cubin, function, unit.name));
  }
  return figures;
}

Result<CompiledKernels> figures_of(const support::SourceFile& file) {
  const object::Input input{file.name(), file.bytes()};
  const auto images = object::final_images(input);
  if (!images) return images.errors();
  CompiledKernels all;
  for (const object::Image& image : *images) {
    if (image.kind != object::Image::Kind::cubin) continue;
    const auto bytes = object::contents(input, image);
    if (!bytes) return bytes.errors();
    CodeUnit unit{file.name(), nullptr, std::string(bytes->bytes)};
    const auto figures = figures_of(unit, {});
    if (!figures) return figures.errors();
    all.add(*figures);
  }
  if (!all.empty()) return all;
  return support::usage_error("'" + file.name() + "' has no machine code, which would tell registers and spills",
                              "give the cubin that was made of this PTX, or what 'ptxas -v' printed");
}

Result<frontend::Contents> contents_of(const CodeUnit& unit) {
  if (!unit.code_decides()) return unit.ptx->contents();
  const auto cubin = object::read_cubin({unit.name, *unit.cubin});
  if (!cubin) return cubin.errors();
  frontend::Contents contents;
  contents.target = object::to_string(cubin->architecture);
  for (const object::Function& function : cubin->functions) {
    if (function.entry) contents.kernels.push_back({std::string(function.name), {unit.name, 0, 0}});
  }
  return contents;
}

namespace {

// Linkers of the host keep a copy of a template's kernel for each object that uses it.
class KnownKernels {
 public:
  // Whether all chosen kernels of the unit are known, each with the same code and figures. Those that are not known
  // become so.
  bool has_all(const CodeUnit& unit, const Words& patterns) {
    if (!unit.code_decides()) return false;
    const auto cubin = object::read_cubin({unit.name, *unit.cubin});
    if (!cubin) return false;  // reading it says why
    bool all = true;
    for (const object::Function& function : cubin->functions) {
      if (!function.entry || !support::is_chosen(patterns, std::string(function.name))) continue;
      if (known_.insert(object::identity_of(*cubin, function)).second) all = false;
    }
    return all;
  }

 private:
  std::set<std::string> known_;
};

}  // namespace

Result<CodeUnits> read_gpu_code(const support::SourceFile& file, const CodeChoice& choice, const Words& kernels) {
  const object::Input input{file.name(), file.bytes()};
  const auto images = object::final_images(input);
  if (!images) return images.errors();
  const auto chosen = object::choose_images(file.name(), *images, choice);
  if (!chosen) return chosen.errors();
  CodeUnits read;
  KnownKernels known;
  std::set<std::string> others;
  for (const object::ImageUnit& one : *chosen) {
    const auto names = kernels_in(input, one);
    if (!names) return names.errors();
    if (!has_chosen(*names, kernels)) {
      for (const std::string& name : *names) {
        if (others.insert(name).second) read.other_kernels.push_back(name);
      }
      continue;
    }
    auto unit = unit_of(input, one, choice.wanted);
    if (!unit) return unit.errors();
    if (!known.has_all(*unit, kernels)) read.units.push_back(std::move(*unit));
  }
  if (!read.units.empty()) {
    read.other_kernels.clear();
    return read;
  }
  if (!kernels.empty() && choice.part.empty()) {
    if (auto error = of_other_targets(input, *images, kernels)) return *error;
  }
  if (read.other_kernels.empty()) {
    auto first = unit_of(input, chosen->front(), choice.wanted);
    if (!first) return first.errors();
    read.units.push_back(std::move(*first));
  }
  return read;
}

}  // namespace warpspan::app
