// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/amalthea/xml.hpp"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace warpspan::amalthea {

namespace {

using support::Diagnostic;
using support::SourceFile;

std::string text_of(const xmlChar* text) { return text == nullptr ? "" : reinterpret_cast<const char*>(text); }

std::string qualified(const xmlChar* prefix, const xmlChar* name) {
  return prefix == nullptr ? text_of(name) : text_of(prefix) + ":" + text_of(name);
}

// What libxml2 tells, in one line without its full stop.
std::string message_of(const xmlError& error) {
  std::string text = error.message == nullptr ? "not well-formed" : error.message;
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
  return "XML: " + text;
}

class Reading {
 public:
  explicit Reading(const SourceFile& file) : file_(file), text_(file.text()) {}

  support::Result<Element> run() {
    refuse_before();
    if (!error_) parse();
    if (error_) return *error_;
    return std::move(root_);
  }

 private:
  static Reading& of(void* self) { return *static_cast<Reading*>(self); }

  void refuse(size_t at, std::string message, std::string help) {
    if (error_) return;  // the first is what the others follow from
    error_ = file_.error_at(std::min(at, text_.size()), std::move(message), std::move(help));
    error_->cause = support::Cause::usage;
  }

  // The same of what libxml2 itself would go on with; not from its error handler, whose callers still need their input.
  void refuse_and_stop(size_t at, std::string message, std::string help) {
    refuse(at, std::move(message), std::move(help));
    xmlStopParser(context_.get());
  }

  // libxml2 compares each attribute of a tag with all others, and each prefix with all namespaces. '<' stands in no
  // value, so an attribute of a tag is a '=' between two of them.
  void refuse_before() {
    if (text_.size() > largest_file) {
      refuse(0, "the model is larger than " + std::to_string(largest_file / 1'000'000) + " MB",
             "leave out what has nothing to do with the GPU");
    } else if (const size_t zero = text_.find('\0'); zero != std::string_view::npos) {
      refuse(zero, "the model has a zero byte: it is not UTF-8", "save it as UTF-8");
    }
    size_t spaces = 0;
    for (size_t i = text_.find("xmlns"); i != std::string_view::npos && !error_; i = text_.find("xmlns", i + 1)) {
      if (++spaces > most_namespaces)
        refuse(i, "more than " + std::to_string(most_namespaces) + " namespaces", "a model needs three");
    }
    size_t equals = 0;
    for (size_t i = 0; i < text_.size() && !error_; ++i) {
      if (text_[i] == '<') equals = 0;
      if (text_[i] == '=' && ++equals > most_attributes)
        refuse(i, "more than " + std::to_string(most_attributes) + " attributes between two tags", {});
    }
  }

  void parse() {
    xmlSAXHandler handler = {};
    handler.initialized = XML_SAX2_MAGIC;
    handler.internalSubset = [](void* self, const xmlChar*, const xmlChar*, const xmlChar*) {
      Reading& reading = of(self);
      reading.refuse_and_stop(reading.consumed(), "a document type is refused: it may define entities",
                              "take the <!DOCTYPE ...> out");
    };
    handler.startElementNs = [](void* self, const xmlChar* name, const xmlChar* prefix, const xmlChar*, int spaces,
                                const xmlChar** space, int attributes, int, const xmlChar** attribute) {
      Element element{qualified(prefix, name), 0, {}, {}};
      for (int i = 0; i < spaces; ++i)
        element.attributes.push_back({"xmlns:" + text_of(space[2 * i]), text_of(space[2 * i + 1])});
      for (const xmlChar** at = attribute; at != attribute + 5 * attributes; at += 5)  // name, prefix, URI, begin, end
        element.attributes.push_back({qualified(at[1], at[0]), std::string(at[3], at[4])});
      of(self).start(std::move(element));
    };
    handler.endElementNs = [](void* self, const xmlChar*, const xmlChar*, const xmlChar*) { of(self).end(); };
    handler.characters = [](void* self, const xmlChar* text, int size) { of(self).characters(text, size); };
    handler.cdataBlock = handler.characters;
    handler.serror = [](void* self, xmlError* error) {
      Reading& reading = of(self);
      if (error->level >= XML_ERR_ERROR)
        reading.refuse(reading.consumed(), message_of(*error), "give an XML file as APP4MC writes it");
    };
    if (text_.empty()) return refuse(0, "the model is empty", "give a model as APP4MC writes it");
    context_.reset(xmlCreateMemoryParserCtxt(text_.data(), static_cast<int>(text_.size())));
    if (context_ == nullptr) return refuse(0, "there is no memory to read the model", {});
    *context_->sax = handler;
    context_->userData = this;
    xmlCtxtUseOptions(context_.get(), XML_PARSE_NONET);
    xmlParseDocument(context_.get());
    if (!error_ && (context_->wellFormed == 0 || !has_root_)) refuse(text_.size(), "XML: the text ends too early", {});
    context_.reset();
  }

  size_t consumed() const {
    const long offset = xmlByteConsumed(context_.get());
    return offset < 0 ? 0 : std::min(static_cast<size_t>(offset), text_.size());
  }

  void start(Element element) {
    if (error_) return;
    const size_t at = std::min(text_.rfind('<', consumed()), text_.size());
    if (context_->input->encoding != nullptr)  // which libxml2 leaves alone for UTF-8
      return refuse_and_stop(0, "the model is in " + text_of(context_->input->encoding) + ", not in UTF-8",
                             "save it with encoding=\"UTF-8\"");
    if (open_.size() >= deepest_element)
      return refuse_and_stop(at, "elements stand in one another more than " + std::to_string(deepest_element) + " deep",
                             {});
    if (++elements_ > most_elements)
      return refuse_and_stop(at, "the model has more than " + std::to_string(most_elements) + " elements",
                             "leave out what has nothing to do with the GPU");
    element.at = at;
    open_.push_back(std::move(element));
  }

  void end() {
    if (error_ || open_.empty()) return;
    Element element = std::move(open_.back());
    open_.pop_back();
    if (!open_.empty()) {
      open_.back().children.push_back(std::move(element));
    } else {
      root_ = std::move(element);
      has_root_ = true;
    }
  }

  void characters(const xmlChar* text, int size) {
    const std::string_view all(reinterpret_cast<const char*>(text), static_cast<size_t>(size));
    if (error_ || open_.empty() || all.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
    std::vector<Element>& siblings = open_.back().children;
    if (siblings.empty() || siblings.back().name != "#text") siblings.push_back({"#text", consumed(), {}, {}});
  }

  struct Free {
    void operator()(xmlParserCtxt* context) const { xmlFreeParserCtxt(context); }
  };

  const SourceFile& file_;
  std::string_view text_;
  std::unique_ptr<xmlParserCtxt, Free> context_;
  std::optional<Diagnostic> error_;
  std::vector<Element> open_;
  Element root_;
  bool has_root_ = false;
  size_t elements_ = 0;
};

}  // namespace

const std::string* Element::find(std::string_view attribute) const {
  for (const Attribute& one : attributes) {
    if (one.name == attribute) return &one.value;
  }
  return nullptr;
}

const Element* Element::child(std::string_view wanted) const {
  for (const Element& one : children) {
    if (one.name == wanted) return &one;
  }
  return nullptr;
}

const std::string& text_of(const Element& element, std::string_view attribute) {
  static const std::string none;
  const std::string* value = element.find(attribute);
  return value == nullptr ? none : *value;
}

support::Result<Element> read_xml(const SourceFile& file) { return Reading(file).run(); }

}  // namespace warpspan::amalthea
