#include "pmusim/trace/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "pmusim/trace/reader.h"

namespace pmusim::trace {
namespace {

namespace fs = std::filesystem;

constexpr mode_t usual_mode = 0666;  // before the umask
constexpr int most_links = 40;       // limit of the system

fs::path folder_of(const fs::path& file) { return file.has_parent_path() ? file.parent_path() : fs::path("."); }

/// Resolves symbolic links, except those in /proc, which stand for descriptors.
fs::path behind_links(fs::path name) {
  std::error_code ignored;
  for (int links = 0; links < most_links && fs::is_symlink(fs::symlink_status(name, ignored)); ++links) {
    const fs::path folder = fs::canonical(folder_of(name), ignored);
    if (folder.native().starts_with("/proc/")) break;
    name = folder / fs::read_symlink(name, ignored);
  }
  return name;
}

/// Opens a file for direct writing. An open descriptor of this process is duplicated, so that it keeps its position.
int open_in_place(const fs::path& name) {
  std::error_code ignored;
  if (fs::canonical(folder_of(name), ignored) == fs::canonical("/proc/self/fd", ignored))
    return ::fcntl(std::atoi(name.filename().c_str()), F_DUPFD_CLOEXEC, 0);
  return ::open(name.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
}

}  // namespace

OutputFile::OutputFile(const fs::path& target, Kind kind)
    : target_(target), written_(kind == Kind::replacing ? target : behind_links(target)) {
  std::error_code ignored;
  const auto status = fs::symlink_status(written_, ignored);
  in_place_ = kind != Kind::replacing && fs::exists(status) && !fs::is_regular_file(status);
  if (in_place_ && (kind == Kind::patched || fs::is_directory(status)))
    throw TraceError(fmt::format("{}: exists and is no regular file; give the name of a file to write", name()));
  const int descriptor = in_place_ ? open_in_place(written_) : open_beside();
  if (descriptor < 0) fail(in_place_ ? "written" : "made", errno);
  file_.reset(::fdopen(descriptor, "wb"));
  if (!file_) fail("made", errno);
}

/// Creates an unnamed file, which is removed with its last descriptor. If the file system does not support it, or
/// without /proc, through which such a file gets its name, creates a file with a new name.
int OutputFile::open_beside() {
  static std::atomic<unsigned> serial{0};
  const fs::path folder = folder_of(written_);
  temporary_ = folder / fmt::format(".pmusim-{}-{}.part", ::getpid(), serial++);
  if (::access("/proc/self/fd", X_OK) == 0) {
    const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, usual_mode);
    if (unnamed >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return unnamed;
  }
  const int descriptor = ::open(temporary_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, usual_mode);
  named_ = descriptor >= 0;
  return descriptor;
}

OutputFile::~OutputFile() {
  file_.reset();
  if (named_) ::unlink(temporary_.c_str());
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

void OutputFile::take_name() {
  if (!named_) {
    const std::string open_file = fmt::format("/proc/self/fd/{}", ::fileno(file_.get()));
    if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0)
      fail("named", errno);
    named_ = true;
  }
  if (::rename(temporary_.c_str(), written_.c_str()) != 0) fail("named", errno);
  named_ = false;
}

void OutputFile::close() {
  if (std::fflush(file_.get()) != 0) fail("written", errno);
  if (!in_place_) take_name();
  if (std::fclose(file_.release()) != 0) fail("written", errno);
}

}  // namespace pmusim::trace
