// report --tui and annotate --tui: the tables of these commands as pages with a cursor.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbench/cli/profiled_program.h"

namespace pmusim::testbench {

/// A table below some lines. It is laid out anew for each width.
struct TuiPage {
  std::vector<std::string> head;
  Table table;
  std::size_t cursor = 0;  ///< row of the table
  /// The page of a row; empty if it has none.
  std::function<std::optional<TuiPage>(std::size_t row)> open = {};
};

/// Shows the last page; the user leaves a page for the one before it, and the first one for good.
using ShowPages = void (*)(std::vector<TuiPage> pages);
/// Set by tui.cpp in programs that compile it; else null.
[[nodiscard]] ShowPages& show_pages();

void add_tui_option(Arguments::Description& options);
/// True if --tui is given. Throws UsageError if there is no terminal, or an option asks for other output.
[[nodiscard]] bool wants_tui(const Arguments& arguments);
/// The report; Enter opens the listing of the row's function at its hottest instruction.
void show_report(ProfiledProgram program, const Arguments& arguments, Grouping grouping);
/// The same, with the listing of a function opened: the named one, or the first of the report.
void show_listing(ProfiledProgram program, const Arguments& arguments);

}  // namespace pmusim::testbench
