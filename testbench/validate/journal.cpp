#include "testbench/validate/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "testbench/support/error.h"
#include "testbench/support/version.h"

namespace pmusim::testbench {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  std::string bytes;
  if (in) bytes.resize(static_cast<std::size_t>(in.tellg()));
  if (!in || !in.seekg(0) || !in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    throw UsageError(fmt::format("cannot read {}", file.string()));
  return bytes;
}

/// 64-bit FNV-1a over words of eight bytes and the rest, continuing from the hash of the preceding data.
std::uint64_t hash_of(const std::string& bytes, std::uint64_t hash = 0xcbf29ce484222325) {
  constexpr std::uint64_t prime = 0x100000001b3;
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= bytes.size(); at += sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
    hash = (hash ^ word) * prime;
  }
  for (; at < bytes.size(); ++at) hash = (hash ^ static_cast<unsigned char>(bytes[at])) * prime;
  return hash;
}

/// Version of the journals that are written. Version 1 has no checksums; it is still read.
constexpr int version_of_journals = 2;
constexpr std::string_view first_words = "{\"sweep\":";

Json to_json(const Sweep& sweep) {
  return Json{{"sweep", version_of_journals}, {"program", sweep.program}, {"targets", sweep.targets},
              {"only", sweep.only},           {"jobs", sweep.jobs},       {"traces", sweep.traces}};
}

/// An object as a line whose last key, `check`, is a hash of everything before it.
std::string checked_line(const Json& object) {
  std::string line = line_of(object);
  line.pop_back();  // the brace
  return fmt::format("{},\"check\":\"{:016x}\"}}\n", line, hash_of(line));
}

/// Whether a line, without its end, has the hash that it states.
enum class Checked { none, right, wrong };
Checked check_of(std::string_view line) {
  constexpr std::string_view key = ",\"check\":\"", end = "\"}";
  constexpr std::size_t digits = 16, size = key.size() + digits + end.size();
  if (line.size() <= size || line.substr(line.size() - size, key.size()) != key) return Checked::none;
  const std::string body(line.substr(0, line.size() - size));
  return line.substr(body.size() + key.size()) == fmt::format("{:016x}{}", hash_of(body), end) ? Checked::right
                                                                                               : Checked::wrong;
}

/// The complete lines of a journal. A last line that an interruption cut off is ignored.
struct Content {
  int version = version_of_journals;
  std::optional<Sweep> sweep;
  Finished finished;
  std::size_t good_bytes = 0;
};

[[noreturn]] void damaged(const std::string& file, std::size_t number) {
  throw UsageError(fmt::format("{}:{}: the line is damaged{}", file, number,
                               number == 1 ? "; begin another journal" : "; remove it, and its job is judged again"));
}

void parse_line(const Json& object, bool checked, Content& content) {
  if (!content.sweep && !object.at("sweep").is_number_unsigned()) throw std::invalid_argument("no version");
  const int version = content.sweep ? content.version : object.at("sweep").get<int>();
  if (version < 1 || version > version_of_journals || checked != (version >= 2))
    throw std::invalid_argument("not a line of this version");
  if (!content.sweep) {
    content.version = version;
    content.sweep =
        Sweep{object.at("program"), object.at("targets"), object.at("only"), object.at("jobs"), object.at("traces")};
    return;
  }
  JobVerdict verdict = verdict_from_json(object);
  content.finished[verdict.job] = std::move(verdict);
}

/// Throws UsageError that names file and line.
Content parse(const std::string& file, const std::string& text) {
  Content content;
  std::size_t number = 0;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    ++number;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    const Checked check = check_of(line);
    if (number == 1 && check == Checked::none && !line.starts_with(first_words))
      throw UsageError(fmt::format("{}: no journal of a sweep; name another file", file));
    if (check == Checked::wrong) damaged(file, number);
    try {
      parse_line(Json::parse(line), check == Checked::right, content);
    } catch (const std::exception&) {
      damaged(file, number);
    }
    content.good_bytes = end + 1;
  }
  return content;
}

/// How two sweeps differ, in a few words.
std::string difference(const Sweep& a, const Sweep& b) {
  if (a.program != b.program) return fmt::format("by {}, not {}", a.program, b.program);
  if (a.targets != b.targets) return fmt::format("of {}, not {}", fmt::join(a.targets, " "), fmt::join(b.targets, " "));
  if (a.only != b.only) return fmt::format("of rows '{}', not '{}'", a.only, b.only);
  return a.jobs != b.jobs ? "with other traces or options" : "whose traces had other contents";
}

/// The file that contains this code: the program, or a module of an interpreter.
std::string file_of_code() {
  const auto own = reinterpret_cast<std::uintptr_t>(&file_of_code);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    const std::size_t path = line.find('/');
    if (std::sscanf(line.c_str(), "%zx-%zx", &begin, &end) == 2 && own >= begin && own < end && path != line.npos)
      return line.substr(path);
  }
  return "/proc/self/exe";
}

}  // namespace

std::string this_program() {
  std::error_code error;
  std::filesystem::path file = file_of_code();
  if (std::filesystem::equivalent(file, "/proc/self/exe", error) || error) file = "/proc/self/exe";
  static const std::string name = fmt::format("pmusim {} ({:016x})", version, hash_of(content_of(file)));
  return name;
}

std::string hash_of_files(const std::vector<std::filesystem::path>& files) {
  std::uint64_t hash = hash_of({});
  for (const std::filesystem::path& file : files) hash = hash_of(content_of(file), hash);
  return fmt::format("{:016x}", hash);
}

Journal::Journal(std::filesystem::path file, const Sweep& sweep) : file_(std::move(file)) {
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw UsageError(fmt::format("cannot write {}: {}", file_.string(), std::strerror(errno)));
  try {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
      throw UsageError(fmt::format("{}: another run is writing it; name another file", file_.string()));
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
      throw UsageError(fmt::format("{}: not a regular file; a journal must be readable and writable", file_.string()));
    const std::string text = content_of(file_);
    const std::string first_line = checked_line(to_json(sweep));
    Content content = parse(file_.string(), text);
    if (!content.sweep && (!first_line.starts_with(text) || (!text.empty() && text.size() < first_words.size())))
      throw UsageError(fmt::format("{}: no journal of a sweep; name another file", file_.string()));
    if (content.sweep && *content.sweep != sweep) {
      throw UsageError(fmt::format("{}: journal of another sweep, {}; remove it or name another file", file_.string(),
                                   difference(*content.sweep, sweep)));
    }
    if (ftruncate(descriptor_, static_cast<off_t>(content.good_bytes)) != 0)
      throw UsageError(fmt::format("cannot write {}: {}", file_.string(), std::strerror(errno)));
    finished_ = std::move(content.finished);
    checked_ = content.version >= 2;
    if (!content.sweep) append(first_line);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

Journal::~Journal() { close(descriptor_); }

void Journal::add(const JobVerdict& verdict) {
  append(checked_ ? checked_line(to_json(verdict)) : line_of(to_json(verdict)) + '\n');
  finished_[verdict.job] = verdict;
}

void Journal::append(const std::string& line) {
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t n = write(descriptor_, line.data() + written, line.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw UsageError(fmt::format("cannot write {}: {}", file_.string(), std::strerror(errno)));
    written += static_cast<std::size_t>(n);
  }
  static_cast<void>(fdatasync(descriptor_));  // a pipe or a device has nothing to wait for
}

std::pair<Sweep, Finished> read_journals(const std::vector<std::string>& files) {
  std::optional<Sweep> sweep;
  Finished all;
  for (const std::string& file : files) {
    Content content = parse(file, content_of(file));
    if (!content.sweep) throw UsageError(fmt::format("{}: no journal of a sweep; --journal writes one", file));
    if (sweep && *sweep != *content.sweep) {
      throw UsageError(fmt::format("{}: journal of another sweep than {}, {}", file, files.front(),
                                   difference(*content.sweep, *sweep)));
    }
    sweep = content.sweep;
    for (auto& [job, verdict] : content.finished) {
      const auto [place, added] = all.emplace(job, verdict);
      if (!added && to_json(place->second) != to_json(verdict))
        throw UsageError(fmt::format("{}: its verdict on {} differs from that of another journal", file, job));
    }
  }
  if (!sweep) throw UsageError("--merge needs the journals of a sweep");
  std::vector<std::string> missing = sweep->jobs;
  std::erase_if(missing, [&](const std::string& job) { return all.count(job) != 0; });
  if (!missing.empty()) {
    throw UsageError(fmt::format(
        "{} of {} jobs are in none of the journals, the first is {}; run the missing parts again before merging",
        missing.size(), sweep->jobs.size(), missing.front()));
  }
  return {std::move(*sweep), std::move(all)};
}

}  // namespace pmusim::testbench
