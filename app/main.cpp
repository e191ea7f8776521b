#include <cstdio>
#include <exception>
#include <new>

#include "app/app.hpp"
#include "app/exit_status.hpp"

namespace {

int internal_error(const char* what) {
  std::fprintf(stderr, "internal error: %s\n", what);
  return static_cast<int>(warpspan::app::ExitStatus::internal_error);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return warpspan::app::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return internal_error("out of memory");
  } catch (const std::exception& error) {
    return internal_error(error.what());
  }
}
