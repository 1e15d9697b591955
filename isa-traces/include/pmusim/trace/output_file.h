// Every file that the project writes: it appears under its name only when it is whole.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace pmusim::trace {

/// A regular file, or a name that nothing has yet, is written beside under no name and takes the name at the end: a
/// write that fails, or a process that is killed, leaves what was there. A link is followed to what it names. Devices,
/// pipes and open descriptors (/dev/stdout) are written in place.
class OutputFile {
 public:
  /// How the file is written.
  enum class Kind {
    any,      ///< from the beginning to the end
    patched,  ///< bytes are changed after they were written, so only a regular file will do
  };
  /// Throws TraceError.
  explicit OutputFile(const std::filesystem::path& target, Kind kind = Kind::any);
  /// Drops what was written unless close() was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends to what is there. Throws TraceError.
  void write(std::string_view bytes);
  /// Writes over bytes already there.
  void patch(std::uint64_t offset, std::string_view bytes);
  /// Bytes written so far.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  /// Takes the final name.
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

  std::filesystem::path target_;   ///< as the user named it
  std::filesystem::path written_;  ///< after all links
  std::filesystem::path temporary_;
  bool in_place_ = false;
  bool named_ = false;  ///< the temporary file has a name to be removed
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t offset_ = 0;
};

}  // namespace pmusim::trace
