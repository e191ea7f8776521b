#include "app/requests/kernels/gpu_code.hpp"

#include "frontend/object/cubin.hpp"
#include "frontend/sass/words/decode.hpp"
#include "frontend/sass/words/opcode_table.hpp"

namespace warpspan::app {

namespace {

using support::Result;

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

// With the bytes of its images.
Result<CodeUnit> unit_of(const object::Input& input, const object::ImageUnit& images, Wanted wanted) {
  CodeUnit unit;
  unit.name = images.name;
  if (images.ptx != nullptr) {
    const auto text = object::contents(input, *images.ptx);
    if (!text) return text.errors();
    unit.ptx = std::make_shared<const support::SourceFile>(
        "<PTX of " + unit.name + " for " + images.ptx->architecture + ">", std::string(text->bytes));
  }
  if (images.code == nullptr) return unit;
  const auto bytes = object::contents(input, *images.code);
  if (!bytes) return bytes.errors();
  auto figures = figures_in({unit.name, bytes->bytes});
  if (!figures) return figures.errors();
  unit.figures = std::move(*figures);
  if (wanted != Wanted::ptx) unit.cubin = std::string(bytes->bytes);
  return unit;
}

}  // namespace

bool is_gpu_code(const support::SourceFile& file) { return object::is_container(file.bytes()); }

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
  const object::Input input{file.name(), file.bytes()};
  const auto images = object::final_images(input);
  if (!images) return images.errors();
  const auto chosen = object::choose_images(file.name(), *images, choice);
  if (!chosen) return chosen.errors();
  std::vector<CodeUnit> units;
  for (const object::ImageUnit& one : *chosen) {
    auto unit = unit_of(input, one, choice.wanted);
    if (!unit) return unit.errors();
    units.push_back(std::move(*unit));
  }
  return units;
}

}  // namespace warpspan::app
