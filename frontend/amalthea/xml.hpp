// SPDX-License-Identifier: GPL-3.0-or-later
// XML as a tree of elements, for models that come from anywhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::amalthea {

struct Attribute {
  std::string name;  // as written: "xsi:type"
  std::string value;
};

struct Element {
  std::string name;  // as written: "am:Amalthea"; "#text" for text that is not blank
  size_t at = 0;     // offset of its tag in the file's text
  std::vector<Attribute> attributes;
  std::vector<Element> children;

  // The value of an attribute, or nullptr.
  const std::string* find(std::string_view attribute) const;
  // The first child of the name, or nullptr.
  const Element* child(std::string_view wanted) const;
};

// The value of an attribute; empty if it has none.
const std::string& text_of(const Element& element, std::string_view attribute);

// Whether a name is one of these.
template <typename Names>
bool has(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

inline constexpr size_t largest_file = 64'000'000;  // bytes
inline constexpr size_t most_elements = 1'000'000;
inline constexpr size_t deepest_element = 64;
inline constexpr size_t most_attributes = 256;  // between two tags
inline constexpr size_t most_namespaces = 100;

// The root element. One error, as wrong use with its place: text that is not well-formed or not UTF-8, a document type
// (so nothing is expanded or fetched), or more than the limits above.
support::Result<Element> read_xml(const support::SourceFile& file);

}  // namespace warpspan::amalthea
