#include "app/requests/gpu_code.hpp"

#include <algorithm>

#include "frontend/object/cubin.hpp"
#include "frontend/sass/decode.hpp"
#include "frontend/sass/opcode_table.hpp"
#include "support/nearest.hpp"

namespace warpspan::app {

namespace {

using object::Image;
using support::Result;

constexpr std::string_view section_of_linked_code = ".nv_fatbin", section_of_unlinked_code = "__nv_relfatbin";

// What fills up the code behind its last instruction: no operation, after a branch to itself.
bool is_filler(const sass::Instruction& instruction) {
  return instruction.mnemonic() == "NOP" ||
         (instruction.mnemonic() == "BRA" && instruction.target() == instruction.offset);
}

// Of code that is not optimized, instructions wait for as long as they can say, but for a few fences (docs/sass.md).
bool is_optimized(std::span<const sass::Instruction> code) {
  constexpr uint8_t longest_stall = 15;
  size_t all = 0, longest = 0;
  for (const sass::Instruction& instruction : code) {
    if (is_filler(instruction)) continue;
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
  while (end > 0 && is_filler((*code)[end - 1])) --end;
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

// Of the images of a file the one that is for the target: PTX if there is any, else machine code.
Result<Image> image_for(const std::string& target, const std::string& file, const std::vector<Image>& images,
                        Wanted wanted) {
  std::vector<Image> all, fitting;
  const auto is_ptx = [](const Image& image) { return image.kind == Image::Kind::ptx; };
  const bool has_ptx = std::any_of(images.begin(), images.end(), is_ptx);
  const bool takes_ptx = has_ptx && wanted == Wanted::ptx_if_any;
  const auto kind = takes_ptx ? Image::Kind::ptx : Image::Kind::cubin;
  const std::string what = takes_ptx ? "PTX" : "machine code";
  for (const Image& image : images) {
    if (image.kind != kind) continue;
    all.push_back(image);
    if (target.empty() || image.architecture == target) fitting.push_back(image);
  }
  if (all.empty()) {
    return support::usage_error(
        "'" + file + "' holds " + (has_ptx ? "no machine code" : "neither PTX nor machine code"),
        has_ptx ? "leave --machine-code out: its PTX is bounded then" : "");
  }
  if (fitting.empty()) {
    return support::usage_error("'" + file + "' holds no " + what + " for " + target,
                                "it has some for " + support::enumeration(targets_of(all)));
  }
  if (const auto targets = targets_of(fitting); targets.size() > 1) {
    return support::usage_error("'" + file + "' holds " + what + " for several targets",
                                "choose one with --arch: " + support::enumeration(targets));
  }
  if (fitting.size() > 1) {
    return support::usage_error("'" + file + "' holds " + std::to_string(fitting.size()) +
                                    (takes_ptx ? " texts of PTX for " : " cubins for ") + fitting[0].architecture,
                                "give the object files that it was made of, one by one");
  }
  return fitting[0];
}

}  // namespace

bool is_gpu_code(const support::SourceFile& file) { return object::is_container(file.bytes()); }

Result<std::vector<Image>> images_of(const object::Input& input) {
  auto images = object::images(input);
  if (!images) return images;
  const auto in = [](std::string_view section) {
    return [section](const Image& image) { return image.section == section; };
  };
  if (std::any_of(images->begin(), images->end(), in(section_of_linked_code))) {
    std::erase_if(*images, in(section_of_unlinked_code));
  }
  return images;
}

void CodePlaces::add(const Image& image, const std::string& kernel) {
  images_[{without_suffix(image.architecture), kernel}].push_back(image);
}

Result<std::optional<std::string>> CodePlaces::find(const std::vector<std::string>& architectures,
                                                    const std::string& kernel) const {
  std::vector<Image> fitting;
  for (const std::string& architecture : architectures) {
    const auto known = images_.find({without_suffix(architecture), kernel});
    if (known != images_.end()) fitting.insert(fitting.end(), known->second.begin(), known->second.end());
  }
  if (fitting.empty()) return std::optional<std::string>();
  if (fitting.size() > 1) {
    return support::usage_error("'" + file_->name() + "' holds machine code of the kernel " +
                                std::to_string(fitting.size()) + " times");
  }
  const auto bytes = object::contents({file_->name(), file_->bytes()}, fitting.front());
  if (!bytes) return bytes.errors();
  return std::optional(std::string(bytes->bytes));
}

Result<GpuCode> read_gpu_code(const std::shared_ptr<const support::SourceFile>& file, const std::string& target,
                              Wanted wanted) {
  const object::Input input{file->name(), file->bytes()};
  const auto images = images_of(input);
  if (!images) return images.errors();
  const auto chosen = image_for(target, file->name(), *images, wanted);
  if (!chosen) return chosen.errors();
  const auto text = object::contents(input, *chosen);
  if (!text) return text.errors();
  if (chosen->kind == Image::Kind::cubin) return GpuCode{{}, chosen->architecture, {}, {}, std::string(text->bytes)};
  GpuCode code{std::string(text->bytes), chosen->architecture, {}, CodePlaces(file)};
  for (const Image& image : *images) {
    if (image.kind != Image::Kind::cubin) continue;
    const auto bytes = object::contents(input, image);
    if (!bytes) return bytes.errors();
    const auto cubin = object::read_cubin({file->name() + ": cubin for " + image.architecture, bytes->bytes});
    if (!cubin) return cubin.errors();
    for (const object::Function& function : cubin->functions) {
      add_frames(function, code.machine_code);
      if (!function.entry) continue;
      const std::string kernel(function.name);
      code.machine_code.add(image.architecture, kernel, compiled_from(*cubin, function, file->name()));
      code.places.add(image, kernel);
    }
  }
  return code;
}

std::vector<std::string> targets_of(const std::vector<Image>& images) {
  std::vector<std::string> targets;
  for (const Image& image : images) targets.push_back(image.architecture);
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

}  // namespace warpspan::app
