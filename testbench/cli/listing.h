// The instructions of a function with their events and source lines: the listings of `annotate`.
#pragma once

#include <map>
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

struct Listing {
  ProfileRow sum;
  std::vector<const ProfileRow*> rows;  ///< by address
};
/// The named functions, or the first ones of the report. Throws UsageError for a function that the trace does not run.
[[nodiscard]] std::vector<Listing> listings(const ProfiledProgram& program, const std::vector<std::string>& functions);
[[nodiscard]] Json listing_json(const ProfiledProgram& program, const Listing& listing, Sources& sources);

struct ListingText {
  std::string title;
  Table table;
  std::size_t hottest = 0;  ///< its row of the table
};
/// The text of a listing with this JSON. `all`: also instructions far from the hottest one.
[[nodiscard]] ListingText listing_text(const ProfiledProgram& program, const Listing& listing, const Json& object,
                                       bool all);

}  // namespace pmusim::testbench
