// Reads activity files, block by block.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "models/activity_file/block_codec.h"
#include "models/activity_file/format.h"
#include "pmusim/trace/ending.h"
#include "pmusim/trace/packed_file.h"

namespace pmusim::activity_file {

/// Handling of damaged files.
struct ReadOptions {
  /// Return the blocks before the damage, then end; on_damage receives the message.
  bool salvage = false;
  /// Receives the message about the damage, once.
  std::function<void(const std::string&)> on_damage = {};
};

/// Reads the blocks of a file in order.
class Reader {
 public:
  /// Opens a file and reads its header. Throws trace::TraceError with one line: file, offset, error and remedy.
  explicit Reader(const std::filesystem::path& file, ReadOptions options = {});
  /// Reads the content of a file; `name` is used in messages.
  Reader(std::unique_ptr<trace::ByteSource> source, const std::string& name, ReadOptions options = {});
  /// The same for content in memory.
  Reader(std::string content, const std::string& name, ReadOptions options = {});

  /// The description in the header.
  [[nodiscard]] const Description& description() const { return description_; }
  /// The properties in the header.
  [[nodiscard]] const Properties& properties() const { return description_.properties; }
  /// Reads the next block into `block`; false at the end. Throws trace::TraceError, and then again in every call.
  bool next(activity::Block& block);
  /// The file's name, for messages.
  [[nodiscard]] const std::string& name() const { return file_.name(); }
  /// Blocks read so far.
  [[nodiscard]] std::uint64_t blocks() const { return sum_.parts; }
  /// The header of the last block read.
  [[nodiscard]] const BlockHeader& block_header() const { return header_; }

 private:
  friend bool is_whole(std::unique_ptr<trace::ByteSource> source, const std::string& name);
  void read_header();
  /// Reads a block, or the index. Null: the block is checked, but not decoded.
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

/// True if all checksums of a file's content are correct and nothing is missing. If this program's writer made the
/// file, it can then be read.
[[nodiscard]] bool is_whole(std::unique_ptr<trace::ByteSource> source, const std::string& name);

}  // namespace pmusim::activity_file
