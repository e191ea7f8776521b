// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/dwarf/read_parameters.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDie.h>
#include <llvm/DebugInfo/DWARF/DWARFFormValue.h>
#include <llvm/Support/LEB128.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace warpspan::dwarf {

namespace {

using llvm::DWARFDie;
using llvm::DWARFFormValue;
using namespace llvm::dwarf;

constexpr size_t most_units = 64;    // each reads a table of its own; a PTX file has one unit
constexpr int most_references = 64;  // from one entry to the next
constexpr int deepest_member = 32;
constexpr size_t most_visits = 1 << 14;           // of members and elements of the parameters of a function
constexpr size_t most_visits_of_all = 1 << 20;    // of all functions
constexpr size_t most_functions = 16;             // of one symbol
constexpr int64_t most_bytes = int64_t{1} << 31;  // of a type; parameters have fewer by far

std::optional<uint64_t> number_of(const std::optional<DWARFFormValue>& value) {
  if (!value) return std::nullopt;
  if (const auto number = value->getAsUnsignedConstant()) return number;
  const auto number = value->getAsSignedConstant();
  return number && *number >= 0 ? std::optional(static_cast<uint64_t>(*number)) : std::nullopt;
}

std::optional<int64_t> size_in_range(std::optional<uint64_t> bytes) {
  return bytes && *bytes <= static_cast<uint64_t>(most_bytes) ? std::optional(static_cast<int64_t>(*bytes))
                                                              : std::nullopt;
}

bool is_set(const DWARFDie& entry, Attribute flag) { return toUnsigned(entry.find(flag), 0) != 0; }

std::string text_of(const std::optional<DWARFFormValue>& value) { return llvm::dwarf::toString(value, ""); }

bool is_name(std::string_view text) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return !text.empty() && (text.front() < '0' || text.front() > '9') &&
         text.find_first_not_of(letters) == std::string_view::npos;
}

// --- Types

// The type that an entry is of, without names for it and qualifiers; not valid if it is not known.
DWARFDie type_of(const DWARFDie& entry) {
  DWARFDie type = entry.getAttributeValueAsReferencedDie(DW_AT_type);
  for (int i = 0; i < most_references && type; ++i) {
    switch (type.getTag()) {
      case DW_TAG_typedef:
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_restrict_type:
      case DW_TAG_atomic_type: type = type.getAttributeValueAsReferencedDie(DW_AT_type); break;
      default: return type;
    }
  }
  return {};
}

// Where the indices of an array begin that does not tell it.
std::optional<uint64_t> first_index(const DWARFDie& array) {
  const auto language = number_of(array.getDwarfUnit()->getUnitDIE().find(DW_AT_language));
  if (!language || *language > UINT16_MAX) return std::nullopt;
  return LanguageLowerBound(static_cast<SourceLanguage>(*language));
}

// Of an array whose indices begin at 0, as they are written; 0 for one that is not known.
std::vector<int64_t> extents_of(const DWARFDie& array) {
  std::vector<int64_t> extents;
  for (const DWARFDie& range : array.children()) {
    if (range.getTag() != DW_TAG_subrange_type) continue;
    const auto begin = range.find(DW_AT_lower_bound);
    const bool begins_at_zero = (begin ? number_of(begin) : first_index(array)) == uint64_t{0};
    auto count = number_of(range.find(DW_AT_count));
    const auto last = number_of(range.find(DW_AT_upper_bound));
    if (!count && last && *last < UINT32_MAX) count = *last + 1;  // -1 of 32 bits: of no size
    extents.push_back(begins_at_zero ? size_in_range(count).value_or(0) : 0);
  }
  return extents;
}

std::optional<int64_t> product(int64_t a, int64_t b) {
  return b > 0 && a <= most_bytes / b ? std::optional(a * b) : std::nullopt;
}

std::optional<int64_t> bytes_of(const DWARFDie& type, int depth = 0) {
  if (!type || depth > deepest_member) return std::nullopt;
  if (const auto bytes = type.find(DW_AT_byte_size)) return size_in_range(number_of(bytes));
  switch (type.getTag()) {
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: return type.getDwarfUnit()->getAddressByteSize();
    case DW_TAG_enumeration_type: return bytes_of(type_of(type), depth + 1);
    case DW_TAG_array_type: {
      auto bytes = bytes_of(type_of(type), depth + 1);
      for (const int64_t extent : extents_of(type)) bytes = bytes ? product(*bytes, extent) : bytes;
      return bytes;
    }
    default: return std::nullopt;
  }
}

bool has_members(const DWARFDie& type) {
  switch (type.getTag()) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_array_type: return true;
    default: return false;
  }
}

ScalarKind kind_of(const DWARFDie& base_type) {
  switch (number_of(base_type.find(DW_AT_encoding)).value_or(0)) {
    case DW_ATE_boolean:
    case DW_ATE_signed:
    case DW_ATE_signed_char:
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF: return ScalarKind::integer;
    case DW_ATE_address: return ScalarKind::pointer;
    default: return ScalarKind::other;
  }
}

// --- Members

// What nvcc calls a base class as a member.
bool is_base_of_nvcc(std::string_view name) { return name.starts_with("__b_"); }

// Bytes from the begin of the structure: a constant, or an expression that adds one. Nothing if it is anything else.
std::optional<uint64_t> place_of(const DWARFDie& member) {
  const auto value = member.find(DW_AT_data_member_location);
  if (!value) return member.getParent().getTag() == DW_TAG_union_type ? std::optional(uint64_t{0}) : std::nullopt;
  if (const auto block = value->getAsBlock()) {
    if (block->empty() || block->front() != DW_OP_plus_uconst) return std::nullopt;
    unsigned length = 0;
    const char* error = nullptr;
    const uint64_t number = llvm::decodeULEB128(block->data() + 1, &length, block->end(), &error);
    return error == nullptr && length + 1 == block->size() ? std::optional(number) : std::nullopt;
  }
  // Before DWARF 4, this is the offset of a list of places.
  const bool may_be_list = value->getForm() == DW_FORM_data4 || value->getForm() == DW_FORM_data8;
  return may_be_list && member.getDwarfUnit()->getVersion() < 4 ? std::nullopt : number_of(value);
}

bool is_bit_field(const DWARFDie& member) {
  return member.find({DW_AT_bit_offset, DW_AT_bit_size, DW_AT_data_bit_offset}).has_value();
}

bool is_static(const DWARFDie& member) { return is_set(member, DW_AT_declaration) || is_set(member, DW_AT_external); }

class Scalars {
 public:
  // visits: how many there may still be.
  explicit Scalars(size_t& visits) : visits_(visits) {}

  // All in `type`, which lies at an offset of the parameter.
  std::vector<Scalar> run(const DWARFDie& type) {
    visit(type, "", 0, 0);
    if (visits_ == 0) scalars_.clear();
    return std::move(scalars_);
  }

 private:
  void visit(const DWARFDie& type, const std::string& path, int64_t offset, int depth) {
    if (!type || depth > deepest_member || !take()) return;
    switch (type.getTag()) {
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type: return visit_members(type, path, offset, depth);
      case DW_TAG_array_type: return visit_elements(type, path, offset, depth);
      case DW_TAG_base_type: return add(type, path, offset, kind_of(type));
      case DW_TAG_enumeration_type: return add(type, path, offset, ScalarKind::integer);
      case DW_TAG_pointer_type:
      case DW_TAG_reference_type:
      case DW_TAG_rvalue_reference_type: return add(type, path, offset, ScalarKind::pointer);
      default: return;
    }
  }

  void add(const DWARFDie& type, const std::string& path, int64_t offset, ScalarKind kind) {
    const auto bytes = bytes_of(type);
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) scalars_.push_back({path, offset, *bytes, kind});
  }

  void visit_members(const DWARFDie& whole, const std::string& path, int64_t offset, int depth) {
    const auto bytes = bytes_of(whole);
    if (!bytes) return;
    for (const DWARFDie& member : whole.children()) {
      if (!take()) return;
      if (member.getTag() != DW_TAG_member && member.getTag() != DW_TAG_inheritance) continue;
      if (is_static(member) || is_bit_field(member)) continue;
      const std::string name = text_of(member.find(DW_AT_name));
      const bool is_flat = member.getTag() == DW_TAG_inheritance || name.empty() || is_base_of_nvcc(name);
      if (!is_flat && !is_name(name)) continue;
      const auto place = place_of(member);
      const DWARFDie type = type_of(member);
      const auto size = bytes_of(type);
      if (!place || !size || *place > static_cast<uint64_t>(*bytes)) continue;
      const auto begin = static_cast<int64_t>(*place);
      if (*size > *bytes - begin) continue;
      if (is_flat && !has_members(type)) continue;
      visit(type, is_flat ? path : path + "." + name, offset + begin, depth + 1);
    }
  }

  void visit_elements(const DWARFDie& array, const std::string& path, int64_t offset, int depth) {
    const std::vector<int64_t> extents = extents_of(array);
    const DWARFDie element = type_of(array);
    const auto size = bytes_of(element);
    if (!size || *size == 0 || is_set(array, DW_AT_GNU_vector) || extents.empty()) return;
    int64_t count = 1;
    for (const int64_t extent : extents) {
      if (extent == 0 || extent > static_cast<int64_t>(most_visits) / count) return;
      count *= extent;
    }
    if (bytes_of(array) != product(*size, count)) return;
    for (int64_t i = 0; i < count && visits_ > 0; ++i) {
      std::string indices;
      int64_t rest = i;
      for (size_t axis = extents.size(); axis-- > 0; rest /= extents[axis]) {
        indices.insert(0, "[" + std::to_string(rest % extents[axis]) + "]");
      }
      visit(element, path + indices, offset + i * *size, depth + 1);
    }
  }

  // False if there may be no more.
  bool take() {
    if (visits_ > 0) --visits_;
    return visits_ > 0;
  }

  std::vector<Scalar> scalars_;
  size_t& visits_;
};

// --- Functions

// What an entry, or one that it is an instance or the definition of, has of an attribute.
DWARFDie owner_of(const DWARFDie& entry, llvm::ArrayRef<Attribute> attributes) {
  DWARFDie from = entry;
  for (int i = 0; i < most_references && from; ++i) {
    if (from.find(attributes)) return from;
    const DWARFDie origin = from.getAttributeValueAsReferencedDie(DW_AT_abstract_origin);
    from = origin ? origin : from.getAttributeValueAsReferencedDie(DW_AT_specification);
  }
  return {};
}

// What a linker sees; empty if that is not known. The plain name is it outside of all scopes alone.
std::string symbol_of(const DWARFDie& function) {
  constexpr Attribute linkage[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name};
  if (const DWARFDie owner = owner_of(function, linkage)) return text_of(owner.find(linkage));
  const DWARFDie owner = owner_of(function, DW_AT_name);
  if (!owner || owner.getParent() != owner.getDwarfUnit()->getUnitDIE()) return "";
  return text_of(owner.find(DW_AT_name));
}

Parameter parameter_of(const DWARFDie& formal, size_t& visits) {
  Parameter parameter;
  if (const DWARFDie owner = owner_of(formal, DW_AT_name)) {
    const std::string name = text_of(owner.find(DW_AT_name));
    if (is_name(name)) parameter.name = name;
  }
  const DWARFDie typed = owner_of(formal, DW_AT_type);
  const DWARFDie type = typed ? type_of(typed) : DWARFDie();
  if (!type) return parameter;
  parameter.bytes = bytes_of(type);
  parameter.has_members = has_members(type);
  if (parameter.bytes && !parameter.name.empty()) parameter.scalars = Scalars(visits).run(type);
  return parameter;
}

class Reader {
 public:
  explicit Reader(const Sections& sections) {
    llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>> buffers;
    for (const std::string_view name : sections_read) {
      const auto found = sections.find(name);
      if (found == sections.end()) continue;
      // Without the dot, as LLVM has them.
      buffers[name.substr(1)] = llvm::MemoryBuffer::getMemBuffer(found->second, "", false);
    }
    const auto note = [this](llvm::Error error) {
      llvm::consumeError(std::move(error));
      is_malformed_ = true;
    };
    constexpr uint8_t address_bytes = 8;
    context_ = llvm::DWARFContext::create(buffers, address_bytes, true, note, note);
    if (context_->getNumCompileUnits() > most_units) is_malformed_ = true;
    if (!is_malformed_) find_functions();
  }

  Reader(const Reader&) = delete;

  std::vector<Parameters> parameters_of(const Wanted& wanted) {
    std::vector<Parameters> all;
    size_t visits = std::min(most_visits, visits_);
    visits_ -= visits;
    const auto [first, last] = functions_.equal_range(wanted.symbol);
    for (auto function = first; function != last; ++function) {
      std::vector<DWARFDie> formals;
      for (const DWARFDie& entry : function->second.children()) {
        if (entry.getTag() == DW_TAG_formal_parameter) formals.push_back(entry);
      }
      if (formals.empty()) continue;
      if (formals.size() != wanted.count || all.size() == most_functions) return {};
      Parameters& parameters = all.emplace_back();
      for (const DWARFDie& formal : formals) parameters.push_back(parameter_of(formal, visits));
    }
    visits_ += visits;
    return all;
  }

  // Also of what was read until now.
  bool is_malformed() const { return is_malformed_; }

 private:
  void find_functions() {
    for (const auto& unit : context_->compile_units()) {
      if (!unit->getUnitDIE(false)) is_malformed_ = true;
      for (const llvm::DWARFDebugInfoEntry& entry : unit->dies()) {
        const DWARFDie function(unit.get(), &entry);
        if (function.getTag() != DW_TAG_subprogram || is_set(function, DW_AT_declaration)) continue;
        if (std::string symbol = symbol_of(function); !symbol.empty()) functions_.emplace(std::move(symbol), function);
      }
    }
  }

  std::unique_ptr<llvm::DWARFContext> context_;
  std::multimap<std::string, DWARFDie, std::less<>> functions_;
  bool is_malformed_ = false;
  size_t visits_ = most_visits_of_all;
};

}  // namespace

std::vector<std::vector<Parameters>> read_parameters(const Sections& sections, const std::vector<Wanted>& wanted) {
  Reader reader(sections);
  std::vector<std::vector<Parameters>> found;
  for (const Wanted& one : wanted) found.push_back(reader.parameters_of(one));
  return reader.is_malformed() ? std::vector<std::vector<Parameters>>() : found;
}

}  // namespace warpspan::dwarf
