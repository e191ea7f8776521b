// SPDX-License-Identifier: GPL-3.0-or-later
// XML is read as it stands, or refused with one error at its place.
#include "frontend/amalthea/xml.hpp"

#include <catch2/catch.hpp>

using namespace warpspan;
using namespace warpspan::amalthea;

namespace {

support::SourceFile file(const std::string& text) { return {"m.amxmi", text}; }

// "line:column: message" of the one error.
std::string error_of(const std::string& text) {
  const auto read = read_xml(file(text));
  if (read) return "none";
  REQUIRE(read.errors().size() == 1);
  const support::Diagnostic& error = read.errors().front();
  CHECK(error.cause == support::Cause::usage);
  CHECK(error.location.file == "m.amxmi");
  return std::to_string(error.location.line) + ":" + std::to_string(error.location.column) + ": " + error.message;
}

std::string repeated(const std::string& text, size_t count) {
  std::string all;
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

bool starts(const std::string& text, const std::string& beginning) {
  INFO(text);
  CHECK(text.rfind(beginning, 0) == 0);
  return text.rfind(beginning, 0) == 0;
}

}  // namespace

TEST_CASE("elements have their names, attributes, children and places") {
  const std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- <no> -->\n<am:A xmlns:am=\"u\"\n  b=\"&lt;&#65;&#xe9;\">\n"
      "  <c/> <d><![CDATA[ <x> ]]></d>\n</am:A>\n";
  const support::SourceFile source = file(text);
  const auto root = read_xml(source);
  REQUIRE(root);
  CHECK(root->name == "am:A");
  CHECK(source.locate(root->at).line == 3);
  CHECK(source.locate(root->at).column == 1);
  REQUIRE(root->attributes.size() == 2);
  CHECK(*root->find("xmlns:am") == "u");
  CHECK(*root->find("b") == "<A\u00e9");
  CHECK(root->find("c") == nullptr);
  REQUIRE(root->children.size() == 2);
  CHECK(source.locate(root->children[1].at).column == 8);
  REQUIRE(root->child("d")->children.size() == 1);
  CHECK(root->child("d")->children[0].name == "#text");
  CHECK(root->child("e") == nullptr);
}

TEST_CASE("a byte-order mark is no part of the text") {
  const support::SourceFile source = file("\xef\xbb\xbf<a>\n<b/></a>");
  const auto root = read_xml(source);
  REQUIRE(root);
  CHECK(source.locate(root->at).column == 1);
  CHECK(source.locate(root->children.at(0).at).line == 2);
}

TEST_CASE("what is no XML is refused where it goes wrong") {
  CHECK(error_of("") == "1:1: the model is empty");
  CHECK(starts(error_of("tasks"), "1:1: XML: Start tag expected"));
  CHECK(starts(error_of("<a>\n<b></a>"), "2:"));
  CHECK(starts(error_of("<a"), "1:3: XML: "));
  CHECK(starts(error_of("<a/><b/>"), "1:5: XML: Extra content"));
  CHECK(starts(error_of("<a x='1' x='2'/>"), "1:15: XML: Attribute x redefined"));
  CHECK(starts(error_of("<a x='1'"), "1:"));
  CHECK(starts(error_of("<p:a/>"), "1:"));
  CHECK(starts(error_of("<a>&nbsp;</a>"), "1:"));
  CHECK(starts(error_of("<a x='&nbsp;'/>"), "1:"));
  CHECK(starts(error_of("<a>\x01</a>"), "1:"));
}

TEST_CASE("only UTF-8 is read") {
  CHECK(starts(error_of("<a x='\xe9'/>"), "1:7: XML: Input is not proper UTF-8"));
  CHECK(error_of("<?xml version='1.0' encoding='ISO-8859-1'?><a x='\xe9'/>") ==
        "1:1: the model is in ISO-8859-1, not in UTF-8");
  CHECK(error_of("<?xml version='1.0' encoding='US-ASCII'?><a/>") == "1:1: the model is in US-ASCII, not in UTF-8");
  CHECK(starts(error_of("<?xml version='1.0' encoding='UTF-16'?><a/>"), "1:"));
  CHECK(starts(error_of("<?xml version='1.0' encoding='nothing'?><a/>"), "1:"));
  CHECK(error_of(std::string("<a/>\0", 5)) == "1:5: the model has a zero byte: it is not UTF-8");
  CHECK(error_of("<?xml version='1.0' encoding='utf-8'?><a x='\u00e9'/>") == "none");
}

TEST_CASE("a document type is refused, whatever it has") {
  const std::string wanted = ": a document type is refused: it may define entities";
  for (const char* type : {"<!DOCTYPE a>", "<!DOCTYPE a SYSTEM 'http://localhost/a.dtd'>",
                           "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>",
                           "<!DOCTYPE a [<!ENTITY b 'x'><!ENTITY c '&b;&b;&b;&b;'>]>",
                           "<!DOCTYPE a [<!ENTITY % b '<!ENTITY c \"d\">'> %b;]>"}) {
    INFO(type);
    const std::string error = error_of(std::string(type) + "<a>&c;</a>");
    CHECK(error.find(wanted) != std::string::npos);
  }
  // What asks for other files is an element as others are.
  CHECK(error_of("<a xmlns:xi='http://www.w3.org/2001/XInclude'><xi:include href='/etc/passwd'/></a>") == "none");
}

TEST_CASE("models have limits, which are no errors before") {
  const auto nested = [](size_t deep) { return repeated("<a>", deep) + repeated("</a>", deep); };
  CHECK(error_of(nested(deepest_element)) == "none");
  CHECK(starts(error_of(nested(deepest_element + 1)), "1:193: elements stand in one another more than 64 deep"));
  CHECK(starts(error_of(repeated("<a>", 1'000'000)), "1:193: "));
  const auto attributes = [](size_t count) {
    std::string text = "<a";
    for (size_t i = 0; i < count; ++i) text += " x" + std::to_string(i) + "=''";
    return text + "/>";
  };
  CHECK(error_of(attributes(most_attributes)) == "none");
  CHECK(error_of(attributes(most_attributes + 1)).find("more than 256 attributes") != std::string::npos);
  CHECK(error_of(attributes(1'000'000)).find("more than 256 attributes") != std::string::npos);
  CHECK(error_of("<a>" + repeated("<b xmlns:c=''/>", 101) + "</a>").find("more than 100 namespaces") !=
        std::string::npos);
  CHECK(error_of("<a>" + repeated("<b/>", most_elements - 1) + "</a>") == "none");
  CHECK(error_of("<a>" + repeated("<b/>", most_elements) + "</a>").find("more than 1000000 elements") !=
        std::string::npos);
  CHECK(error_of("<a>" + std::string(largest_file, ' ') + "</a>") == "1:1: the model is larger than 64 MB");
}
