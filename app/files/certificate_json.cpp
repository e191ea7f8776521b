// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/files/certificate_json.hpp"

#include <algorithm>
#include <map>

#include "app/files/json_reader.hpp"
#include "app/reports/json.hpp"
#include "ir/instruction_string.hpp"
#include "timing/strings/solver_string.hpp"

namespace warpspan::app {

namespace {

using solver::Certificate;
using support::Diagnostics;
using support::Result;

constexpr const char* schema = "warpspan.certificate/1";
constexpr const char* finished_name = "finished";
constexpr char past_end_letter = '$';
constexpr char other_class_letter = '*';
constexpr size_t longest_context = 64;
constexpr size_t most_contexts = 32;

char letter_of(int symbol) {
  if (symbol == solver::past_end) return past_end_letter;
  if (symbol == solver::other_class) return other_class_letter;
  return ir::symbol(static_cast<ir::UnitClass>(symbol));
}

std::optional<int> symbol_of(char letter) {
  if (letter == past_end_letter) return solver::past_end;
  if (letter == other_class_letter) return solver::other_class;
  for (int k = 0; k < ir::unit_classes; ++k) {
    if (letter == letter_of(k)) return k;
  }
  return std::nullopt;
}

std::string context_name(const std::vector<int>& context) {
  std::string name;
  for (const int symbol : context) name += letter_of(symbol);
  return name;
}

std::string context_name(const Certificate& certificate, int context) {
  if (context == solver::finished) return finished_name;
  return context_name(certificate.contexts[static_cast<size_t>(context)]);
}

Json pattern_to_json(const Certificate& certificate, const Certificate::Pattern& pattern) {
  Json others = Json::array();
  for (size_t c = 0; c < certificate.contexts.size(); ++c) {
    if ((pattern.others >> c & 1) != 0) others.push_back(context_name(certificate.contexts[c]));
  }
  Json json = {{"followed", context_name(certificate, pattern.followed)}, {"others", others}};
  if (certificate.tells_few) {
    Json few = Json::array();
    for (int k = 0; k < ir::unit_classes; ++k) {
      if ((pattern.few >> k & 1) != 0) few.push_back(std::string(1, letter_of(k)));
    }
    json["few"] = few;
  }
  Json potentials = Json::array();
  for (const auto& potential : pattern.potentials) potentials.push_back(potential ? Json(*potential) : Json(nullptr));
  json["potentials"] = potentials;
  return json;
}

// An array with one entry per line.
std::string lines(const Json& array) {
  std::string out;
  for (const Json& entry : array) out += (out.empty() ? "\n    " : ",\n    ") + entry.dump();
  return "[" + out + "\n  ]";
}

// What reads back as it is written: reading joins what stands side by side, which may take several passes.
std::string in_normal_form(std::string text) {
  for (;;) {
    const auto string = ir::parse_instruction_string("string", text);
    std::string again = string ? ir::to_string(*string) : text;
    if (again == text) return text;
    text = std::move(again);
  }
}

// --- Reading.

class CertificateReader {
 public:
  explicit CertificateReader(JsonReader& reader) : reader_(reader) {}

  Certificate read(const JsonValue& document) {
    reader_.object(document, {"schema", "string", "sigma", "least_warps", "most_warps", "tells_few", "denominator",
                              "contexts", "moves", "views", "patterns"});
    read_head(document);
    read_contexts(document["contexts"]);
    for (const JsonValue& entry : reader_.array(document["moves"])) read_move(entry);
    for (const JsonValue& entry : reader_.array(document["views"])) {
      reader_.object(entry, {"offsets"});
      Certificate::View view;
      for (const JsonValue& offset : reader_.array(entry["offsets"])) view.offsets.push_back(reader_.integer(offset));
      certificate_.views.push_back(std::move(view));
    }
    for (const JsonValue& entry : reader_.array(document["patterns"])) {
      if (reader_.full()) break;
      read_pattern(entry);
    }
    return std::move(certificate_);
  }

 private:
  void read_head(const JsonValue& document) {
    const std::string name = reader_.text(document["schema"]);
    if (name != schema) reader_.error(document["schema"], "expected '" + std::string(schema) + "'");
    const std::string text = reader_.text(document["string"]);
    const auto string = ir::parse_instruction_string("string", text);
    if (string) {
      certificate_.string = timing::to_solver_string(*string);
    } else {
      reader_.error(document["string"], string.errors().front().message);
    }
    const JsonValue sigma = document["sigma"];
    reader_.object(sigma, {"L", "C", "S"});
    for (int k = 0; k < ir::unit_classes; ++k) {
      certificate_.servers.push_back(reader_.integer(sigma[std::string(1, letter_of(k))], 1));
    }
    certificate_.least_workers = reader_.integer(document["least_warps"], 2);
    if (const JsonValue most = document["most_warps"]; !most.is_null())
      certificate_.most_workers = reader_.integer(most, 2);
    certificate_.tells_few = reader_.boolean(document["tells_few"]);
    certificate_.denominator = reader_.integer(document["denominator"], 1);
  }

  void read_contexts(const JsonValue& value) {
    for (const JsonValue& entry : reader_.array(value, most_contexts)) {
      const std::string name = reader_.text(entry);
      std::vector<int> context;
      for (const char letter : name) {
        const auto symbol = symbol_of(letter);
        if (symbol) context.push_back(*symbol);
      }
      if (context.size() != name.size() || name.empty() || name.size() > longest_context) {
        reader_.error(entry, "expected a context of letters L, C, S, $ and *");
      } else if (!contexts_.emplace(name, static_cast<int>(contexts_.size())).second) {
        reader_.error(entry, "the context stands twice");
      }
      certificate_.contexts.push_back(std::move(context));
    }
  }

  int context(const JsonValue& value, bool may_be_finished) {
    const std::string name = reader_.text(value);
    if (may_be_finished && name == finished_name) return solver::finished;
    const auto found = contexts_.find(name);
    if (found != contexts_.end()) return found->second;
    reader_.error(value, "not one of the contexts");
    return 0;
  }

  void read_move(const JsonValue& entry) {
    reader_.object(entry, {"from", "to", "other", "followed"});
    Certificate::Move move;
    move.from = context(entry["from"], false);
    move.to = context(entry["to"], true);
    move.other = reader_.integer(entry["other"]);
    move.followed = reader_.integer(entry["followed"]);
    certificate_.moves.push_back(move);
  }

  void read_pattern(const JsonValue& entry) {
    std::vector<std::string> keys = {"followed", "others", "potentials"};
    if (certificate_.tells_few) keys.emplace_back("few");
    reader_.object(entry, keys);
    Certificate::Pattern pattern;
    if (certificate_.tells_few) pattern.few = read_few(entry["few"]);
    pattern.followed = context(entry["followed"], true);
    int before = -1;  // in the order of the contexts, so that there is one spelling of a set
    for (const JsonValue& other : reader_.array(entry["others"], most_contexts)) {
      const int c = context(other, false);
      if (c <= before) reader_.error(other, "the contexts are not in their order, or one stands twice");
      before = std::max(before, c);
      pattern.others |= uint32_t{1} << c;
    }
    for (const JsonValue& potential : reader_.array(entry["potentials"])) {
      pattern.potentials.push_back(potential.is_null() ? std::nullopt
                                                       : std::optional<int64_t>(reader_.integer(potential)));
    }
    certificate_.patterns.push_back(std::move(pattern));
  }

  uint32_t read_few(const JsonValue& value) {
    uint32_t few = 0;
    for (const JsonValue& entry : reader_.array(value, ir::unit_classes)) {
      const std::string name = reader_.text(entry);
      const auto symbol = name.size() == 1 ? symbol_of(name.front()) : std::nullopt;
      const uint32_t bit = symbol && *symbol >= 0 ? uint32_t{1} << *symbol : 0;
      if (bit == 0) {
        reader_.error(entry, "expected L, C or S");
      } else if (few >= bit) {
        reader_.error(entry, "the classes are not in their order, or one stands twice");
      }
      few |= bit;
    }
    return few;
  }

  JsonReader& reader_;
  Certificate certificate_;
  std::map<std::string, int> contexts_;
};

}  // namespace

std::string notation(const solver::String& string) {
  std::string text;
  for (const solver::Term& term : string) {
    if (term.body.empty()) {
      text += letter_of(term.symbol);
      if (term.repeat > 1) text += std::to_string(term.repeat);
    } else {
      text += "(" + notation(term.body) + ")^" + std::to_string(term.repeat);
    }
  }
  return text;
}

std::string certificate_to_json(const Certificate& certificate) {
  Json sigma = Json::object();
  for (size_t k = 0; k < certificate.servers.size(); ++k) {
    sigma[std::string(1, letter_of(static_cast<int>(k)))] = certificate.servers[k];
  }
  Json contexts = Json::array(), moves = Json::array(), views = Json::array(), patterns = Json::array();
  for (const auto& context : certificate.contexts) contexts.push_back(context_name(context));
  for (const Certificate::Move& move : certificate.moves) {
    moves.push_back({{"from", context_name(certificate, move.from)},
                     {"to", context_name(certificate, move.to)},
                     {"other", move.other},
                     {"followed", move.followed}});
  }
  for (const Certificate::View& view : certificate.views) views.push_back({{"offsets", view.offsets}});
  for (const auto& pattern : certificate.patterns) patterns.push_back(pattern_to_json(certificate, pattern));
  const bool has_most = certificate.most_workers != std::numeric_limits<int64_t>::max();
  return "{\n  \"schema\": " + Json(schema).dump() +
         ",\n  \"string\": " + Json(in_normal_form(notation(certificate.string))).dump() +
         ",\n  \"sigma\": " + sigma.dump() + ",\n  \"least_warps\": " + std::to_string(certificate.least_workers) +
         ",\n  \"most_warps\": " + (has_most ? std::to_string(certificate.most_workers) : "null") +
         ",\n  \"tells_few\": " + (certificate.tells_few ? "true" : "false") +
         ",\n  \"denominator\": " + std::to_string(certificate.denominator) + ",\n  \"contexts\": " + contexts.dump() +
         ",\n  \"moves\": " + lines(moves) + ",\n  \"views\": " + lines(views) +
         ",\n  \"patterns\": " + lines(patterns) + "\n}\n";
}

Result<Certificate> certificate_from_json(const support::SourceFile& file) {
  auto document = parse_json(file);
  if (!document) return document.errors();
  JsonReader reader(file.name());
  Certificate certificate = CertificateReader(reader).read(JsonValue(&*document, ""));
  if (!reader.errors().empty()) return reader.errors();
  return certificate;
}

}  // namespace warpspan::app
