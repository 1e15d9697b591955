// pmusim targets: the modelled targets, and the parameters of one target.
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "models/targets.h"
#include "pmusim/encoder/encoder.h"
#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/support/arguments.h"

namespace pmusim::testbench {
namespace {

constexpr HelpText targets_help{
    "pmusim targets [-t TARGET] [--parameters]",
    "Lists the targets with their processor, counters and counter width. With --parameters, lists the parameters of\n"
    "the core and of the PMU that --set NAME=VALUE changes: value, unit, range or choices, and the source of the\n"
    "default. 'confirmed no' marks a behaviour that no document specifies; its default is a choice.",
    examples::targets};

void print_targets(const std::vector<std::string>& names, Format format) {
  Table table({{"target", "target"},
               {"isa", "isa"},
               {"counters", "counters", true},
               {"width", "bits", true},
               {"description", "description"}});
  for (const encoder::TargetInfo& info : encoder::targets()) {
    const models::Target* model = models::find_target(info.name);
    if (model == nullptr || std::ranges::find(names, info.name) == names.end()) continue;
    table.row({std::string(info.name), std::string(trace::name_of(model->isa)), info.counters, info.counter_width,
               std::string(model->description)});
  }
  table.print(std::cout, format);
}

std::string legal(const models::ParameterInfo& info) {
  std::string text;
  for (const models::Choice& choice : info.choices) {
    if (!text.empty()) text += '|';
    text += choice.name;
  }
  return text.empty() ? std::to_string(info.minimum) + ".." + std::to_string(info.maximum) : text;
}

/// The meaning of each choice: "younger (0): the younger; older (1): the older". Empty for plain numbers.
std::string values(const models::ParameterInfo& info) {
  std::string text;
  for (const models::Choice& choice : info.choices) {
    if (!text.empty()) text += "; ";
    text += fmt::format("{} ({}): {}", choice.name, choice.value, choice.meaning);
  }
  return text;
}

void print_parameters(const std::vector<std::string>& names, Format format) {
  Table table({{"target", "target"},
               {"name", "parameter"},
               {"default", "default"},
               {"legal", "legal", false, Table::Fit::below},
               {"unit", "unit"},
               {"confirmed", "confirmed"},
               {"meaning", "meaning", false, Table::Fit::below},
               {"values", "values", false, Table::Fit::below},
               {"source", "source", false, Table::Fit::below}});
  for (const std::string& name : names) {
    const models::Parameters parameters = models::find_target(name)->parameters();
    for (const models::ParameterInfo& info : parameters.infos()) {
      table.row({name, std::string(info.name), parameters.text(info.name), legal(info), std::string(info.unit),
                 info.confirmed, std::string(info.meaning), values(info), std::string(info.source)});
    }
  }
  table.print(std::cout, format);
}

Options targets_options() {
  return {{"target,t", po::text("all"), "one target, or all"},
          {"parameters", po::flag(), "list parameters, their defaults and their sources"}};
}

int run_targets(const Arguments& arguments) {
  const std::vector<std::string> names = targets_of(arguments.get<std::string>("target"));
  (arguments.get<bool>("parameters") ? print_parameters : print_targets)(names, arguments.format());
  return exit_good;
}

}  // namespace

const CommandBody targets_body{targets_help, targets_options, run_targets, 0};

}  // namespace pmusim::testbench
