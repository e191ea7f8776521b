#include "ir/sentences.hpp"

namespace warpspan::ir {

std::string has_no_body(const std::string& function) {
  return "'" + function + "' has no body in this file, so its time cannot be bounded";
}

std::string how_to_give_time(const std::string& function) {
  const std::string without = function == "vprintf"
                                  ? "take the output out, as with a macro that only builds for debugging define"
                                  : "link it in (nvcc -dlto, clang with its bitcode), or take the call out";
  const std::string quote = function.find('$') == std::string::npos ? "" : "'";
  return without + "; or say how long a call of a warp takes at most: {call_cost} " + quote + function + "=TIME" +
         quote + ", such as 20us, or a line under [kernel.calls] of a facts file: " + function + " = \"20 us\"";
}

}  // namespace warpspan::ir
