// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/archive.hpp"

#include <llvm/Object/Archive.h>

namespace warpspan::object {

namespace {

using support::Diagnostic;
using support::Result;

constexpr std::string_view magic = "!<arch>\n", magic_of_thin = "!<thin>\n";

Diagnostic not_readable(const Input& input, llvm::Error error) {
  return refused(input, "the static library cannot be read: " + llvm::toString(std::move(error)),
                 "the file is damaged or cut short: make it again");
}

}  // namespace

bool looks_like_archive(std::string_view bytes) {
  return bytes.substr(0, magic.size()) == magic || bytes.substr(0, magic_of_thin.size()) == magic_of_thin;
}

Result<std::vector<Member>> read_archive(const Input& input) {
  if (input.bytes.substr(0, magic_of_thin.size()) == magic_of_thin) {
    return refused(input, "this is a thin library: it names files instead of holding them",
                   "give the files that `ar t` lists, or make the library without T");
  }
  const llvm::MemoryBufferRef buffer(llvm::StringRef(input.bytes.data(), input.bytes.size()), "");
  auto archive = llvm::object::Archive::create(buffer);
  if (!archive) return not_readable(input, archive.takeError());
  std::vector<Member> members;
  llvm::Error error = llvm::Error::success();
  for (const auto& child : (*archive)->children(error)) {
    auto name = child.getName();
    if (!name) {
      llvm::consumeError(std::move(error));
      return not_readable(input, name.takeError());
    }
    auto bytes = child.getBuffer();
    if (!bytes) {
      llvm::consumeError(std::move(error));
      return not_readable(input, bytes.takeError());
    }
    members.push_back({name->str(), std::string_view(bytes->data(), bytes->size())});
  }
  if (error) return not_readable(input, std::move(error));
  return members;
}

}  // namespace warpspan::object
