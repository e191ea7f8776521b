// Commands as users write them in one text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"

namespace warpspan::support {

// The words of a text as a POSIX shell splits them, without any expansion: blanks and line ends part words; '...' keeps
// everything; "..." keeps all but \", \\, \$ and \`; elsewhere \ keeps the next character. What else a shell would act
// on
// ($, *, |, ;, ...) is taken as it is written. Errors (usage): a quote that does not end, a \ at the end.
Result<std::vector<std::string>> shell_words(std::string_view text);

}  // namespace warpspan::support
