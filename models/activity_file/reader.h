// Reads activity files, block by block.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "models/activity_file/block_codec.h"
#include "models/activity_file/format.h"
#include "pmusim/trace/ending.h"
#include "pmusim/trace/packed_file.h"

namespace pmusim::activity_file {

/// What to do about damage.
struct ReadOptions {
  /// Hand out the blocks before a defect, then end; the defect goes to on_damage.
  bool salvage = false;
  /// Gets the message of the defect, once.
  std::function<void(const std::string&)> on_damage = {};
};

/// Gives the blocks of a file one after the other.
class Reader {
 public:
  /// Throws trace::TraceError, one line: file, place, what is wrong and what would be right.
  explicit Reader(const std::filesystem::path& file, ReadOptions options = {});
  /// The same for a file's content.
  Reader(std::string content, const std::string& name, ReadOptions options = {});

  /// All that the header says.
  [[nodiscard]] const Description& description() const { return description_; }
  /// Facts about the file from the header.
  [[nodiscard]] const Properties& properties() const { return description_.properties; }
  /// The next block, which replaces what was there; false at the end. Throws trace::TraceError, then every time.
  bool next(activity::Block& block);
  /// The file's name, for messages.
  [[nodiscard]] const std::string& name() const { return file_.name(); }
  /// Blocks read so far.
  [[nodiscard]] std::uint64_t blocks() const { return sum_.parts; }
  /// What the header of the last block says.
  [[nodiscard]] const BlockHeader& block_header() const { return header_; }

 private:
  friend bool is_whole(const std::filesystem::path& file);
  Reader(std::unique_ptr<trace::ByteSource> source, const std::string& name, ReadOptions options);
  void read_header();
  /// Null: passes over the block.
  bool step(activity::Block* block);
  void read_payload(const std::string& what, std::uint64_t offset);
  void finish(std::uint64_t offset);

  trace::PackedFile file_;
  ReadOptions options_;
  Description description_;
  std::unique_ptr<BlockDecoder> decoder_;
  BlockHeader header_;
  std::string packed_, payload_;
  trace::IndexSum sum_;
  trace::Ending ending_;
};

/// Every checksum of the file is right, and nothing is missing; what a writer of this program wrote can then be read.
[[nodiscard]] bool is_whole(const std::filesystem::path& file);

}  // namespace pmusim::activity_file
