// SPDX-License-Identifier: GPL-3.0-or-later
// Fingerprints of files.
#pragma once

#include <string>
#include <string_view>

namespace warpspan::support {

// The SHA-256 digest of the bytes (FIPS 180-4), as 64 hexadecimal digits in small letters.
std::string sha256(std::string_view bytes);

}  // namespace warpspan::support
