// What `report` and `annotate` share: options, the run, names and instructions.
#pragma once

#include <string>
#include <vector>

#include "testbench/cli/code_names.h"
#include "testbench/cli/session_options.h"
#include "testbench/explain/disassembler.h"
#include "testbench/profile/profile.h"

namespace pmusim::testbench {

int run_report(const std::vector<std::string>& arguments);
int run_annotate(const std::vector<std::string>& arguments);

/// Adds what says what runs, which events are profiled, with which names, and --top.
void add_profile_options(Arguments::Description& options);

struct ProfiledProgram {
  SessionSetup setup;
  Profile profile;
  std::vector<CodeNames> names;  ///< by hardware thread
  Json notes = Json::object();   ///< of the encoder
  std::size_t top = 0;

  [[nodiscard]] bool named() const;
  [[nodiscard]] bool has_lines() const;
};
/// Runs, and prints what is wrong with sampling to standard error. For tables the target's stall events are counted,
/// too, unless --no-stalls is given. Throws UsageError.
[[nodiscard]] ProfiledProgram profiled_program(const Arguments& arguments, bool tables);
/// Disassembles what the rows name.
void add_instructions(ProfiledProgram& program);

/// Head of the text output: what ran, and each event with its number.
[[nodiscard]] std::vector<std::string> head_lines(const ProfiledProgram& program);
/// The same for programs.
[[nodiscard]] Json head_json(const ProfiledProgram& program);

/// A row's amounts and shares. `before` has what the rows before it have of each event, for cumulative shares, and is
/// added to.
[[nodiscard]] Json amounts_json(const ProfiledProgram& program, const ProfileRow& row,
                                std::vector<std::uint64_t>& before);
/// Where the row is.
[[nodiscard]] Json place_json(const ProfiledProgram& program, const ProfileRow& row, Grouping grouping);
/// `sort.c:16`, without the folder; empty where no line is known.
[[nodiscard]] std::string short_line(const Json& place);
/// Columns of the amounts, and the cells of a row, for tables.
[[nodiscard]] std::vector<Table::Column> amount_columns(const ProfiledProgram& program, bool cumulative, Format format);
[[nodiscard]] std::vector<Json> amount_cells(const ProfiledProgram& program, const Json& amounts, bool cumulative,
                                             Format format);

}  // namespace pmusim::testbench
