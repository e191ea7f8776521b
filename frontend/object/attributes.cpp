// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/object/attributes.hpp"

namespace warpspan::object {

support::Result<std::vector<Attribute>> read_attributes(const Input& input, std::string_view section) {
  constexpr uint8_t first_format = 1, sized = 4;
  std::vector<Attribute> attributes;
  for (Cursor at(section); !at.at_end();) {
    const uint64_t offset = offset_in(input.bytes, section) + at.position();
    Attribute attribute;
    attribute.format = at.u8();
    attribute.number = at.u8();
    const std::string_view value = at.take(2);
    if (attribute.format < first_format || attribute.format > sized) {
      return broken(input, offset, "an attribute has the unknown format " + std::to_string(attribute.format));
    }
    attribute.payload = attribute.format == sized ? at.take(Cursor(value).u16()) : value;
    if (at.failed()) return broken(input, offset, "an attribute is cut short");
    attributes.push_back(attribute);
  }
  return attributes;
}

}  // namespace warpspan::object
