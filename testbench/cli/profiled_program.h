// The common part of `report` and `annotate`: options, the run, names and instructions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "testbench/cli/code_names.h"
#include "testbench/cli/session_options.h"
#include "testbench/profile/profile.h"

namespace pmusim::testbench {

/// Adds the options for the run, the profiled events and their names, and --top.
[[nodiscard]] Options profile_options();

struct ProfiledProgram {
  SessionSetup setup;
  Profile profile;
  std::vector<CodeNames> names;  ///< by hardware thread
  Json notes = Json::object();   ///< of the encoder
  std::size_t top = 0;
  double percent_limit = 0;

  [[nodiscard]] bool named() const;
  [[nodiscard]] bool has_lines() const;
};
/// Runs, and prints problems of the sampling to standard error. Tables also count the target's stall events, unless
/// --no-stalls is given. Throws UsageError.
[[nodiscard]] ProfiledProgram profiled_program(const Arguments& arguments, bool tables);
/// Disassembles the instructions of the rows.
void add_instructions(ProfiledProgram& program);

/// Head of the text output: the run, and each event with its number.
[[nodiscard]] std::vector<std::string> head_lines(const ProfiledProgram& program);
/// The same for JSON.
[[nodiscard]] Json head_json(const ProfiledProgram& program);

/// The amounts and shares of a row. `before`: the sums of the preceding rows for each event, for cumulative shares; the
/// row's amounts are added to it.
[[nodiscard]] Json amounts_json(const ProfiledProgram& program, const ProfileRow& row,
                                std::vector<std::uint64_t>& before);
/// False for a row with less than --percent-limit.
[[nodiscard]] bool shown(const ProfiledProgram& program, const Json& amounts);
/// The location of the row.
[[nodiscard]] Json place_json(const ProfiledProgram& program, const ProfileRow& row, Grouping grouping);
/// `sort.c:16`, without the folder; empty if the line is not known.
[[nodiscard]] std::string short_line(const Json& place);
/// Columns of the amounts, and the cells of a row.
[[nodiscard]] std::vector<Table::Column> amount_columns(const ProfiledProgram& program, bool cumulative, Format format);
[[nodiscard]] std::vector<Json> amount_cells(const ProfiledProgram& program, const Json& amounts, bool cumulative,
                                             Format format);

}  // namespace pmusim::testbench
