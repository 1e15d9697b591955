#include "testbench/sweep/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "testbench/store/this_program.h"
#include "testbench/support/error.h"
#include "testbench/support/words.h"

namespace pmusim::testbench {
namespace {

constexpr int version_of_journals = 3;
constexpr std::string_view first_words = "{\"sweep\":";

Json to_json(const Sweep& sweep) {
  return Json{{"sweep", version_of_journals}, {"program", sweep.program}, {"targets", sweep.targets},
              {"only", sweep.only},           {"jobs", sweep.jobs},       {"traces", sweep.traces}};
}

/// The end of a line: the key `check`, a hash of everything before it.
std::string end_after(std::string_view body) { return fmt::format(",\"check\":\"{}\"}}", digest_of(body)); }

/// An object as a line of a journal.
std::string checked_line_of(const Json& object) {
  std::string line = line_of(object);
  line.pop_back();  // the brace
  return line + end_after(line) + '\n';
}

/// True if the end of a line, without its '\n', is right.
bool is_checked(std::string_view line) {
  static const std::size_t size = end_after({}).size();
  return line.size() > size && line.substr(line.size() - size) == end_after(line.substr(0, line.size() - size));
}

/// The complete lines of a journal. A last line that an interruption cut off is ignored.
struct Content {
  std::optional<Sweep> sweep;
  Finished finished;
  std::size_t good_bytes = 0;
};

[[noreturn]] void damaged(const std::string& file, std::size_t number) {
  throw UsageError("{}:{}: the line is damaged{}", file, number,
                   number == 1 ? "; begin another journal" : "; remove it, and its job is judged again");
}

void parse_line(const Json& object, Content& content) {
  if (content.sweep) {
    JobVerdict verdict = verdict_from_json(object);
    content.finished[verdict.job] = std::move(verdict);
    return;
  }
  content.sweep =
      Sweep{object.at("program"), object.at("targets"), object.at("only"), object.at("jobs"), object.at("traces")};
}

/// The first line of a journal says its version, whatever else it holds.
void check_version(const std::string& file, std::string_view line) {
  int version = 0;
  const char* const digits = line.data() + std::min(first_words.size(), line.size());
  const char* const end = line.data() + line.size();
  if (!line.starts_with(first_words) || std::from_chars(digits, end, version).ec != std::errc())
    throw UsageError("{}: no journal of a sweep; name another file", file);
  if (version != version_of_journals)
    throw UsageError("{}: a journal of version {}; expected version {}: begin another journal", file, version,
                     version_of_journals);
}

/// Throws UsageError that names file and line.
Content parse(const std::string& file, const std::string& text) {
  Content content;
  std::size_t number = 0;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    ++number;
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (number == 1) check_version(file, line);
    if (!is_checked(line)) damaged(file, number);
    try {
      parse_line(Json::parse(line), content);
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
    : file_(std::move(file)), descriptor_(open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (!descriptor_.is_open()) throw UsageError("cannot write {}: {}", file_.string(), std::strerror(errno));
  if (flock(descriptor_.get(), LOCK_EX | LOCK_NB) != 0)
    throw UsageError("{}: another run is writing it; name another file", file_.string());
  struct stat status {};
  if (fstat(descriptor_.get(), &status) != 0 || !S_ISREG(status.st_mode))
    throw UsageError("{}: not a regular file; a journal must be readable and writable", file_.string());
  const std::string text = content_of(file_);
  const std::string first_line = checked_line_of(to_json(sweep));
  Content content = parse(file_.string(), text);
  if (!content.sweep && (!first_line.starts_with(text) || (!text.empty() && text.size() < first_words.size())))
    throw UsageError("{}: no journal of a sweep; name another file", file_.string());
  if (content.sweep && *content.sweep != sweep) {
    throw UsageError("{}: journal of another sweep, {}; remove it or name another file", file_.string(),
                     difference(*content.sweep, sweep));
  }
  if (ftruncate(descriptor_.get(), static_cast<off_t>(content.good_bytes)) != 0)
    throw UsageError("cannot write {}: {}", file_.string(), std::strerror(errno));
  finished_ = std::move(content.finished);
  if (!content.sweep) append(first_line);
}

void Journal::add(const JobVerdict& verdict) {
  append(checked_line_of(to_json(verdict)));
  finished_[verdict.job] = verdict;
}

void Journal::append(const std::string& line) {
  for (std::size_t written = 0; written < line.size();) {
    const ssize_t n = write(descriptor_.get(), line.data() + written, line.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw UsageError("cannot write {}: {}", file_.string(), std::strerror(errno));
    written += static_cast<std::size_t>(n);
  }
  static_cast<void>(fdatasync(descriptor_.get()));  // a pipe or a device has nothing to wait for
}

std::pair<Sweep, Finished> read_journals(const std::vector<std::string>& files) {
  std::optional<Sweep> sweep;
  Finished all;
  for (const std::string& file : files) {
    Content content = parse(file, content_of(file));
    if (!content.sweep) throw UsageError("{}: no journal of a sweep; --journal writes one", file);
    if (sweep && *sweep != *content.sweep) {
      throw UsageError("{}: journal of another sweep than {}, {}", file, files.front(),
                       difference(*content.sweep, *sweep));
    }
    sweep = content.sweep;
    for (auto& [job, verdict] : content.finished) {
      const auto [place, added] = all.emplace(job, verdict);
      if (!added && to_json(place->second) != to_json(verdict))
        throw UsageError("{}: its verdict on {} differs from that of another journal", file, job);
    }
  }
  if (!sweep) throw UsageError("--merge needs the journals of a sweep");
  std::vector<std::string> missing = sweep->jobs;
  std::erase_if(missing, [&](const std::string& job) { return all.count(job) != 0; });
  if (!missing.empty()) {
    throw UsageError(
        "{} of {} jobs are in none of the journals, the first is {}; run the missing parts again before merging",
        missing.size(), sweep->jobs.size(), missing.front());
  }
  return {std::move(*sweep), std::move(all)};
}

}  // namespace pmusim::testbench
