// The programs that `pmusim lab` offers: the user's own, those of the lessons, and all recorded traces that come with
// pmusim. Their activity and instructions.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "models/targets.h"
#include "testbench/driver/activity_source.h"
#include "testbench/lab/bindings/answers.h"

namespace pmusim::lab {

/// Parses `BEGIN:END`, instructions from 0 on. Throws std::invalid_argument.
[[nodiscard]] testbench::Region region_of(const std::string& text);

/// The activity of a target's core over a region of traces.
struct Recording {
  testbench::ActivityLog activity;
  std::uint64_t instructions = 0;
};
/// One trace for each hardware thread that runs. Throws the errors of traces, core and session.
[[nodiscard]] Recording record(const models::Target& target, const std::vector<std::filesystem::path>& traces,
                               const testbench::Region& region);

/// The instructions of the region, and of its neighbourhood, because instructions fetched near it are shown, too; by
/// address, each once.
[[nodiscard]] std::vector<trace::Code> code_near(const models::Target& target,
                                                 const std::vector<std::filesystem::path>& traces,
                                                 const testbench::Region& region);

/// The targets that run an instruction set.
[[nodiscard]] std::vector<std::string> targets_of(trace::Isa isa);

struct Program {
  std::string id, title;
  std::vector<std::string> targets;
  std::vector<std::filesystem::path> traces;  ///< one for each hardware thread that runs
  testbench::Region region;
  std::filesystem::path source = {};  ///< may be empty
};

class Programs {
 public:
  /// The programs of `programs.json` in the laboratory's folder, and `recorded` traces. Throws std::exception if the
  /// data is not there.
  Programs(const std::filesystem::path& folder, const std::filesystem::path& data,
           const std::vector<std::filesystem::path>& recorded);
  /// Adds a program before all others. The page begins with it.
  void add_own(Program own);

  /// For the page: `id`, `title`, `targets`, `traces`, `region`, `source`, `threads`.
  [[nodiscard]] Json catalogue() const;
  /// Throws std::invalid_argument for an unknown name, or a target that does not run the program.
  [[nodiscard]] const Program& find(const std::string& id, const std::string& target) const;

 private:
  std::vector<Program> all_;
};

/// `source`, and `code`: address, with the slot after a point on IA-64, and text of each instruction.
[[nodiscard]] Json listing_of(const Program& program, const models::Target& target);

}  // namespace pmusim::lab
