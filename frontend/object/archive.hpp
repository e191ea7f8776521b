// SPDX-License-Identifier: GPL-3.0-or-later
// Static libraries: files of ar(1) in the formats of GNU and BSD.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/object/bytes.hpp"
#include "support/result.hpp"

namespace warpspan::object {

struct Member {
  std::string name;
  std::string_view bytes;
};

bool looks_like_archive(std::string_view bytes);

// The members, without tables of symbols and of names. Errors: a thin library, which holds names only; a header that is
// malformed or a member that reaches past the end.
support::Result<std::vector<Member>> read_archive(const Input& input);

}  // namespace warpspan::object
