#include "app/requests/kernels/compilation.hpp"

#include <filesystem>

#include "app/requests/kernels/input_files.hpp"
#include "app/requests/tools/compiler.hpp"
#include "frontend/llvm_ir/to_ptx.hpp"

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

Result<std::vector<CodeUnit>> units_of_ptx(const std::string& name, SourceFile ptx, const Compilation& how) {
  if (how.wanted == Wanted::machine_code && how.assembler.empty()) {
    return support::usage_error(
        "--machine-code: '" + name + "' holds no machine code",
        "give a cubin, or an object, library or fatbin that nvcc or ptxas wrote; or {assemble}");
  }
  return std::vector{CodeUnit{name, std::make_shared<const SourceFile>(std::move(ptx))}};
}

// file: what the user names, or what a compiler wrote for it; of PTX, texts are its own.
Result<std::vector<CodeUnit>> units_of(const SourceFile& file, const std::string& ptx_name, const Compilation& how,
                                       const std::vector<std::string>& devices) {
  if (is_gpu_code(file)) return read_gpu_code(file, {how.target, devices, how.wanted});
  return units_of_ptx(file.name(), SourceFile(ptx_name, file.bytes()), how);
}

}  // namespace

Result<Input> read_input(const std::string& path, const Compilation& how, const std::vector<std::string>& devices) {
  const bool is_compiled = !how.compiler.empty() || is_llvm_ir(path);
  if (!is_compiled && !how.flags.empty()) {
    return support::usage_error("{flags}: '" + path + "' is not compiled",
                                "give a .ll or .bc file, or leave {flags} out");
  }
  if (is_compiled && path == "-") {
    return support::usage_error("--compiler: standard input cannot be compiled", "give a file");
  }
  auto file = read_isolated(path);
  if (!file) return file.errors();
  if (!is_compiled) {
    auto units = units_of(*file, file->name(), how, devices);
    if (!units) return units.errors();
    return Input{std::move(*file), std::move(*units)};
  }
  auto code = how.compiler.empty() ? with_llvm(*file, how) : run_compiler(how.compiler, how.flags, path, how.cancel);
  if (!code) return code.errors();
  const std::string name = with_flags(path, how.flags);
  auto units = units_of(SourceFile(name, std::move(*code)), "<PTX of " + name + ">", how, devices);
  if (!units) return units.errors();
  return Input{std::move(*file), std::move(*units)};
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
  const auto contents = frontend::contents_of(unit.ptx);
  if (!contents) return {};
  const std::string target = assembled_target(contents->target, how, devices);
  auto made = how.assemblies->assemble(how.assembler, target, *unit.ptx, how.cancel);
  if (!made) return made.errors();
  auto figures = figures_in({unit.name, made->cubin});
  if (!figures) return figures.errors();
  unit.figures = std::move(*figures);
  unit.cubin = std::move(made->cubin);
  const auto written = contents_of(unit);
  if (!written) return written.errors();
  if (without_suffix(written->target) != without_suffix(target)) {
    support::Diagnostic error;
    error.location.file = unit.ptx->name();
    error.message = "'" + made->run.command + "' wrote machine code for " + written->target + ", not for " + target;
    error.help = "give the target to {assemble}, as in 'ptxas -arch=sm_80'";
    return {error};
  }
  unit.made_by = std::move(made->run);
  if (how.wanted == Wanted::machine_code) unit.ptx.reset();
  return {};
}

}  // namespace warpspan::app
