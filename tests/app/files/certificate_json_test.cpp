// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/certificate_json.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "ir/instruction_string.hpp"
#include "solver/strings/certificate/certificate_bound.hpp"
#include "solver/strings/certificate/verify.hpp"
#include "timing/strings/solver_string.hpp"

using namespace warpspan;
using namespace warpspan::app;

namespace {

solver::StringProblem problem(const char* string, std::vector<int64_t> servers = {1, 1, 1}) {
  return {timing::to_solver_string(*ir::parse_instruction_string("s", string)), 4, std::move(servers)};
}

std::string document(const solver::StringProblem& of) {
  const auto found = solver::certificate_bound(of);
  REQUIRE(found.certificate);
  return certificate_to_json(*found.certificate);
}

// For LLCLL; proves 4W + 1.
const std::string example = R"({
  "schema": "warpspan.certificate/1",
  "string": "L2CL2",
  "sigma": {"L":1,"C":1,"S":1},
  "least_warps": 2,
  "most_warps": null,
  "tells_few": false,
  "denominator": 1,
  "contexts": ["L","C"],
  "moves": [
    {"from":"L","to":"finished","other":1,"followed":1},
    {"from":"L","to":"L","other":1,"followed":1},
    {"from":"L","to":"C","other":1,"followed":1},
    {"from":"C","to":"L","other":0,"followed":1}
  ],
  "views": [
    {"offsets":[0,0]},
    {"offsets":[-20,-20]}
  ],
  "patterns": [
    {"followed":"L","others":["L"],"potentials":[0,null]},
    {"followed":"L","others":[],"potentials":[0,null]},
    {"followed":"L","others":["C"],"potentials":[0,null]},
    {"followed":"L","others":["L","C"],"potentials":[0,null]},
    {"followed":"C","others":["L"],"potentials":[-1,null]},
    {"followed":"finished","others":[],"potentials":[0,0]},
    {"followed":"C","others":[],"potentials":[null,0]},
    {"followed":"C","others":["L","C"],"potentials":[-1,null]}
  ]
}
)";

support::Result<solver::Certificate> read(const std::string& text) {
  return certificate_from_json(support::SourceFile("c.json", text));
}

// "message" of each error, one per line; "line:column message" where there is a place.
std::string errors_of(const std::string& text) {
  const auto certificate = read(text);
  if (certificate) return "no error";
  std::string all;
  for (const support::Diagnostic& error : certificate.errors()) {
    CHECK(error.cause == support::Cause::input);
    CHECK(error.location.file == "c.json");
    if (error.location.line > 0) {
      all += std::to_string(error.location.line) + ":" + std::to_string(error.location.column) + " ";
    }
    all += error.message + "\n";
  }
  return all;
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const size_t at = text.find(part);
  INFO(part << " in\n" << text);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), by);
}

}  // namespace

TEST_CASE("a certificate reads back as it was written, and proves the same") {
  for (const char* string : {"LLCLL", "LCCL", "LLCCLLCC", "C(L2C)^1000000L", "LCS", "LLLCCC", "S", "((LC)^3S)^2L"}) {
    for (const auto& servers : {std::vector<int64_t>{1, 1, 1}, std::vector<int64_t>{1, 2, 3}}) {
      INFO(string);
      const auto found = solver::certificate_bound(problem(string, servers));
      REQUIRE(found.certificate);
      const std::string text = certificate_to_json(*found.certificate);
      const auto again = read(text);
      INFO(errors_of(text));
      REQUIRE(again);
      CHECK(certificate_to_json(*again) == text);
      const auto line = solver::verify_certificate(*again);
      REQUIRE(line);
      CHECK(*line == *found.line);
    }
  }
}

TEST_CASE("random strings, written in any way, keep their certificates") {
  std::mt19937 random(7);
  for (int round = 0; round < 5; ++round) {
    std::string string;
    for (int i = 0; i < 6; ++i)
      string += std::vector<std::string>{"L", "C", "(LC)^2", "(CL2)^2", "L2", "S"}[random() % 6];
    INFO(string);
    const std::string text = document(problem(string.c_str()));
    const auto again = read(text);
    REQUIRE(again);
    CHECK(certificate_to_json(*again) == text);
  }
}

TEST_CASE("a certificate that tells few workers keeps what it tells") {
  const std::string text = document({problem("LC").string, 8, {2, 2, 1}});
  REQUIRE(text.find("\"tells_few\": true") != std::string::npos);
  const auto again = read(text);
  REQUIRE(again);
  CHECK(certificate_to_json(*again) == text);
  const auto line = solver::verify_certificate(*again);
  REQUIRE(line);
  CHECK(*line == solver::Line{{1, 2}, {3, 2}, 3});
  REQUIRE(text.find("\"few\":[\"L\"]") != std::string::npos);
  CHECK(errors_of(replaced(text, "\"few\":[\"L\"]", "\"few\":[\"X\"]")).find("expected L, C or S") !=
        std::string::npos);
}

TEST_CASE("what reads differently once it is joined is written joined") {
  // (CL2)^2CL2, with the last L joined late.
  solver::Certificate certificate;
  const solver::Term c{1, 1, {}}, l2{0, 2, {}};
  certificate.string = {solver::Term{-1, 2, {c, l2}}, c, l2};
  certificate.servers = {1, 1, 1};
  const std::string text = certificate_to_json(certificate);
  CHECK(text.find("\"string\": \"(CL2)^3\"") != std::string::npos);
}

TEST_CASE("a changed weight does not pass the check") {
  const auto line_of_example = solver::verify_certificate(*read(example));
  REQUIRE(line_of_example);
  CHECK(*line_of_example == solver::Line{{4, 1}, {1, 1}});
  const auto changed = read(replaced(example, "\"other\":1", "\"other\":0"));
  REQUIRE(changed);
  const auto line = solver::verify_certificate(*changed);
  REQUIRE_FALSE(line);
  CHECK_FALSE(line.errors().front().message.empty());
}

TEST_CASE("a document that is not as it should be is told where") {
  CHECK(errors_of(example) == "no error");
  const auto check = [&](const std::string& part, const std::string& by, const std::string& errors) {
    CHECK(errors_of(replaced(example, part, by)) == errors);
  };
  check("certificate/1", "certificate/2", "schema: expected 'warpspan.certificate/1'\n");
  check("\"L2CL2\"", "\"L2X\"", "string: unknown symbol 'X' in an instruction string\n");
  check("\"L2CL2\"", "5", "string: expected a text, got an integer\n");
  check("\"least_warps\": 2", "\"least_warps\": 1", "least_warps: expected a number from 2\n");
  check("\"most_warps\": null", "\"most_warps\": 1", "most_warps: expected a number from 2\n");
  check("\"most_warps\": null,", "", "the document: member 'most_warps' is missing\n");
  check("\"tells_few\": false", "\"tells_few\": 0", "tells_few: expected true or false, got an integer\n");
  check("\"others\":[],\"potentials\":[0,null]", "\"others\":[],\"few\":[],\"potentials\":[0,null]",
        "patterns[1]: unknown member 'few'\n");
  check("\"S\":1", "\"S\":0", "sigma.S: expected a number from 1\n");
  check(",\"S\":1", "", "sigma: member 'S' is missing\n");
  check("\"S\":1", "\"S\":1,\"X\":1", "sigma: unknown member 'X'\n");
  check("\"S\":1", "\"S\":9223372036854775808", "sigma.S: the number exceeds 2^63-1\n");
  check("\"S\":1", "\"S\":1.5", "sigma.S: expected an integer, got a number that is no integer of 64 bits\n");
  check("\"denominator\"", "\"denominater\"",
        "the document: member 'denominator' is missing\n"
        "the document: unknown member 'denominater'; did you mean 'denominator'?\n");
  CHECK(errors_of(replaced(example, "[\"L\",\"C\"]", "[\"L\",\"L\"]"))
            .rfind("contexts[1]: the context stands twice\nmoves[2].to: not one of the contexts\n", 0) == 0);
  check("\"others\":[\"L\"]", "\"others\":[\"L\",\"L\"]",
        "patterns[0].others[1]: the contexts are not in their order, or one stands twice\n");
  check("\"finished\"", "\"gone\"", "moves[0].to: not one of the contexts\n");
  check("\"other\":1", "\"other\":\"1\"", "moves[0].other: expected an integer, got a text\n");
  check("\"potentials\":[", "\"potentials\":[true,",
        "patterns[0].potentials[0]: expected an integer, got true or false\n");
  check("\"S\":1", "\"S\":1,\"S\":1", "member 'S' stands twice in one object\n");
}

TEST_CASE("what is no JSON is refused at the place") {
  CHECK(errors_of("").rfind("1:1 not a JSON file: ", 0) == 0);
  CHECK(errors_of("{\n  \"schema\": }").rfind("2:13 not a JSON file: syntax error while parsing value", 0) == 0);
  CHECK(errors_of("[]") == "the document: expected an object, got an array\n");
  CHECK(errors_of("null") == "the document: expected an object, got null\n");
  CHECK(errors_of("{} {}").rfind("1:4 not a JSON file: ", 0) == 0);
  CHECK(errors_of("6E2121").rfind("not a JSON file: number overflow", 0) == 0);
  CHECK(errors_of(std::string(1'000'000, '[')) == "1:17 more than 16 levels of nesting\n");
  CHECK(errors_of("\"" + std::string(100, '[') + "\"") == "the document: expected an object, got a text\n");
  CHECK(errors_of("\"\xff\"").find("not a JSON file: ") != std::string::npos);
  CHECK(errors_of(std::string(64'000'001, ' ')) == "1:1 the file is larger than 64 MB\n");
}

TEST_CASE("no prefix of a certificate is taken for one") {
  const std::string text = document(problem("LCL"));
  for (size_t length = 0; length + 2 < text.size(); length += 7) CHECK_FALSE(read(text.substr(0, length)));
}

TEST_CASE("not more errors than anyone reads") {
  std::string moves;
  for (int i = 0; i < 1000; ++i) moves += (i == 0 ? "" : ",") + std::string("{}");
  const auto wrong = read("{\"moves\":[" + moves + "]}");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.errors().size() == 20);
}
