#include "support/sha256.hpp"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

namespace warpspan::support {

std::string sha256(std::string_view bytes) {
  const auto digest = llvm::SHA256::hash(llvm::arrayRefFromStringRef({bytes.data(), bytes.size()}));
  return llvm::toHex(digest, true);
}

}  // namespace warpspan::support
