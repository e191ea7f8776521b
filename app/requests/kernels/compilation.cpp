// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/kernels/compilation.hpp"

#include <filesystem>

#include "app/requests/tools/compiler.hpp"
#include "frontend/llvm_ir/to_ptx.hpp"
#include "frontend/object/other_formats.hpp"

namespace warpspan::app {

namespace {

using support::Result;
using support::SourceFile;

std::string with_flags(const std::string& path, const std::vector<std::string>& flags) {
  std::string name = path;
  for (const std::string& flag : flags) name += (&flag == &flags.front() ? " with " : " ") + flag;
  return name;
}

Result<std::string> with_llvm(const SourceFile& module, const Compilation& how) {
  const auto flags = llvm_ir::parse_flags(how.flags);
  if (!flags) return flags.errors();
  llvm_ir::Limits limits;
  limits.cancel = how.cancel;
  return llvm_ir::to_ptx(module, *flags, limits);
}

bool is_llvm_ir(const std::string& path) {
  const std::filesystem::path extension = std::filesystem::path(path).extension();
  return extension == ".ll" || extension == ".bc";
}

Result<CodeUnits> units_of_ptx(const std::string& name, std::shared_ptr<const frontend::PtxFile> ptx,
                               const Compilation& how) {
  if (how.wanted == Wanted::machine_code && how.assembler.empty()) {
    return support::usage_error(
        "--machine-code: '" + name + "' holds no machine code",
        "give a cubin, or an object, library or fatbin that nvcc or ptxas wrote; or {assemble}");
  }
  return CodeUnits{{CodeUnit{name, std::move(ptx)}}};
}

// A file, and which unit of it is meant.
struct Place {
  std::string file;
  std::string part;  // object::ImageChoice
};

// "k.a" and "(k.o)#2" of "k.a(k.o)#2", unless a file has that very name.
Place place_of(const std::string& path) {
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown)) return {path, {}};
  size_t end = path.find_last_not_of("0123456789");
  end = end != std::string::npos && path[end] == '#' && end + 1 < path.size() ? end : path.size();
  for (const size_t at : {path.substr(0, end).ends_with(')') ? path.rfind('(', end) : end, end}) {
    if (at >= path.size() || !std::filesystem::is_regular_file(path.substr(0, at), unknown)) continue;
    return {path.substr(0, at), path.substr(at)};
  }
  return {path, {}};
}

// file: what the user names, or what a compiler wrote for it; as_ptx: the same, if it is PTX.
Result<CodeUnits> units_of(const SourceFile& file, std::shared_ptr<const frontend::PtxFile> as_ptx,
                           const Compilation& how, const std::vector<std::string>& devices,
                           const std::vector<std::string>& kernels, const std::string& part = {}) {
  if (is_gpu_code(file)) return read_gpu_code(file, {how.target, devices, how.wanted, part}, kernels);
  if (auto error = object::not_text({file.name(), file.bytes()})) return *error;
  return units_of_ptx(file.name(), std::move(as_ptx), how);
}

}  // namespace

Result<Input> read_input(const std::string& path, const Compilation& how, const std::vector<std::string>& devices,
                         const std::vector<std::string>& kernels) {
  const bool is_compiled = !how.compiler.empty() || is_llvm_ir(path);
  if (!is_compiled && !how.flags.empty()) {
    return support::usage_error("{flags}: '" + path + "' is not compiled",
                                "give a .ll or .bc file, or leave {flags} out");
  }
  if (is_compiled && path == "-") {
    return support::usage_error("--compiler: standard input cannot be compiled", "give a file");
  }
  const Place place = is_compiled ? Place{path, {}} : place_of(path);
  auto given = how.inputs->find(place.file);
  if (!given) return given.errors();
  const SourceFile& file = *given->file;
  if (!is_compiled) {
    auto found = units_of(file, given->as_ptx, how, devices, kernels, place.part);
    if (!found) return found.errors();
    return Input{std::move(given->run), std::move(found->units), std::move(found->other_kernels)};
  }
  auto code = how.compiler.empty() ? with_llvm(file, how) : run_compiler(how.compiler, how.flags, path, how.cancel);
  if (!code) return code.errors();
  const std::string name = with_flags(path, how.flags);
  const SourceFile written(name, std::move(*code));
  auto as_ptx = std::make_shared<const SourceFile>("<PTX of " + name + ">", written.bytes());
  auto found = units_of(written, std::make_shared<const frontend::PtxFile>(std::move(as_ptx)), how, devices, kernels);
  if (!found) return found.errors();
  return Input{std::move(given->run), std::move(found->units), std::move(found->other_kernels)};
}

std::string assembled_target(const std::string& ptx_target, const Compilation& how,
                             const std::vector<std::string>& devices) {
  if (std::string named = target_in(how.assembler); !named.empty()) return named;
  std::string later;
  for (const std::string& device : devices) {
    if (without_suffix(device) == without_suffix(ptx_target)) return ptx_target;
    if (later.empty() && number_of(device) > number_of(ptx_target)) later = device;
  }
  return later.empty() ? ptx_target : later;
}

support::Diagnostics assemble(CodeUnit& unit, const Compilation& how, const std::vector<std::string>& devices) {
  if (how.assembler.empty() || how.wanted == Wanted::ptx || unit.cubin || !unit.ptx) return {};
  const auto contents = unit.ptx->contents();
  if (!contents) return {};
  const std::string target = assembled_target(contents->target, how, devices);
  auto made = how.assemblies->assemble(how.assembler, target, unit.ptx->source(), how.cancel);
  if (!made) return made.errors();
  unit.cubin = std::move(made->cubin);
  const auto written = contents_of(unit);
  if (!written) return written.errors();
  if (without_suffix(written->target) != without_suffix(target)) {
    support::Diagnostic error;
    error.location.file = unit.ptx->source().name();
    error.message = "'" + made->run.command + "' wrote machine code for " + written->target + ", not for " + target;
    error.help = "give the target to {assemble}, as in 'ptxas -arch=sm_80'";
    return {error};
  }
  unit.made_by = std::move(made->run);
  if (how.wanted == Wanted::machine_code) unit.ptx.reset();
  return {};
}

}  // namespace warpspan::app
