// How much of isolated work (isolated.hpp) runs side by side.
#pragma once

#include <cstddef>

namespace warpspan::support {

// From now on, at most so many tasks at the same time; 0: no limit but that of run_isolated.
void limit_tasks(size_t tasks);

}  // namespace warpspan::support
