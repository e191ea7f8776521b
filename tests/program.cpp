#include "tests/paths.hpp"

namespace warpspan::test {

std::string program() { return WARPSPAN_BINARY; }

}  // namespace warpspan::test
