// SPDX-License-Identifier: GPL-3.0-or-later
// Forms of addresses for people: "4 * threadIdx.x + 1024 * blockIdx.x + 16 * i".
#pragma once

#include <string>

#include "frontend/lift/values/address_forms.hpp"

namespace warpspan::lift {

// Without the base. Counters of loops are i, j, k, ... from the outermost loop in; what only the block decides, and is
// not known, is b.
std::string text_of(const AddressForm& form, const AddressForms& forms, const ir::Extent& block,
                    const std::map<CounterId, unsigned>& depths);

}  // namespace warpspan::lift
