// SPDX-License-Identifier: GPL-3.0-or-later
// Certificates as files: everything solver::Certificate holds, so that anyone can check it.
//
// {"schema": "warpspan.certificate/1",
//  "string": "L2CL2",                   the string of the certificate, repetitions as numbers
//  "sigma": {"L": 1, "C": 1, "S": 1},   servers of each class
//  "least_warps": 2,                    numbers of warps that it is for
//  "most_warps": null,                  null: as many as there may be
//  "tells_few": true,                   patterns have "few"
//  "denominator": 2,                    of all weights, offsets and potentials
//  "contexts": ["LL", "LC", "L$"],      one letter a symbol; "$" is past the end, "*" another class than the first
//  "moves": [{"from": "LL", "to": "LC", "other": 1, "followed": 2}],    "to" is "finished" at the end of the string
//  "views": [{"offsets": [0, 0, 1]}],   one offset for each context
//  "patterns": [{"followed": "LL", "others": ["LL", "LC"], "few": ["C"], "potentials": [4, null]}]}
//
// "followed" may be "finished"; a potential that is none is null; "few" stands only where "tells_few" is true. All
// numbers are integers. solver/strings/certificate/certificate.hpp says what they mean; docs/certificates.md has their
// ranges and all rules.
#pragma once

#include <string>

#include "solver/strings/certificate/certificate.hpp"
#include "support/result.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

// The certificate as a document, with a line end; members in the order above. Its string is over the classes L, C, S.
std::string certificate_to_json(const solver::Certificate& certificate);

// Reads what certificate_to_json writes, strictly: unknown, missing and repeated members, wrong types and numbers out
// of range are errors that name the place in the document, such as "patterns[3].potentials[0]"; text that is no JSON is
// an error with line and column. Whether the certificate proves anything is not checked.
support::Result<solver::Certificate> certificate_from_json(const support::SourceFile& file);

// "C(L2C)^64L".
std::string notation(const solver::String& string);

}  // namespace warpspan::app
