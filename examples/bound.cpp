// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds a kernel under a few block sizes, and says what it lacks where it cannot.
//
//   cmake -B build -DCMAKE_PREFIX_PATH=PREFIX && cmake --build build && build/bound saxpy.ptx 100000
#include <cstdint>
#include <iostream>
#include <string>
#include <warpspan/warpspan.hpp>

namespace {

void print(const warpspan::Messages& messages) {
  for (const warpspan::Message& message : messages) std::cerr << message.rendered();
}

// The loops, calls and recursion that nobody has bounded.
void print_needs(const warpspan::Request& request) {
  for (const warpspan::KernelNeeds& kernel : warpspan::needs(request).kernels) {
    for (const warpspan::Loop& loop : kernel.loops) {
      if (!loop.trip_count) std::cerr << kernel.name << ": how often does the loop at " << loop.place << " run?\n";
    }
    for (const std::string& call : kernel.calls) std::cerr << kernel.name << ": how long does " << call << " take?\n";
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::cerr << "usage: bound FILE N, where N is the last parameter of the kernel\n";
    return 2;
  }
  warpspan::Request request;
  request.inputs = {{words[1]}};
  const auto listed = warpspan::kernels(request);
  print(listed.messages);
  if (listed.kernels.empty()) return 2;

  const int64_t elements = std::stoll(words[2]);
  request.arguments = {{"3", words[2]}};
  for (const int64_t threads : {64, 128, 256, 512}) {
    request.block = {threads};
    request.grid = {(elements + threads - 1) / threads};
    const warpspan::Bounds bounds = warpspan::bound(request);
    print(bounds.messages);
    if (bounds.status != warpspan::Status::done) {
      print_needs(request);
      return 1;
    }
    for (const warpspan::KernelBound& kernel : bounds.kernels) {
      std::cout << kernel.demangled << ", blocks of " << threads << ": at most " << kernel.at_most.cycles
                << " cycles = " << kernel.at_most.nanoseconds().value_or(0) << " ns on " << kernel.machine
                << ", limited by " << kernel.limited_by << "\n";
    }
  }
}
