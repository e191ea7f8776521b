// Random tests look for wrong results; with sanitizers, which look for other mistakes and take twenty times as long, a
// part of the seeds will do.
#pragma once

namespace warpspan::test {

#ifdef __SANITIZE_ADDRESS__
inline constexpr int seeds_run_one_in = 8;
#else
inline constexpr int seeds_run_one_in = 1;
#endif

// How many of so many seeds to run: all of them; with sanitizers an eighth.
constexpr int thinned_seeds(int seeds) { return seeds / seeds_run_one_in; }

}  // namespace warpspan::test
