#include <cstdio>
#include <exception>
#include <new>

#include "app/app.hpp"
#include "app/reports/exit_status.hpp"
#include "support/printable.hpp"

int main(int argc, char** argv) {
  using warpspan::app::ExitStatus;
  try {
    return warpspan::app::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("error: out of memory; nothing is reported\n  help: raise --memory, or give --kernel\n", stderr);
    return static_cast<int>(ExitStatus::not_bounded);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "internal error: %s\n", warpspan::support::printable(error.what()).c_str());
    return static_cast<int>(ExitStatus::internal_error);
  }
}
