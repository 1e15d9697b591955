// The table of `report`, with the rows behind it.
#pragma once

#include "testbench/cli/profiled_program.h"

namespace pmusim::testbench {

struct ReportTable {
  Table table;
  Json rows;  ///< of the table, with all values
  std::size_t rows_in_all = 0;
};
/// The first rows, up to the program's limits.
[[nodiscard]] ReportTable report_table(const ProfiledProgram& program, Grouping grouping, Format format);

}  // namespace pmusim::testbench
