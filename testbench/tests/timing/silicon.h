// Single instructions of a real Athlon XP and the programs that measure the same on the core.
#pragma once

#include <string>
#include <vector>

#include "measures.h"

namespace pmusim::timing {

/// A line of k7_silicon.csv.
struct SiliconRow {
  std::string form, kind;  ///< kind: L, a link of a dependent chain; T, one more of an independent stream
  double cycles = 0;       ///< measured on silicon
  [[nodiscard]] std::string name() const { return form + " " + kind; }
  [[nodiscard]] bool holds(double measured) const;
};

/// A row, and what the core takes.
struct SiliconResult {
  SiliconRow row;
  double clocks = 0;
  [[nodiscard]] bool holds() const { return row.holds(clocks); }
};

/// A line of k7_misses.csv: a row that the core does not meet, and why.
struct SiliconMiss {
  std::string form, kind, why;
};

/// An instruction of a program.
struct SiliconStep {
  std::string code;      ///< assembly language
  std::string accesses;  ///< as in a text trace; {N}: an address N bytes further in each repetition
  std::string bytes;     ///< encoding in hexadecimal
};

/// A line of k7_programs.txt, or a loop of k7_loops.txt.
struct SiliconProgram {
  std::string form, kind;  ///< kind: L, T, or loop
  unsigned per = 1;        ///< the figure is the time of a repetition divided by this
  std::vector<SiliconStep> steps;
  /// True if its last step is a branch to its first one, written `back`; else the repetitions follow one another.
  [[nodiscard]] bool is_loop() const;
};

/// Each throws std::runtime_error with file and line for a malformed line.
std::vector<SiliconRow> read_silicon();
std::vector<SiliconMiss> read_misses();
std::vector<SiliconProgram> read_programs();

/// The clocks of a program on the core.
double measure(const SiliconProgram& program);
/// All rows in the order of the table. Throws std::runtime_error for a row without a program.
std::vector<SiliconResult> measure_silicon();

// Loops that others timed on the Athlon.

/// Measurements of the loops of k7_loops.txt that have a reference for the Athlon.
[[nodiscard]] Measures k7_loops();

}  // namespace pmusim::timing
