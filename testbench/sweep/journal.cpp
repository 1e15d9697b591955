#include "testbench/sweep/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "testbench/store/digest.h"
#include "testbench/support/error.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

/// Version of the journals that are written. Version 1, without checksums, and version 2, whose checksum recognises
/// accidental damage only, are still read.
constexpr int version_of_journals = 3;
constexpr std::string_view first_words = "{\"sweep\":";

/// The checksum of version 2: 64-bit FNV-1a over words of eight bytes and the rest.
std::string old_checksum(std::string_view bytes) {
  constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t hash = 0xcbf29ce484222325;
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= bytes.size(); at += sizeof word) {
    std::memcpy(&word, bytes.data() + at, sizeof word);
    hash = (hash ^ word) * prime;
  }
  for (; at < bytes.size(); ++at) hash = (hash ^ static_cast<unsigned char>(bytes[at])) * prime;
  return fmt::format("{:016x}", hash);
}

std::string checksum(int version, std::string_view bytes) {
  return version == 2 ? old_checksum(bytes) : digest_of(bytes);
}

Json to_json(const Sweep& sweep) {
  return Json{{"sweep", version_of_journals}, {"program", sweep.program}, {"targets", sweep.targets},
              {"only", sweep.only},           {"jobs", sweep.jobs},       {"traces", sweep.traces}};
}

/// An object as a line of a journal. Since version 2 its last key, `check`, is a hash of everything before it.
std::string line_of_version(int version, const Json& object) {
  std::string line = line_of(object);
  if (version == 1) return line + '\n';
  line.pop_back();  // the brace
  return fmt::format("{},\"check\":\"{}\"}}\n", line, checksum(version, line));
}

/// The version that the checksum of a line, without its end, belongs to, and whether the checksum is right.
struct Checked {
  int version = 1;
  bool right = true;
};
Checked check_of(std::string_view line) {
  constexpr std::string_view key = ",\"check\":\"", end = "\"}";
  for (int version = 2; version <= version_of_journals; ++version) {
    const std::size_t size = key.size() + checksum(version, {}).size() + end.size();
    if (line.size() <= size || line.substr(line.size() - size, key.size()) != key) continue;
    const std::string_view body = line.substr(0, line.size() - size);
    return {version, line.substr(body.size() + key.size()) == fmt::format("{}{}", checksum(version, body), end)};
  }
  return {};
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

void parse_line(const Json& object, int checked_as, Content& content) {
  if (!content.sweep && !object.at("sweep").is_number_unsigned()) throw std::invalid_argument("no version");
  const int version = content.sweep ? content.version : object.at("sweep").get<int>();
  if (version < 1 || version > version_of_journals || version != checked_as)
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
    if (number == 1 && check.version == 1 && !line.starts_with(first_words))
      throw UsageError(fmt::format("{}: no journal of a sweep; name another file", file));
    if (!check.right) damaged(file, number);
    try {
      parse_line(Json::parse(line), check.version, content);
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

}  // namespace

Journal::Journal(std::filesystem::path file, const Sweep& sweep)
    : file_(std::move(file)), version_(version_of_journals) {
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw UsageError(fmt::format("cannot write {}: {}", file_.string(), std::strerror(errno)));
  try {
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0)
      throw UsageError(fmt::format("{}: another run is writing it; name another file", file_.string()));
    struct stat status {};
    if (fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode))
      throw UsageError(fmt::format("{}: not a regular file; a journal must be readable and writable", file_.string()));
    const std::string text = content_of(file_);
    const std::string first_line = line_of_version(version_of_journals, to_json(sweep));
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
    version_ = content.version;
    if (!content.sweep) append(first_line);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

Journal::~Journal() { close(descriptor_); }

void Journal::add(const JobVerdict& verdict) {
  append(line_of_version(version_, to_json(verdict)));
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
