// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged files: what comes back is an error or an answer whose parts lie in the file.
#include <algorithm>
#include <random>

#include "frontend/object/cubin.hpp"
#include "frontend/object/images.hpp"
#include "frontend/object/lines.hpp"
#include "tests/frontend/object/samples.hpp"

using namespace warpspan;
using namespace warpspan::object;

namespace {

bool lies_in(std::string_view part, std::string_view whole) {
  return part.empty() || (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

// Counts instead of a CHECK for each: there are millions.
struct Tally {
  int64_t read = 0, refused = 0, wrong = 0;

  void count(bool answered, bool right) {
    ++(answered ? read : refused);
    if (!right) ++wrong;
  }
};

void read_as_cubin(std::string_view bytes, Tally& tally) {
  const auto cubin = read_cubin({"k", bytes});
  bool right = cubin || !cubin.errors().empty();
  if (cubin) {
    for (const Function& function : cubin->functions) {
      right = right && lies_in(function.code, bytes) && lies_in(function.name, bytes);
      for (const Subroutine& part : function.subroutines) {
        right = right && part.begin <= part.end && part.end <= function.code.size();
      }
    }
  }
  tally.count(cubin.ok(), right);
  const auto lines = read_lines({"k", bytes});
  tally.count(lines.ok(), lines || !lines.errors().empty());
}

void read_all(std::string_view bytes, Tally& tally) {
  const Input input{"k", bytes};
  const auto found = images(input);
  tally.count(found.ok(), found ? !found->empty() : !found.errors().empty());
  if (!found) return;
  for (const Image& image : *found) {
    const auto inside = contents(input, image, {1 << 20});
    tally.count(inside.ok(), lies_in(image.stored, bytes) && (inside || !inside.errors().empty()));
    if (inside && image.kind == Image::Kind::cubin) read_as_cubin(inside->bytes, tally);
  }
}

}  // namespace

TEST_CASE("a file cut short at any byte is refused, or read as far as it is whole") {
  for (const char* name :
       {"inlined.sm_80.cubin", "saxpy.default.fatbin", "saxpy.size.fatbin", "saxpy.relocatable.o", "saxpy.a"}) {
    INFO(name);
    const std::string bytes = sample(name);
    Tally tally;
    for (size_t size = 0; size < bytes.size(); ++size) {
      const std::string part = bytes.substr(0, size);  // a copy: what reads past its end is seen by the sanitizers
      read_all(part, tally);
    }
    CHECK(tally.wrong == 0);
    CHECK(tally.refused > 0);
  }
}

// Only the program headers, which nobody needs here, stand behind the section headers.
TEST_CASE("a cubin cut short is refused, or read as the whole one") {
  const std::string bytes = sample("kernels.sm_80.cubin");
  const auto whole = read_cubin({"k", bytes});
  REQUIRE(whole);
  size_t least = bytes.size();
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string part = bytes.substr(0, size);
    const auto cubin = read_cubin({"k", part});
    if (!cubin) continue;
    least = std::min(least, size);
    REQUIRE(cubin->functions.size() == whole->functions.size());
    for (size_t i = 0; i < cubin->functions.size(); ++i) {
      CHECK(cubin->functions[i].name == whole->functions[i].name);
      CHECK(cubin->functions[i].code == whole->functions[i].code);
    }
  }
  CHECK(least > bytes.size() - 512);
}

TEST_CASE("a fatbin's images are those of its first bytes, or none") {
  const std::string bytes = sample("saxpy.none.fatbin");
  for (size_t size = 0; size < bytes.size(); ++size) CHECK_FALSE(images({"f", bytes.substr(0, size)}));
}

TEST_CASE("files with changed bytes end in an answer or an error") {
  std::mt19937 random(20261122);
  const auto below = [&random](size_t bound) { return static_cast<size_t>(random() % bound); };
  const std::vector<std::string> names = {
      "inlined.sm_80.cubin",       "kernels.sm_90.cubin", "linked.sm_80.cubin", "kernels.sm_100.cubin",
      "saxpy.size.fatbin",         "saxpy.speed.fatbin",  "saxpy.so",           "saxpy.a",
      "kernels.former.sm_80.cubin"};
  Tally tally;
  for (const std::string& name : names) {
    const std::string bytes = sample(name);
    for (int i = 0; i < 1100; ++i) {
      std::string mutant = bytes;
      for (size_t changes = 1 + below(8); changes > 0; --changes) {
        // Headers and tables at the front and the back decide more than code in the middle.
        const size_t near = std::min<size_t>(mutant.size(), 512), kind = below(4);
        const size_t at = kind == 0 ? below(near) : kind == 1 ? mutant.size() - 1 - below(near) : below(mutant.size());
        mutant[at] = static_cast<char>(below(3) == 0 ? 0xff : random() & 0xff);
      }
      read_all(mutant, tally);
    }
  }
  CHECK(tally.wrong == 0);
  CHECK(tally.read > 1000);
  CHECK(tally.refused > 1000);
}
