// SPDX-License-Identifier: GPL-3.0-or-later
#include "ir/launch.hpp"

#include <array>
#include <string_view>

namespace warpspan::ir {

namespace {

#define WARPSPAN_NAME(name) #name,
constexpr std::string_view names[] = {WARPSPAN_USER_FACTS(WARPSPAN_NAME)};
#undef WARPSPAN_NAME

template <typename Fact>
void append(std::vector<Fact>& to, const std::vector<Fact>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::string mention(UserFact fact) { return "{" + std::string(names[static_cast<size_t>(fact)]) + "}"; }

std::string to_string(const Origin& origin) {
  return origin.is_file() ? origin.location.file + ":" + std::to_string(origin.location.line) : origin.giver;
}

void append_facts(Launch& to, const Launch& from) {
  std::apply(
      [&from](auto&... own) {
        std::apply([&own...](const auto&... more) { (append(own, more), ...); }, lists_of(from));
      },
      lists_of(to));
}

bool is_of_source(const LoopBound& bound) { return !bound.file.empty() || !bound.from_file.empty(); }

std::string place_of(const LoopBound& bound) {
  const auto line = [](const std::string& file, int64_t number) {
    return (file.empty() ? "line" : file) + ":" + std::to_string(number);
  };
  return (bound.kernel.empty() ? "" : bound.kernel + ":") +
         (bound.line == 0 ? bound.label : line(bound.file, bound.line)) +
         (bound.from_line == 0 ? "" : " from " + line(bound.from_file, bound.from_line));
}

std::string place_of(const Buffer& buffer) { return buffer.written.empty() ? buffer.parameter : buffer.written; }

std::string place_of(const Argument& argument) {
  if (!argument.written.empty()) return argument.written;
  const auto& [offset, count] = argument.bytes.value_or(ByteRange{});
  if (argument.element && count == 0) return argument.parameter + "[" + std::to_string(*argument.element) + "]";
  if (count == 0) return argument.parameter;
  const int64_t first = offset + argument.element.value_or(0) * count;
  return argument.parameter + "+" + std::to_string(first) + ":" + std::to_string(count);
}

}  // namespace warpspan::ir
