// Writes activity files.
#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "models/activity_file/block_codec.h"
#include "models/activity_file/format.h"
#include "pmusim/trace/output_file.h"
#include "pmusim/trace/packed_file.h"

namespace pmusim::activity_file {

inline constexpr int default_level = 3;  ///< default zstd compression level
inline constexpr int stored_level = 0;   ///< payloads are not packed, for readers without zstd

/// Writes a file block by block.
class Writer {
 public:
  /// `properties`: see docs/activity.md; `target` is required. The file gets its name in close(). All functions
  /// throw trace::TraceError.
  Writer(const std::filesystem::path& file, const Properties& properties, int level = default_level,
         trace::OutputFile::Kind kind = trace::OutputFile::Kind::any);
  /// Writes a block, which must begin where the previous one ended. `instructions`: number of instructions that each
  /// hardware thread has retired before the end of the block, counted from the first block.
  void write(const activity::Block& block, const std::array<std::uint64_t, 2>& instructions = {not_told, not_told});
  /// Writes the index and gives the file its name. Further calls have no effect.
  void close();
  /// Blocks written so far.
  [[nodiscard]] std::uint64_t blocks() const { return sum_.parts; }
  /// Bytes written so far.
  [[nodiscard]] std::uint64_t bytes() const { return file_.offset(); }

 private:
  trace::OutputFile file_;
  trace::Packer packer_;
  BlockEncoder encoder_;
  std::string index_;
  trace::IndexSum sum_;
  activity::Cycle end_ = 0;
  bool stored_;
  bool closed_ = false;
};

}  // namespace pmusim::activity_file
