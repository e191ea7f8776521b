// SPDX-License-Identifier: GPL-3.0-or-later
#include "frontend/reading/source_names.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "frontend/dwarf/parameters.hpp"
#include "frontend/ptx/forms/form.hpp"
#include "frontend/ptx/syntax/section_data.hpp"

namespace warpspan::frontend {

namespace {

std::vector<ir::ParameterNames::Parameter> parameters_of(const ptx::Module& module, const ptx::Function& kernel) {
  std::vector<ir::ParameterNames::Parameter> parameters;
  for (const ptx::Parameter& parameter : kernel.parameters) {
    const ptx::Variable& variable = module.variables[parameter.variable];
    parameters.push_back({std::string(variable.name), {}, variable.bytes});
  }
  return parameters;
}

// Whether a parameter may be what the source has: of its size, and no number of 64 bits if it has members, which could
// be their address.
bool may_be(const ptx::Variable& variable, const dwarf::Parameter& source) {
  const bool is_number = ptx::bits(variable.type) == 64 && variable.bytes == 8;
  return source.bytes == variable.bytes && !(is_number && source.has_members);
}

bool may_be(const ptx::Module& module, const ptx::Function& kernel, const dwarf::Parameters& source) {
  for (size_t i = 0; i < source.size(); ++i) {
    if (!may_be(module.variables[kernel.parameters[i].variable], source[i])) return false;
  }
  return true;
}

// Names that stand for one place each.
ir::ParameterNames unambiguous(std::vector<ir::ParameterNames::Parameter> parameters, const dwarf::Parameters& found) {
  std::map<std::string, int> uses;
  for (const auto& parameter : parameters) ++uses[parameter.compiled];
  for (const dwarf::Parameter& parameter : found) ++uses[parameter.name];
  ir::ParameterNames names{std::move(parameters), {}};
  std::map<std::string, int> member_uses;
  std::vector<ir::NamedBytes> members;
  for (size_t i = 0; i < found.size(); ++i) {
    // A parameter may have its name in the code, too: then this is the one.
    ir::ParameterNames::Parameter& parameter = names.parameters[i];
    const int expected = found[i].name == parameter.compiled ? 2 : 1;
    if (found[i].name.empty() || uses[found[i].name] != expected) continue;
    parameter.source = found[i].name;
    for (const dwarf::Scalar& scalar : found[i].scalars) {
      members.push_back({found[i].name + scalar.path, static_cast<uint32_t>(i), scalar.offset, scalar.bytes,
                         scalar.kind != dwarf::ScalarKind::other, scalar.kind == dwarf::ScalarKind::pointer});
      ++member_uses[members.back().name];
    }
  }
  for (ir::NamedBytes& member : members) {
    if (member_uses[member.name] == 1) names.members.push_back(std::move(member));
  }
  return names;
}

}  // namespace

SourceNames::Known SourceNames::read() const {
  Known known;
  std::vector<dwarf::Wanted> wanted;
  std::vector<const ptx::Function*> kernels;
  for (const ptx::Function& function : module_.functions) {
    if (!function.is_entry || !function.has_body) continue;
    kernels.push_back(&function);
    wanted.push_back({std::string(function.name), function.parameters.size()});
  }
  const auto sections = ptx::section_data(module_, dwarf::sections_read);
  if (!sections) return known;
  const auto found = dwarf::find_parameters(*sections, wanted);
  for (size_t i = 0; i < found.size(); ++i) {
    const ptx::Function& kernel = *kernels[i];
    const std::vector<dwarf::Parameters>& alike = found[i];
    const bool is_known = !alike.empty() && std::all_of(alike.begin(), alike.end(), [&](const auto& one) {
      return may_be(module_, kernel, one) && one == alike.front();
    });
    if (!is_known) continue;
    known[&kernel] =
        std::make_shared<const ir::ParameterNames>(unambiguous(parameters_of(module_, kernel), alike.front()));
  }
  return known;
}

std::shared_ptr<const ir::ParameterNames> SourceNames::of(const ptx::Function& kernel) const {
  auto known = known_.load();
  if (known == nullptr) {
    known = std::make_shared<const Known>(read());
    known_ = known;
  }
  const auto found = known->find(&kernel);
  return found == known->end() ? nullptr : found->second;
}

}  // namespace warpspan::frontend
