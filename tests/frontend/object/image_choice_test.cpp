// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/image_choice.hpp"

#include <catch2/catch.hpp>
#include <utility>

using namespace warpspan;
using namespace warpspan::object;

namespace {

Image image_of(Image::Kind kind, const std::string& architecture, uint64_t fatbin, const std::string& member = {}) {
  Image image;
  image.kind = kind;
  image.architecture = architecture;
  image.fatbin = fatbin;
  image.member = member;
  return image;
}

constexpr auto ptx = Image::Kind::ptx;
constexpr auto cubin = Image::Kind::cubin;

// "k.a(a.o): PTX sm_80, code sm_86" of each unit, one a line; or the error.
std::string chosen(const std::vector<Image>& images, const ImageChoice& choice) {
  const auto units = choose_images("k.a", images, choice);
  if (!units) return units.errors().front().message + " | " + units.errors().front().help + "\n";
  std::string text;
  for (const ImageUnit& unit : *units) {
    text += unit.name + ":" + (unit.ptx == nullptr ? "" : " PTX " + unit.ptx->architecture) +
            (unit.code == nullptr ? "" : " code " + unit.code->architecture) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("machine code runs on devices of its generation that are no earlier, on systems on a chip on its own") {
  for (const auto& [code, device] : {std::pair("sm_80", "sm_80"),
                                     {"sm_80", "sm_86"},
                                     {"sm_80", "sm_89"},
                                     {"sm_87", "sm_87"},
                                     {"sm_100", "sm_103"}}) {
    CHECK(runs_on(code, device));
  }
  for (const auto& [code, device] : {std::pair("sm_86", "sm_80"),
                                     {"sm_80", "sm_90"},
                                     {"sm_80", "sm_87"},
                                     {"sm_87", "sm_89"},
                                     {"sm_100", "sm_110"},
                                     {"sm_120", "sm_121"}}) {
    CHECK_FALSE(runs_on(code, device));
  }
}

TEST_CASE("targets have numbers, and some a suffix") {
  CHECK(number_of("sm_90a") == 90);
  CHECK(number_of("compute_100") == 100);
  CHECK(number_of("sm_") == 0);
  CHECK(without_suffix("sm_90a") == "sm_90");
  CHECK(without_suffix("sm_100f") == "sm_100");
  CHECK(without_suffix("sm_80").empty() == false);
}

TEST_CASE("devices choose among targets, and a fatbin's PTX explains its machine code") {
  const std::vector<Image> both = {image_of(cubin, "sm_80", 1, "a.o"), image_of(cubin, "sm_90", 1, "a.o"),
                                   image_of(ptx, "sm_80", 1, "a.o"), image_of(ptx, "sm_80", 2, "b.o")};
  CHECK(chosen(both, {}) == "k.a(a.o): PTX sm_80 code sm_80\nk.a(b.o): PTX sm_80\n");
  CHECK(chosen(both, {"", {"sm_90"}, WantedCode::machine_code_if_any}) ==
        "k.a(a.o): PTX sm_80 code sm_90\nk.a(b.o): PTX sm_80\n");
  CHECK(chosen(both, {"", {"sm_86"}, WantedCode::machine_code}) == "k.a(a.o): code sm_80\n");
  CHECK(chosen({image_of(cubin, "sm_80", 1)}, {"", {}, WantedCode::ptx}) ==
        "'k.a' holds no PTX | leave {ptx} out: its machine code is bounded then\n");
  CHECK(chosen({image_of(ptx, "sm_80", 1), image_of(ptx, "sm_90", 1)}, {}) ==
        "'k.a' holds PTX for several targets | choose one with {arch}: sm_80 and sm_90\n");
}

TEST_CASE("parts of a file have numbers that do not depend on the target") {
  const std::vector<Image> images = {image_of(cubin, "sm_80", 1), image_of(ptx, "sm_80", 1),
                                     image_of(cubin, "sm_90", 2), image_of(cubin, "sm_80", 3),
                                     image_of(cubin, "sm_80", 3), image_of(ptx, "sm_80", 3),
                                     image_of(cubin, "sm_90", 4), image_of(cubin, "sm_80", 9, "a.o")};
  CHECK(parts_of(images) == std::vector<uint64_t>{1, 1, 2, 3, 4, 3, 5, 0});
  CHECK(chosen(images, {"sm_80", {}}) ==
        "k.a#1: PTX sm_80 code sm_80\nk.a#3: code sm_80\nk.a#4: code sm_80\nk.a(a.o): code sm_80\n");
  CHECK(chosen(images, {"sm_80", {}, WantedCode::ptx}) ==
        "k.a#1: PTX sm_80 code sm_80\nk.a#3: PTX sm_80 code sm_80\n"
        "k.a#4: code sm_80\nk.a(a.o): code sm_80\n");
  CHECK(chosen(images, {"sm_80", {}, WantedCode::machine_code_if_any, "#4"}) == "k.a#4: code sm_80\n");
  CHECK(chosen(images, {"sm_80", {}, WantedCode::machine_code_if_any, "(a.o)"}) == "k.a(a.o): code sm_80\n");
  CHECK(chosen(images, {"sm_80", {}, WantedCode::machine_code_if_any, "#5"}) ==
        "'k.a' has no part '#5' for its target | 'warpspan list' shows the parts; leave it out for all\n");
}
