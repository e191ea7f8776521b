// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/sha256.hpp"

#include <nettle/base16.h>
#include <nettle/sha2.h>

#include <array>

namespace warpspan::support {

std::string sha256(std::string_view bytes) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), reinterpret_cast<const uint8_t*>(bytes.data()));
  std::array<uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  std::string digits(BASE16_ENCODE_LENGTH(digest.size()), '\0');
  base16_encode_update(digits.data(), digest.size(), digest.data());
  return digits;
}

}  // namespace warpspan::support
