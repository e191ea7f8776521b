// SPDX-License-Identifier: GPL-3.0-or-later
// warpspan amalthea: the tasks of an AMALTHEA model that run on its GPU, as a tasks file for 'warpspan rta'.
#include <memory>

#include "app/cli/command.hpp"
#include "app/cli/memory.hpp"
#include "app/cli/option_groups.hpp"
#include "app/files/tasks_text.hpp"
#include "frontend/amalthea/gpu_tasks.hpp"
#include "support/isolated.hpp"
#include "support/source_file.hpp"

namespace warpspan::app {

namespace {

constexpr const char* footer =
    "Reads models of Eclipse APP4MC, 0.9 to 3 (docs/amalthea.md). What has nothing to do with the GPU is left out, "
    "and\n"
    "named on standard error; what decides a response time and is not understood is an error.\n"
    "\nExamples:\n"
    "  warpspan amalthea samples/rta/tx2_model.amxmi\n"
    "  warpspan amalthea samples/rta/tx2_model.amxmi --output tasks.toml\n";

struct AmaltheaOptions {
  std::vector<std::string> models;
  int64_t memory = 0;  // bytes for everything
  std::string output;
};

struct Import {
  std::string text;
  support::Diagnostics notes;
};

support::Result<Import> import_model(const support::SourceFile& source, const AmaltheaOptions& options) {
  const auto model = amalthea::read_model(source);
  if (!model) return model.errors();
  const auto tasks = amalthea::gpu_tasks(source, *model);
  if (!tasks) return tasks.errors();
  auto text = tasks_text(*tasks, options.models.front(), options.output);
  if (!text) return text.errors();
  return Import{std::move(*text), tasks->notes};
}

Outcome write_tasks(const AmaltheaOptions& options) {
  limit_memory(options.memory);
  Outcome outcome;
  outcome.path = options.output;
  const auto source = support::read_source(options.models.front());
  if (!source) {
    outcome.errors = source.errors();
    return outcome;
  }
  support::Location at;
  at.file = source->name();
  auto import = support::isolated(at, "in the import", [&] { return import_model(*source, options); });
  if (!import) {
    outcome.errors = import.errors();
  } else {
    outcome.report = std::move(import->text);
    outcome.errors = std::move(import->notes);
  }
  return outcome;
}

Run declare(OptionSet& set) {
  const auto options = std::make_shared<AmaltheaOptions>();
  set.positional("MODEL", "The model, an .amxmi file; '-' is standard input",
                 [&set, to = options.get()](const std::vector<std::string>& models) {
                   to->models = models;
                   if (models.empty())
                     set.usage("no model is given", "give an .amxmi file; docs/amalthea.md tells more");
                   if (models.size() > 1)
                     set.usage("give one model at a time", "a model of several files has to be made one file");
                 });
  add_memory(set, options->memory);
  set.text("--output", "FILE", "Write the tasks to this file; default: standard output", options->output);
  return [options] { return write_tasks(*options); };
}

}  // namespace

Command amalthea_command() {
  return {"amalthea", "Import the tasks on the GPU of an AMALTHEA model, for 'rta'", footer, declare};
}

}  // namespace warpspan::app
