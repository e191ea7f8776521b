#include "app/requests/compilation.hpp"

#include <filesystem>

#include "app/requests/compiler.hpp"
#include "frontend/llvm_ir/to_ptx.hpp"
#include "support/isolated.hpp"

namespace warpspan::app {

namespace {

using support::Result;
using support::SourceFile;

Result<SourceFile> read(const std::string& path) {
  return support::isolated({}, "while the file was read", [&] { return support::read_source(path); });
}

std::string name_of(const std::string& path, const std::vector<std::string>& flags) {
  std::string name = "<PTX of " + path;
  for (const std::string& flag : flags) name += (&flag == &flags.front() ? " with " : " ") + flag;
  return name + ">";
}

Result<SourceFile> with_llvm(const std::string& path, const Compilation& how) {
  const auto flags = llvm_ir::parse_flags(how.flags);
  if (!flags) return flags.errors();
  const auto module = read(path);
  if (!module) return module.errors();
  llvm_ir::Limits limits;
  limits.cancel = how.cancel;
  auto ptx = llvm_ir::to_ptx(*module, *flags, limits);
  if (!ptx) return ptx.errors();
  return SourceFile(name_of(path, how.flags), std::move(*ptx));
}

Result<SourceFile> with_compiler(const std::string& path, const Compilation& how) {
  auto ptx = run_compiler(how.compiler, how.flags, path, how.cancel);
  if (!ptx) return ptx.errors();
  return SourceFile(name_of(path, how.flags), std::move(*ptx));
}

}  // namespace

Result<SourceFile> read_ptx(const std::string& path, const Compilation& how) {
  if (!how.compiler.empty()) return with_compiler(path, how);
  const std::filesystem::path extension = std::filesystem::path(path).extension();
  if (extension == ".ll" || extension == ".bc") return with_llvm(path, how);
  if (!how.flags.empty()) {
    return support::usage_error("--flags: '" + path + "' is not compiled",
                                "give a .ll or .bc file, or leave --flags out");
  }
  return read(path);
}

}  // namespace warpspan::app
