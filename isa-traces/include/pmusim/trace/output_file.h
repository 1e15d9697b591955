// Output files of the project: a file appears under its name only when it is complete.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace pmusim::trace {

/// An output file. A regular file or a new file is written as an unnamed file in the same folder, which gets the name
/// at the end: if a write fails or the process is killed, a previous file stays unchanged. Symbolic links are followed.
/// Devices, pipes and open descriptors (/dev/stdout) are written directly.
class OutputFile {
 public:
  /// The way in which the file is written.
  enum class Kind {
    any,        ///< sequentially
    patched,    ///< written bytes are changed later, which requires a regular file
    replacing,  ///< what has the name is replaced: a link is not followed, a pipe or device is not written
  };
  /// Opens the file. Throws TraceError.
  explicit OutputFile(const std::filesystem::path& target, Kind kind = Kind::any);
  /// Discards the written bytes unless close() was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends bytes. Throws TraceError.
  void write(std::string_view bytes);
  /// Overwrites written bytes.
  void patch(std::uint64_t offset, std::string_view bytes);
  /// Number of bytes written so far.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  /// Completes the file and gives it its final name.
  void close();
  /// The final name, for messages.
  [[nodiscard]] std::string name() const { return target_.string(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void fail(const char* doing, int error) const;
  [[nodiscard]] int open_beside();
  void take_name();

  std::filesystem::path target_;   ///< name from the user
  std::filesystem::path written_;  ///< target_ with all links resolved
  std::filesystem::path temporary_;
  bool in_place_ = false;
  bool named_ = false;  ///< the temporary file has a name that must be removed
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t offset_ = 0;
};

}  // namespace pmusim::trace
