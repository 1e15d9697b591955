#include "testbench/cli/validate_modes.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "testbench/cli/command.h"
#include "testbench/cli/examples.h"
#include "testbench/faults/encoder_trials.h"
#include "testbench/faults/fault.h"
#include "testbench/store/this_program.h"
#include "testbench/support/output.h"
#include "testbench/support/progress.h"
#include "testbench/sweep/conformance.h"

namespace pmusim::testbench {
namespace {

/// Limit of the time in seconds for an encoder's answer.
constexpr unsigned longest_timeout = 86400;

int run_mutate(const Arguments& arguments) {
  const bool markdown = arguments.get<bool>("markdown");
  if (markdown && arguments.has("format")) throw UsageError("--format does not go with --markdown");
  faults::WrongBitOptions options;
  options.only = arguments.get<std::string>("only");
  options.sample = arguments.get<std::uint64_t>("sample");
  options.jobs = arguments.get<unsigned>("jobs");
  const Shard shard = parse_shard(arguments.get<std::string>("shard"));
  options.shard = shard.index;
  options.shards = shard.count;
  const std::string target = arguments.get<std::string>("target");
  const auto targets = target == "all" ? faults::scored_targets() : targets_of(target);
  return faults::run_mutations(targets, options, percentage(arguments, "floor"),
                               markdown ? std::nullopt : std::optional(arguments.format()));
}

int run_defects(const Arguments& arguments) {
  const std::vector<std::string> targets = targets_of(arguments.get<std::string>("target"));
  faults::TrialOptions options{program_file().string(), arguments.get<std::string>("only"),
                               arguments.get<unsigned>("jobs"), arguments.get<bool>("quick")};
  Table table(
      {{"target", "target"}, {"defect", "defect"}, {"verdict", "verdict"}, {"by", "by"}, {"about", "what is wrong"}});
  std::size_t tried = 0, missed = 0;
  const std::size_t steps = faults::most_steps(options);
  Progress progress("defects", steps * targets.size());
  std::uint64_t finished = 0;
  for (const std::string& target : targets) {
    const auto advance = [&](const std::string& doing) { progress.advance(target + ' ' + doing); };
    for (const faults::Trial& trial : faults::try_encoder_faults(target, options, advance)) {
      ++tried;
      if (trial.verdict == faults::Verdict::missed) ++missed;
      if (trial.verdict == faults::Verdict::unfit && arguments.format() == Format::text &&
          !arguments.get<bool>("verbose"))
        continue;
      table.row({target, trial.fault.name, std::string(name_of(trial.verdict)), trial.by, trial.fault.about});
    }
    progress.at(finished += steps, target);
  }
  progress.finish();
  if (tried == 0) throw UsageError("--only '{}' selects no defect; without it all are listed", options.only);
  table.print(std::cout, arguments.format());
  return missed == 0 ? exit_good : exit_mismatch;
}

int run_conformance(const Arguments& arguments) {
  const auto program = foreign_program(arguments);
  if (!program) throw UsageError("--encoder is missing: --conformance tests a program, as in --encoder ./my-encoder");
  if (!arguments.has("target")) throw UsageError("--conformance tests one target; {}", examples::add_a_target);
  const std::vector<std::string> targets = targets_of(arguments.get<std::string>("target"));
  Table table({{"target", "target"}, {"rule", "rule"}, {"verdict", "verdict"}, {"problem", "problem"}});
  bool good = true;
  constexpr std::uint64_t rules = 17;
  Progress progress("conformance", rules * targets.size());
  for (const std::string& target : targets) {
    const auto advance = [&](const std::string& rule) { progress.advance(rule); };
    for (const questions::Conformance& rule : questions::check_conformance(target, *program, advance)) {
      table.row({target, rule.rule, rule.problem.empty() ? "kept" : "BROKEN", rule.problem});
      good = good && rule.problem.empty();
    }
  }
  progress.finish();
  table.print(std::cout, arguments.format());
  return good ? exit_good : exit_mismatch;
}

}  // namespace

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) throw UsageError("--shard '{}' is not of the form I/N", text);
  const Shard shard{parse_number(text.substr(0, slash), "shard"),
                    parse_number(text.substr(slash + 1), "number of shards")};
  if (shard.count == 0 || shard.index == 0 || shard.index > shard.count) {
    throw UsageError("--shard '{}': I runs from 1 to N", text);
  }
  return shard;
}

std::optional<ForeignProgram> foreign_program(const Arguments& arguments) {
  const auto command = arguments.maybe<std::string>("encoder");
  if (!command) {
    arguments.refuse({"sandbox", "encoder-timeout"}, "goes with --encoder");
    return std::nullopt;
  }
  if (command->find_first_not_of(" \t\n\r") == std::string::npos)
    throw UsageError("--encoder names no program; leave it out to judge pmusim's own encoder");
  ForeignProgram program{*command, arguments.get<unsigned>("encoder-timeout"), arguments.get<bool>("sandbox")};
  if (program.timeout == 0 || program.timeout > longest_timeout)
    throw UsageError("--encoder-timeout '{}' is not of 1 to {} seconds", program.timeout, longest_timeout);
  return program;
}

double percentage(const Arguments& arguments, const std::string& option) {
  const double percent = arguments.get<double>(option);
  if (!(percent >= 0 && percent <= 100)) throw UsageError("--{} '{}' is not of 0 to 100 percent", option, percent);
  return percent;
}

const std::vector<ValidateMode>& validate_modes() {
  static const std::vector<ValidateMode> modes{
      {"conformance", run_conformance, {"target", "encoder", "encoder-timeout", "sandbox"}},
      {"mutate", run_mutate, {"target", "only", "jobs", "shard", "sample", "as-shipped", "floor", "markdown"}},
      {"gallery", run_gallery, {"target", "quick", "markdown"}},
      {"defects", run_defects, {"target", "only", "jobs", "quick", "verbose"}}};
  return modes;
}

void refuse_other_options(const Arguments& arguments, const Options& all, const ValidateMode& mode) {
  for (const std::string& name : all.names()) {
    if (!arguments.has(name) || name == mode.option) continue;
    if (std::ranges::find(mode.uses, name) == mode.uses.end())
      throw UsageError("--{} does not go with --{}", name, mode.option);
  }
}

}  // namespace pmusim::testbench
