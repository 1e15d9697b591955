#include "output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "pmusim/trace/reader.h"

namespace pmusim::trace {

OutputFile::OutputFile(const std::filesystem::path& target) : target_(target) {
  std::error_code ignored;
  const auto status = std::filesystem::status(target, ignored);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw TraceError(fmt::format("{}: exists and is no regular file; give the name of a file to write", name()));
  }
  static std::atomic<unsigned> serial{0};
  temporary_ = target;
  temporary_ += fmt::format(".{}-{}.part", ::getpid(), serial++);
  const int descriptor = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("made", errno);
  file_.reset(::fdopen(descriptor, "wb"));
  if (!file_) fail("made", errno);
}

OutputFile::~OutputFile() {
  if (!file_) return;
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void OutputFile::fail(const char* doing, int error) const {
  throw TraceError(fmt::format("{}: cannot be {}: {}", name(), doing, std::strerror(error)));
}

void OutputFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail("written", errno);
  offset_ += bytes.size();
}

void OutputFile::patch(std::uint64_t offset, std::string_view bytes) {
  if (std::fseek(file_.get(), static_cast<long>(offset), SEEK_SET) != 0 ||
      std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size() ||
      std::fseek(file_.get(), 0, SEEK_END) != 0) {
    fail("written", errno);
  }
}

void OutputFile::close() {
  if (std::fflush(file_.get()) != 0) fail("written", errno);
  std::error_code error;
  std::filesystem::rename(temporary_, target_, error);
  if (error) throw TraceError(fmt::format("{}: cannot take its name: {}", name(), error.message()));
  if (std::fclose(file_.release()) != 0) fail("written", errno);
}

}  // namespace pmusim::trace
