#include "app/requests/compilation.hpp"

#include <filesystem>

#include "app/requests/compiler.hpp"
#include "app/requests/gpu_code.hpp"
#include "app/requests/input_files.hpp"
#include "frontend/llvm_ir/to_ptx.hpp"

namespace warpspan::app {

namespace {

using support::Result;
using support::SourceFile;

std::string name_of(const std::string& path, const std::vector<std::string>& flags) {
  std::string name = "<PTX of " + path;
  for (const std::string& flag : flags) name += (&flag == &flags.front() ? " with " : " ") + flag;
  return name + ">";
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

Result<Input> from_gpu_code(SourceFile file, const Compilation& how) {
  const auto shared = std::make_shared<const SourceFile>(std::move(file));
  auto code = read_gpu_code(shared, how.target, how.machine_code ? Wanted::machine_code : Wanted::ptx_if_any);
  if (!code) return code.errors();
  const std::string name =
      code->cubin ? shared->name() : "<PTX of " + shared->name() + " for " + code->architecture + ">";
  return Input{SourceFile(name, std::move(code->ptx)), shared, std::move(code->machine_code), std::move(code->places),
               std::move(code->cubin)};
}

}  // namespace

Result<Input> read_input(const std::string& path, const Compilation& how) {
  const bool is_ptx = how.compiler.empty() && !is_llvm_ir(path);
  if (is_ptx && !how.flags.empty()) {
    return support::usage_error("--flags: '" + path + "' is not compiled",
                                "give a .ll or .bc file, or leave --flags out");
  }
  if (!is_ptx && path == "-") {
    return support::usage_error("--compiler: standard input cannot be compiled", "give a file");
  }
  auto file = read_isolated(path);
  if (!file) return file.errors();
  if (is_ptx && is_gpu_code(*file)) return from_gpu_code(std::move(*file), how);
  if (how.machine_code) {
    return support::usage_error("--machine-code: '" + path + "' holds no machine code",
                                "give a cubin, or an object, library or fatbin that nvcc or ptxas wrote");
  }
  if (is_ptx) return Input{std::move(*file), nullptr};
  auto ptx = how.compiler.empty() ? with_llvm(*file, how) : run_compiler(how.compiler, how.flags, path, how.cancel);
  if (!ptx) return ptx.errors();
  return Input{SourceFile(name_of(path, how.flags), std::move(*ptx)),
               std::make_shared<const SourceFile>(std::move(*file))};
}

}  // namespace warpspan::app
