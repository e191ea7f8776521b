// SPDX-License-Identifier: GPL-3.0-or-later
// The members of a plain structure, found by the compiler: what goes through all of them forgets none.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace warpspan::app {

namespace archive_detail {

// Stands for a member of any type, where nothing is evaluated.
struct Anything {
  template <typename T>
  operator T() const;  // NOLINT: a conversion is what it is for
};

template <typename T, size_t... Index>
constexpr bool takes(std::index_sequence<Index...>) {
  return requires { T{(static_cast<void>(Index), Anything{})...}; };
}

// The most initialisers that the structure takes.
template <typename T, size_t Count = 0>
constexpr size_t members() {
  if constexpr (takes<T>(std::make_index_sequence<Count + 1>{})) {
    return members<T, Count + 1>();
  } else {
    return Count;
  }
}

}  // namespace archive_detail

// Calls use(member, member, ...). A structure with more members than there are cases does not compile.
template <typename T, typename Use>
constexpr decltype(auto) with_fields(T& value, Use&& use) {
  constexpr size_t count = archive_detail::members<std::remove_const_t<T>>();
  static_assert(count <= 40, "add cases below");
  if constexpr (count == 0) {
    return use();
  } else if constexpr (count == 1) {
    auto& [f0] = value;
    return use(f0);
  } else if constexpr (count == 2) {
    auto& [f0, f1] = value;
    return use(f0, f1);
  } else if constexpr (count == 3) {
    auto& [f0, f1, f2] = value;
    return use(f0, f1, f2);
  } else if constexpr (count == 4) {
    auto& [f0, f1, f2, f3] = value;
    return use(f0, f1, f2, f3);
  } else if constexpr (count == 5) {
    auto& [f0, f1, f2, f3, f4] = value;
    return use(f0, f1, f2, f3, f4);
  } else if constexpr (count == 6) {
    auto& [f0, f1, f2, f3, f4, f5] = value;
    return use(f0, f1, f2, f3, f4, f5);
  } else if constexpr (count == 7) {
    auto& [f0, f1, f2, f3, f4, f5, f6] = value;
    return use(f0, f1, f2, f3, f4, f5, f6);
  } else if constexpr (count == 8) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7);
  } else if constexpr (count == 9) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8);
  } else if constexpr (count == 10) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9);
  } else if constexpr (count == 11) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10);
  } else if constexpr (count == 12) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11);
  } else if constexpr (count == 13) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12);
  } else if constexpr (count == 14) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13);
  } else if constexpr (count == 15) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14);
  } else if constexpr (count == 16) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15);
  } else if constexpr (count == 17) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16);
  } else if constexpr (count == 18) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17);
  } else if constexpr (count == 19) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18);
  } else if constexpr (count == 20) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19);
  } else if constexpr (count == 21) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20);
  } else if constexpr (count == 22) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21);
  } else if constexpr (count == 23) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22] =
        value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22);
  } else if constexpr (count == 24) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
           f23] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23);
  } else if constexpr (count == 25) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24);
  } else if constexpr (count == 26) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25);
  } else if constexpr (count == 27) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26);
  } else if constexpr (count == 28) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27);
  } else if constexpr (count == 29) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28);
  } else if constexpr (count == 30) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29);
  } else if constexpr (count == 31) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30);
  } else if constexpr (count == 32) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30, f31] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30, f31);
  } else if constexpr (count == 33) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30, f31, f32] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30, f31, f32);
  } else if constexpr (count == 34) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30, f31, f32, f33] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33);
  } else if constexpr (count == 35) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34);
  } else if constexpr (count == 36) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35);
  } else if constexpr (count == 37) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36);
  } else if constexpr (count == 38) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36, f37] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36, f37);
  } else if constexpr (count == 39) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36, f37, f38] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36, f37, f38);
  } else if constexpr (count == 40) {
    auto& [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22, f23,
           f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36, f37, f38, f39] = value;
    return use(f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, f19, f20, f21, f22,
               f23, f24, f25, f26, f27, f28, f29, f30, f31, f32, f33, f34, f35, f36, f37, f38, f39);
  }
}

}  // namespace warpspan::app
