// A file that appears under its name only when it is whole.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace pmusim::trace {

class OutputFile {
 public:
  /// Makes a temporary file beside `target`. Throws TraceError.
  explicit OutputFile(const std::filesystem::path& target);
  /// Removes the temporary file unless close() was called.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// Writes over bytes already there.
  void patch(std::uint64_t offset, std::string_view bytes);
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  /// Takes the final name.
  void close();
  [[nodiscard]] std::string name() const { return target_.string(); }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void fail(const char* doing, int error) const;

  std::filesystem::path target_, temporary_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t offset_ = 0;
};

}  // namespace pmusim::trace
