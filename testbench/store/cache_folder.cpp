#include "testbench/store/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace pmusim::testbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view folder_name = "v2";
/// The mark follows the Cache Directory Tagging Specification, so that programs that make backups leave the folder out.
constexpr const char* mark_name = "CACHEDIR.TAG";
constexpr std::string_view mark =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# Cache of pmusim, version 2. The folder may be removed at any time.\n";

bool is_own(const struct stat& status) { return S_ISREG(status.st_mode) && status.st_uid == ::geteuid(); }

/// The folder, unless its name is a link or it belongs to another user.
Descriptor open_folder(const fs::path& folder) {
  Descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status {};
  const bool own = opened.is_open() && ::fstat(opened.get(), &status) == 0 && status.st_uid == ::geteuid();
  return own ? std::move(opened) : Descriptor();
}

/// A file of the cache in an open folder.
Descriptor open_in(const Descriptor& folder, const char* name) {
  if (!folder.is_open()) return Descriptor();
  Descriptor file(::openat(folder.get(), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  const bool own = file.is_open() && ::fstat(file.get(), &status) == 0 && is_own(status);
  return own ? std::move(file) : Descriptor();
}

bool has_mark(const fs::path& folder) {
  const Descriptor file = open_in(open_folder(folder), mark_name);
  std::array<char, mark.size() + 1> bytes{};
  return file.is_open() && ::read(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(mark.size()) &&
         std::string_view(bytes.data(), mark.size()) == mark;
}

/// Makes the folder with its mark under another name, and then gives it its name, unless that belongs to a folder that
/// is not empty.
std::error_code make(const fs::path& folder) {
  const auto last = [] { return std::error_code(errno, std::generic_category()); };
  std::string made = folder.string() + "-XXXXXX";
  if (::mkdtemp(made.data()) == nullptr) return last();
  const std::string file = made + '/' + mark_name;
  std::error_code error;
  {
    const Descriptor written(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!written.is_open() || ::write(written.get(), mark.data(), mark.size()) != static_cast<ssize_t>(mark.size()))
      error = last();
  }
  if (!error && ::rename(made.c_str(), folder.c_str()) != 0) error = last();
  if (!error) return {};
  ::unlink(file.c_str());
  ::rmdir(made.c_str());
  return error;
}

struct File {
  struct timespec used;
  std::uint64_t bytes;
  std::string name;
};

/// The cache's files in an open folder that are called by `is_name`, the least recently used first.
std::vector<File> files_of(int folder, const std::function<bool(const std::string&)>& is_name) {
  std::vector<File> files;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(::dup(folder)), ::closedir);
  while (const dirent* const entry = entries ? ::readdir(entries.get()) : nullptr) {
    struct stat status {};
    if (!is_name(entry->d_name) || ::fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (is_own(status)) files.push_back({status.st_mtim, static_cast<std::uint64_t>(status.st_size), entry->d_name});
  }
  const auto before = [](const File& a, const File& b) {
    return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
  };
  std::sort(files.begin(), files.end(), before);
  return files;
}

}  // namespace

CacheFolder::CacheFolder(const fs::path& base) : folder_(base / folder_name) {
  std::error_code error;
  fs::create_directories(base, error);
  if (!error && !has_mark(folder_)) error = make(folder_);
  if (has_mark(folder_)) return;
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(folder_, ignored)))
    problem_ = fmt::format("{}: not a folder that pmusim made for this user: it has no {} of pmusim; name another one",
                           folder_.string(), mark_name);
  else
    problem_ = fmt::format("{}: cannot be made: {}", folder_.string(), error.message());
}

Descriptor CacheFolder::open(const std::string& name) const { return open_in(open_folder(folder_), name.c_str()); }

bool CacheFolder::may_write(const std::string& name) const {
  struct stat status {};
  if (::lstat(path(name).c_str(), &status) != 0) return errno == ENOENT;
  return is_own(status);
}

void CacheFolder::touch(const std::string& name) const {
  const Descriptor folder = open_folder(folder_);
  if (folder.is_open()) static_cast<void>(::utimensat(folder.get(), name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW));
}

void CacheFolder::trim(std::uint64_t most_bytes, const std::function<bool(const std::string&)>& is_name,
                       const std::function<bool(const std::string&, int)>& is_entry) const {
  if (!has_mark(folder_)) return;
  const Descriptor folder = open_folder(folder_);
  if (!folder.is_open()) return;
  const std::vector<File> files = files_of(folder.get(), is_name);
  std::uint64_t bytes = 0;
  for (const File& file : files) bytes += file.bytes;
  for (const File& file : files) {
    if (bytes <= most_bytes) break;
    const Descriptor opened = open_in(folder, file.name.c_str());
    if (!opened.is_open() || !is_entry(file.name, opened.get())) continue;
    ::unlinkat(folder.get(), file.name.c_str(), 0);
    bytes -= std::min(bytes, file.bytes);
  }
}

}  // namespace pmusim::testbench
