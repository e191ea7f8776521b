// SPDX-License-Identifier: GPL-3.0-or-later
// What tasks and runnables do: call graphs, activity graphs and lists of runnable items, in the spellings of all
// versions.
#pragma once

#include <vector>

#include "frontend/amalthea/model.hpp"

namespace warpspan::amalthea {

// The xsi:type of an element without "am:"; empty if it has none.
std::string type_of(const Element& element);

// What of an element is no known attribute and no known child. Attributes of XML, names, descriptions and tags always
// are.
std::vector<Stranger> strangers_of(const Element& element, const std::vector<std::string_view>& known_attributes,
                                   const std::vector<std::string_view>& known_children);

// The steps below an element such as <callGraph> or <runnables>, those of sequences and groups in their place.
void read_items(const Element& parent, std::vector<Item>& items);

}  // namespace warpspan::amalthea
