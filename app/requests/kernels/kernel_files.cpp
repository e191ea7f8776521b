// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/requests/kernels/kernel_files.hpp"

#include <algorithm>
#include <memory>
#include <set>

#include "app/facts/facts_file.hpp"
#include "app/facts/kernel_facts.hpp"
#include "app/facts/spelling.hpp"
#include "app/requests/kernels/input_files.hpp"
#include "frontend/machine_code.hpp"
#include "support/nearest.hpp"
#include "support/source_file.hpp"
#include "support/symbol_name.hpp"

namespace warpspan::app {

namespace {

using support::Result;

constexpr size_t most_listed = 8;  // kernels in an error

// The file as far as it is known before it is read.
KernelFile file_at(const std::string& path) { return KernelFile(path == "-" ? "<stdin>" : path); }

// The bounds of a launch that may be for loops of the PTX: lines are those of the listing of the machine code.
// `indices` gets where they stand among all.
ir::Launch launch_of_ptx(ir::Launch launch, std::vector<size_t>& indices) {
  std::vector<ir::LoopBound> bounds;
  for (size_t i = 0; i < launch.loop_bounds.size(); ++i) {
    const ir::LoopBound& bound = launch.loop_bounds[i];
    if (bound.line != 0 && bound.file.empty()) continue;
    indices.push_back(i);
    bounds.push_back(bound);
  }
  launch.loop_bounds = std::move(bounds);
  return launch;
}

// The facts of a file are for the machine code, so none is refused for the PTX.
void read_explaining(const CodeUnit& unit, const KernelRequest& request, const ir::Launch& launch, KernelFile& file) {
  std::vector<size_t> indices;
  frontend::Reading reading = unit.ptx->read(request.kernels, launch_of_ptx(launch, indices));
  spell(reading);
  file.ptx = {unit.ptx->shared_source(), std::move(reading.kernels), std::move(reading.failed)};
  if (reading.names.empty()) file.ptx.failed.push_back({"", reading.errors});
  for (ir::LoopBoundUse& use : reading.uses) {
    use.bound = indices[use.bound];
    file.uses.push_back(std::move(use));
  }
}

// What the PTX has and its machine code lacks cannot run.
void refuse_missing(const frontend::Contents& ptx, const KernelRequest& request, KernelFile& file) {
  for (const frontend::Contents::Entry& kernel : ptx.kernels) {
    if (!support::is_chosen(request.kernels, kernel.name)) continue;
    if (std::find(file.names.begin(), file.names.end(), kernel.name) != file.names.end()) continue;
    fail(file, kernel.name,
         {support::usage_error(
             "the machine code has no kernel " + support::quoted_symbol(kernel.name) + ", which its PTX has",
             "compile all of the PTX, or bound it by itself with --ptx")});
  }
}

void read_unit(const CodeUnit& unit, const KernelRequest& request, const ir::Launch& launch, frontend::Inquiry inquiry,
               KernelFile& file) {
  if (unit.ptx) file.source = unit.ptx->shared_source();
  auto figures = figures_of(unit, request.kernels);
  if (!figures) return fail(file, {}, figures.errors());
  file.figures = std::move(*figures);
  if (unit.made_by) file.run.add_assembler(*unit.made_by);
  std::optional<frontend::Contents> ptx;
  if (unit.code_decides() && unit.ptx) {
    if (auto contents = unit.ptx->contents()) ptx = std::move(*contents);
  }
  if (ptx) {
    inquiry.ptx = unit.ptx.get();
    for (const frontend::Contents::Entry& kernel : ptx->kernels) inquiry.parameters[kernel.name] = kernel.parameters;
  }
  frontend::Reading reading =
      unit.code_decides() ? frontend::read_machine_code({unit.name, *unit.cubin}, request.kernels, launch, inquiry)
                          : unit.ptx->read(request.kernels, launch, inquiry);
  spell(reading);
  if (reading.listing) file.source = reading.listing;
  file.names = std::move(reading.names);
  file.codes = std::move(reading.codes);
  file.kernels = std::move(reading.kernels);
  for (frontend::AnalyzedKernel& kernel : file.kernels) {
    if (unit.made_by) kernel.assumptions.push_back(trust_in(*unit.made_by));
  }
  file.uses = std::move(reading.uses);
  if (file.names.empty()) {
    const auto contents = contents_of(unit);
    file.has_no_kernel = contents && contents->kernels.empty();
    fail(file, {}, reading.errors);
  }
  file.errors.add(reading.errors);
  for (const frontend::FailedKernel& kernel : reading.failed) fail(file, kernel.name, kernel.errors);
  if (ptx) refuse_missing(*ptx, request, file);
  if (unit.code_decides() && unit.ptx && request.explain) read_explaining(unit, request, launch, file);
}

// Nothing is made of a file without a chosen kernel.
support::Diagnostics assemble_chosen(CodeUnit& unit, const KernelRequest& request) {
  if (unit.cubin || request.compilation.assembler.empty()) return {};
  const auto contents = contents_of(unit);
  const auto is_chosen = [&](const auto& kernel) { return support::is_chosen(request.kernels, kernel.name); };
  if (!contents || std::none_of(contents->kernels.begin(), contents->kernels.end(), is_chosen)) return {};
  return assemble(unit, request.compilation, request.devices);
}

std::vector<KernelFile> read_file(const std::string& path, const KernelRequest& request, const ir::Launch& launch,
                                  const frontend::Inquiry& inquiry) {
  std::vector<KernelFile> files = {file_at(path)};
  auto input = read_input(path, request.compilation, request.devices, request.kernels);
  if (!input) {
    fail(files.front(), {}, input.errors());
    return files;
  }
  if (input->units.empty()) {  // check_patterns says so
    files.front().names = std::move(input->other_kernels);
    files.front().run = input->run;
    return files;
  }
  files.clear();
  for (CodeUnit& unit : input->units) {
    files.push_back(file_at(unit.name));
    KernelFile& file = files.back();
    file.run = input->run;
    const support::Diagnostics errors = assemble_chosen(unit, request);
    if (!errors.empty()) {
      fail(file, {}, errors);
    } else {
      read_unit(unit, request, launch, inquiry, file);
    }
  }
  return files;
}

struct ExpandedFiles {
  std::vector<KernelFile> files;   // at least one
  std::vector<std::string> paths;  // empty: there is nothing to read
  std::vector<bool> in_folder;     // it was not named itself
};

// A file for each path that the words mean, and one with an error for a word that means none.
ExpandedFiles expand(const std::vector<std::string>& words) {
  ExpandedFiles all;
  std::set<std::string> known;
  for (const std::string& word : words) {
    const auto paths = input_files({word});
    if (!paths) {
      all.files.push_back(file_at(word));
      all.paths.emplace_back();
      all.in_folder.push_back(false);
      fail(all.files.back(), {}, paths.errors());
      continue;
    }
    for (const std::string& path : *paths) {
      if (!known.insert(path).second) continue;
      all.files.push_back(file_at(path));
      all.paths.push_back(path);
      all.in_folder.push_back(path != word);
    }
  }
  return all;
}

Result<Facts> facts_of(const KernelRequest& request, RunRecord& run) {
  if (request.facts.empty()) return Facts{};
  const auto source = support::read_source(request.facts);
  if (!source) return source.errors();
  run.add_input(source->name(), source->bytes());
  return parse_facts(source->name(), source->text());
}

support::Diagnostic names_none(const std::string& pattern, const std::vector<std::string>& names) {
  const std::string meant = support::nearest_symbol(pattern, names);
  std::vector<std::string> known;
  for (const std::string& name : names) known.push_back(support::brief_name(name));
  known.erase(std::unique(known.begin(), known.end()), known.end());
  if (known.size() > most_listed) known.resize(most_listed);
  std::string help = meant.empty() ? "" : "did you mean '" + meant + "'? ";
  help += (known.size() == most_listed ? "it begins with " : "it has ") + support::enumeration(known);
  return support::usage_error("the file has no kernel '" + pattern + "'", help);
}

// What a user asks for and no file has would otherwise be left out without a word.
void check_patterns(const std::vector<std::string>& patterns, std::vector<KernelFile>& files) {
  for (const std::string& pattern : patterns) {
    const auto named = [&pattern](const std::string& name) { return support::names_symbol(pattern, name); };
    const auto has = [&named](const KernelFile& file) {
      return std::any_of(file.names.begin(), file.names.end(), named);
    };
    if (std::any_of(files.begin(), files.end(), has)) continue;
    for (KernelFile& file : files) {
      if (!file.names.empty()) file.errors.add({names_none(pattern, file.names)});
    }
  }
}

}  // namespace

NamedFiles named_files(const std::vector<std::string>& words) {
  NamedFiles named;
  std::set<std::string> known;
  for (const std::string& word : words) {
    const auto paths = input_files({word});
    if (!paths) {
      named.errors.insert(named.errors.end(), paths.errors().begin(), paths.errors().end());
      continue;
    }
    for (const std::string& path : *paths) {
      if (!known.insert(path).second) continue;
      named.paths.push_back(path);
      named.in_folder.push_back(path != word);
    }
  }
  return named;
}

// Build systems leave such files in their folders.
support::Diagnostic without_kernel(const std::string& file) {
  support::Diagnostic note;
  note.severity = support::Severity::note;
  note.location.file = file;
  note.message = "the file has no kernel, and is left out";
  return note;
}

Result<frontend::Contents> contents_of_file(const std::string& path, const Compilation& how,
                                            const std::vector<std::string>& devices, RunRecord& run) {
  const auto input = read_input(path, how, devices);
  if (!input) return spelled(input.errors());
  run.add(input->run);
  frontend::Contents all;
  std::set<std::string> known;
  for (const CodeUnit& unit : input->units) {
    const auto contents = contents_of(unit);
    if (!contents) return spelled(contents.errors());
    const bool is_assembled = !unit.code_decides() && !how.assembler.empty();
    if (all.target.empty()) {
      all.target = is_assembled ? assembled_target(contents->target, how, devices) : contents->target;
    }
    for (const frontend::Contents::Entry& kernel : contents->kernels) {
      if (known.insert(kernel.name).second) all.kernels.push_back(kernel);
    }
  }
  return all;
}

Result<CompiledKernels> figures_of_file(const std::string& path, const Compilation& how,
                                        const std::vector<std::string>& devices,
                                        const std::vector<std::string>& kernels) {
  auto input = read_input(path, how, devices, kernels);
  if (!input) return spelled(input.errors());
  CompiledKernels all;
  for (CodeUnit& unit : input->units) {
    const support::Diagnostics errors = assemble(unit, how, devices);
    if (!errors.empty()) return spelled(errors);
    const auto figures = figures_of(unit, kernels);
    if (!figures) return spelled(figures.errors());
    all.add(*figures);
  }
  return all;
}

KernelFiles read_files(const KernelRequest& request, LoopsAre loops) {
  ExpandedFiles expanded = expand(request.files);
  std::vector<KernelFile> files;
  const std::vector<std::string>& paths = expanded.paths;
  ir::Launch launch = request.launch;
  RunRecord of_facts;
  const auto facts = facts_of(request, of_facts);
  if (!facts) {
    expanded.files.front().run = std::move(of_facts);
    fail(expanded.files.front(), {}, facts.errors());
    return {std::move(expanded.files), std::move(launch)};
  }
  add_facts(*facts, launch);
  frontend::Inquiry inquiry;
  inquiry.unbounded_loops = loops == LoopsAre::perhaps_unbounded || loops == LoopsAre::as_found;
  inquiry.keeps_unbounded = loops == LoopsAre::as_found;
  inquiry.declared_only = loops == LoopsAre::not_analyzed;
  inquiry.fingerprints = loops == LoopsAre::perhaps_unbounded || has_fingerprint(*facts);
  inquiry.unknown_opcodes = request.unknown_opcodes;
  inquiry.code_alone = request.compilation.wanted == Wanted::machine_code;
  inquiry.hopeless = request.hopeless;
  inquiry.refuse = [&facts = *facts](const ir::KernelCode& code) { return refusal(facts, code); };
  support::Diagnostics notes;
  for (size_t i = 0; i < paths.size(); ++i) {
    std::vector<KernelFile> of_path = {std::move(expanded.files[i])};
    if (!paths[i].empty()) of_path = read_file(paths[i], request, launch, inquiry);
    const bool is_left_out = expanded.in_folder[i] && of_path.size() == 1 && of_path.front().has_no_kernel &&
                             (!files.empty() || i + 1 < paths.size());
    if (is_left_out) {
      notes.push_back(without_kernel(of_path.front().name));
      continue;
    }
    std::move(of_path.begin(), of_path.end(), std::back_inserter(files));
  }
  files.front().errors.add(notes);
  of_facts.add(files.front().run);
  files.front().run = std::move(of_facts);
  check_patterns(request.kernels, files);
  ReadFiles read;
  for (KernelFile& file : files) read.push_back(&file);
  check_tables(*facts, read);
  check_facts(launch, read);
  return {std::move(files), std::move(launch)};
}

support::Diagnostics all_errors(const std::vector<KernelFile>& files) {
  support::Diagnostics errors;
  for (const KernelFile& file : files) {
    errors.insert(errors.end(), file.errors.all().begin(), file.errors.all().end());
  }
  return errors;
}

}  // namespace warpspan::app
