// A file of the user, of which one content is used: what is hashed is what is run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "models/activity_file/reader.h"
#include "pmusim/trace/reader.h"

namespace pmusim::testbench {

/// A trace or an activity file. It is read into memory when it is first used, and hash and readers are of these bytes,
/// whatever happens to the file afterwards. Copies share the bytes.
class InputFile {
 public:
  /// No file.
  InputFile() = default;
  InputFile(std::filesystem::path file);
  [[nodiscard]] bool empty() const { return path().empty(); }
  [[nodiscard]] const std::filesystem::path& path() const;
  /// Hash of the content (this_program.h). This function and the next three throw trace::TraceError if the file cannot
  /// be read, if it is no regular file, and if its content changed after forget().
  [[nodiscard]] const std::string& digest() const;
  /// CRC-32 of the content, as in zlib.
  [[nodiscard]] std::uint32_t crc32() const;
  /// A reader of the trace.
  [[nodiscard]] std::unique_ptr<trace::Reader> trace(const trace::ReadOptions& options = {}) const;
  /// A reader of the activity file.
  [[nodiscard]] std::unique_ptr<activity_file::Reader> activity() const;
  /// Frees the memory. The next use reads the file again and compares the hash.
  void forget() const;

 private:
  struct State;
  [[nodiscard]] std::unique_ptr<trace::ByteSource> source() const;
  std::shared_ptr<State> state_;
};

/// A hash of the contents of files.
[[nodiscard]] std::string hash_of(const std::vector<InputFile>& files);

}  // namespace pmusim::testbench
