// Reads and writes activity files for the commands; prints them (`pmusim activity dump`).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/activity_file/reader.h"
#include "models/activity_file/writer.h"
#include "models/targets.h"
#include "testbench/cli/command.h"
#include "testbench/driver/activity_source.h"
#include "testbench/store/input_file.h"

namespace pmusim::testbench {

/// Cycles per block of a file, unless the user sets another number.
inline constexpr Cycle file_block_cycles = 8192;

/// The properties of a recording: target, program, parameters of the core, and name and checksum of each trace.
[[nodiscard]] activity_file::Properties properties_of(const models::Target& target,
                                                      const models::Parameters& parameters,
                                                      const std::vector<InputFile>& traces);

/// Records all activity of the core.
struct Recorded {
  std::uint64_t blocks = 0, cycles = 0, instructions = 0, bytes = 0;
};
Recorded record_activity(const std::string& file, activity_file::Properties properties,
                         std::unique_ptr<core::Core> core, const Region& region, Cycle block_cycles, int level);

/// The target of a file's activity. Throws UsageError if the file names none, or another one than `wanted` (which may
/// be empty).
[[nodiscard]] const models::Target& target_of(const activity_file::Reader& reader, const std::string& wanted);
/// Sets the core parameters to the values in the recording. Returns a line for each parameter that this program lacks.
std::vector<std::string> take_parameters(const activity_file::Reader& reader, models::Parameters& parameters);
/// The property `first_instruction` of a file: the number of its first instruction in the trace; 0 without it. Throws
/// UsageError naming the file.
[[nodiscard]] std::uint64_t first_instruction_of(const activity_file::Properties& properties, const std::string& file);
/// Number of hardware threads in the recording.
[[nodiscard]] unsigned threads_of(const activity_file::Reader& reader, const models::Target& target);

/// The option for reading a damaged file.
[[nodiscard]] Options salvage_option();
/// With --salvage, the lost part is reported on standard error.
[[nodiscard]] activity_file::ReadOptions reading_options(const Arguments& arguments);

extern const CommandBody activity_dump_body;

}  // namespace pmusim::testbench
