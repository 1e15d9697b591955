#include "testbench/store/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <ctime>
#include <system_error>
#include <utility>

#include "pmusim/trace/bytes.h"
#include "pmusim/trace/output_file.h"
#include "pmusim/trace/reader.h"
#include "testbench/store/this_program.h"
#include "testbench/support/error.h"

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
  std::ranges::sort(files, before);
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

namespace {

using trace::OutputFile;

/// An entry is the mark, the digest of the rest, the length of the key, the key, and the content. Activity is in a file
/// of its own format with the key as a property.
constexpr std::string_view entry_mark = "pmusim cache 2\n";
constexpr std::string_view key_property = "cache.key";
constexpr std::uint32_t most_key = 1u << 20;

/// Files that OutputFile did not complete because its process was killed.
constexpr std::string_view part_prefix = ".pmusim-", part_suffix = ".part";
constexpr std::time_t seconds_of_day = 86400;

std::string rest_of(trace::ByteSource& source) {
  constexpr std::size_t step = 1 << 16;
  std::string bytes;
  for (std::size_t size = 0;; size = bytes.size()) {
    bytes.resize(size + step);
    bytes.resize(size + source.read(&bytes[size], step));
    if (bytes.size() < size + step) return bytes;
  }
}

/// Reads length and text of a key.
std::optional<std::string> read_key(trace::ByteSource& source) {
  std::string length(sizeof(std::uint32_t), '\0');
  if (source.read(length.data(), length.size()) != length.size()) return std::nullopt;
  const auto size = trace::get_fixed<std::uint32_t>(length.data());
  if (size > most_key) return std::nullopt;
  std::string key(size, '\0');
  return source.read(key.data(), size) == size ? std::optional(std::move(key)) : std::nullopt;
}

/// The name that belongs to the key in an open file; empty if it has none. The rest of the file is not read.
std::string name_of_content(int descriptor) {
  auto source = trace::descriptor_source(::dup(descriptor), "the cache");
  std::string start(entry_mark.size(), '\0');
  start.resize(source->read(start.data(), start.size()));
  if (start == entry_mark) {
    std::string digest(digest_digits, '\0');
    if (source->read(digest.data(), digest.size()) != digest.size()) return {};
    return CacheKey::name_of(read_key(*source).value_or(""));
  }
  source->unread(start);
  try {
    const activity_file::Reader reader(std::move(source), "the cache");
    return CacheKey::name_of(reader.properties().get(key_property).value_or(""));
  } catch (const trace::TraceError&) {
    return {};
  }
}

/// True for the names of entries: a kind and a target in small letters, and a digest.
bool is_entry_name(const std::string& name) {
  const std::size_t last = name.rfind('-');
  constexpr std::string_view legal = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return last != std::string::npos && last > 0 && is_digest(std::string_view(name).substr(last + 1)) &&
         name.find_first_not_of(legal) == std::string::npos;
}

bool is_part_name(const std::string& name) { return name.starts_with(part_prefix) && name.ends_with(part_suffix); }

bool is_old(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && std::time(nullptr) - status.st_mtim.tv_sec > seconds_of_day;
}

/// True if the content is that of an entry of this name, or of one that was never completed.
bool is_entry(const std::string& name, int descriptor) {
  const std::string own = name_of_content(descriptor);
  return is_part_name(name) ? !own.empty() && is_old(descriptor) : own == name;
}

}  // namespace

CacheKey::CacheKey(std::string_view kind, std::string_view target) { add(kind).add(target); }

CacheKey& CacheKey::add(std::string_view part) {
  text_ += fmt::format("{}:{}\n", part.size(), part);
  return *this;
}

std::string CacheKey::name() const { return name_of(text_); }

std::string CacheKey::name_of(std::string_view text) {
  std::string name;
  std::string_view rest = text;
  for (int part = 0; part < 2; ++part) {
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), size);
    const auto begin = static_cast<std::size_t>(end - rest.data()) + 1;
    if (error != std::errc() || begin > rest.size() || size > rest.size() - begin) return {};
    name += fmt::format("{}-", rest.substr(begin, size));
    rest.remove_prefix(std::min(rest.size(), begin + size + 1));
  }
  return name + digest_of(text);
}

Cache::Cache(const std::filesystem::path& folder, std::uint64_t most_bytes)
    : folder_(folder), most_bytes_(most_bytes), problem_(folder_.problem()) {
  try {
    program_ = this_program();
  } catch (const UsageError& error) {
    fail(error.what());
  }
  probe();
}

void Cache::probe() {
  constexpr std::size_t bytes = 1 << 16;
  if (!problem_.empty()) return;
  try {
    OutputFile file(folder_.path("probe"), OutputFile::Kind::replacing);
    file.write(std::string(bytes, '.'));  // and goes away, because it is not closed
  } catch (const trace::TraceError& error) {
    fail(error.what());
  }
}

CacheKey Cache::key(std::string_view kind, std::string_view target, const models::Parameters& parameters,
                    const std::vector<InputFile>& files, std::string_view more) const {
  CacheKey key(kind, target);
  key.add(program_).add(more);
  for (const models::ParameterInfo& info : parameters.infos())
    key.add(fmt::format("{}={}", info.name, parameters.get(info.name)));
  for (const InputFile& file : files) key.add(file.path().filename().string()).add(file.digest());
  return key;
}

std::optional<std::string> Cache::find(const CacheKey& key) {
  const Descriptor opened = folder_.open(key.name());
  if (!opened.is_open()) return std::nullopt;
  const std::string file = rest_of(*trace::descriptor_source(::dup(opened.get()), key.name()));
  constexpr std::size_t head = entry_mark.size() + digest_digits;
  if (file.size() < head || !file.starts_with(entry_mark)) return std::nullopt;
  if (digest_of(std::string_view(file).substr(head)) != file.substr(entry_mark.size(), digest_digits))
    return std::nullopt;
  const auto source = trace::memory_source(file.substr(head));
  if (read_key(*source) != key.text()) return std::nullopt;
  folder_.touch(key.name());
  return rest_of(*source);
}

bool Cache::may_write(const CacheKey& key) {
  if (!problem_.empty()) return false;
  if (folder_.may_write(key.name())) return true;
  fail(fmt::format("{}: not a file of the cache", path(key).string()));
  return false;
}

void Cache::put(const CacheKey& key, std::string_view content) {
  if (!may_write(key)) return;
  try {
    std::string rest;
    trace::put_fixed(rest, static_cast<std::uint32_t>(key.text().size()));
    rest += key.text();
    rest += content;
    OutputFile file(path(key), OutputFile::Kind::replacing);
    file.write(entry_mark);
    file.write(digest_of(rest));
    file.write(rest);
    file.close();
  } catch (const trace::TraceError& error) {
    fail(error.what());
  }
}

std::unique_ptr<activity_file::Reader> Cache::find_activity(const CacheKey& key) {
  const Descriptor opened = folder_.open(key.name());
  const std::string name = path(key).string();
  const auto source = [&] { return trace::descriptor_source(::dup(opened.get()), name); };
  if (!opened.is_open() || !activity_file::is_whole(source(), name)) return nullptr;
  if (::lseek(opened.get(), 0, SEEK_SET) != 0) return nullptr;
  auto reader = std::make_unique<activity_file::Reader>(source(), name);
  if (reader->properties().get(key_property) != key.text()) return nullptr;
  folder_.touch(key.name());
  return reader;
}

std::unique_ptr<activity_file::Writer> Cache::put_activity(const CacheKey& key, const std::string& target) {
  if (!may_write(key)) return nullptr;
  constexpr int fast = 1;
  activity_file::Properties properties;
  properties.set("target", target);
  properties.set(key_property, key.text());
  return std::make_unique<activity_file::Writer>(path(key), properties, fast, OutputFile::Kind::replacing);
}

void Cache::trim() {
  folder_.trim(
      most_bytes_, [](const std::string& name) { return is_entry_name(name) || is_part_name(name); }, is_entry);
}

}  // namespace pmusim::testbench
