// Activity files as the commands write and read them.
#pragma once

#include <memory>
#include <string>

#include "models/activity_file/reader.h"
#include "models/activity_file/writer.h"
#include "models/targets.h"
#include "testbench/driver/activity_source.h"

namespace pmusim::testbench {

/// Cycles of a block of a file, unless something else is asked for.
inline constexpr Cycle file_block_cycles = 8192;

/// What a recording says of itself: target, program, parameters of the core, and of each trace name and checksum.
[[nodiscard]] activity_file::Properties properties_of(const models::Target& target,
                                                      const models::Parameters& parameters,
                                                      const std::vector<std::string>& traces);

/// Records all that the core does.
struct Recorded {
  std::uint64_t blocks = 0, cycles = 0, instructions = 0, bytes = 0;
};
Recorded record_activity(const std::string& file, activity_file::Properties properties,
                         std::unique_ptr<core::Core> core, const Region& region, Cycle block_cycles, int level);

/// The target that a file's activity is of. Throws UsageError when it says none, or another than `wanted` (which may be
/// empty).
[[nodiscard]] const models::Target& target_of(const activity_file::Reader& reader, const std::string& wanted);
/// Gives core parameters the values of the recording. Returns a line for each that this program does not have.
std::vector<std::string> take_parameters(const activity_file::Reader& reader, models::Parameters& parameters);
/// Hardware threads of the recording.
[[nodiscard]] unsigned threads_of(const activity_file::Reader& reader, const models::Target& target);

}  // namespace pmusim::testbench
