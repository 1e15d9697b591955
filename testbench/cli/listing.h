// The table of `report`, and the listings of `annotate`: the instructions of a function with their events and source
// lines. The same as pages of `--tui`.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testbench/cli/profiled_program.h"

namespace pmusim::testbench {

/// Lines of source files, each file read once.
class Sources {
 public:
  /// `folder`: of all files; empty for the paths at compile time.
  explicit Sources(std::string folder) : folder_(std::move(folder)) {}
  /// Empty if the line does not exist.
  std::string line(const std::string& file, unsigned number);

 private:
  [[nodiscard]] std::vector<std::string> read(const std::string& file) const;

  std::string folder_;
  std::map<std::string, std::vector<std::string>> files_;
};

struct FunctionListing {
  ProfileRow sum;
  std::vector<const ProfileRow*> rows;  ///< by address
};
/// The named functions, or the first ones of the report. Throws UsageError for a function that the trace does not run.
[[nodiscard]] std::vector<FunctionListing> listings(const ProfiledProgram& program,
                                                    const std::vector<std::string>& functions);
[[nodiscard]] Json listing_json(const ProfiledProgram& program, const FunctionListing& listing, Sources& sources);

struct ListingText {
  std::string title;
  Table table;
  std::size_t hottest = 0;  ///< its row of the table
};
/// The text of a listing with this JSON. `all`: also instructions far from the hottest one.
[[nodiscard]] ListingText listing_text(const ProfiledProgram& program, const FunctionListing& listing,
                                       const Json& object, bool all);

/// The table of `report`, with the rows behind it.
struct ReportTable {
  Table table;
  Json rows;  ///< of the table, with all values
  std::size_t rows_in_all = 0;
};
/// The first rows, up to the program's limits.
[[nodiscard]] ReportTable report_table(const ProfiledProgram& program, Grouping grouping, Format format);

/// A table below some lines, with a cursor. It is laid out anew for each width.
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

[[nodiscard]] Options tui_option();
/// True if --tui is given. Throws UsageError if there is no terminal, or an option asks for other output.
[[nodiscard]] bool wants_tui(const Arguments& arguments);
/// The report; Enter opens the listing of the row's function at its hottest instruction.
void show_report(ProfiledProgram program, const Arguments& arguments, Grouping grouping);
/// The same, with the listing of a function opened: the named one, or the first of the report.
void show_listing(ProfiledProgram program, const Arguments& arguments);

}  // namespace pmusim::testbench
