#include "testbench/validate/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "pmusim/trace/bytes.h"
#include "pmusim/trace/output_file.h"
#include "pmusim/trace/packed_file.h"
#include "pmusim/trace/reader.h"
#include "testbench/validate/journal.h"

namespace pmusim::testbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view mark = "pmusim cache 1\n";
constexpr std::string_view folder_name = "v1";

/// How many verdicts of other runs are kept along with those of this run.
constexpr std::size_t most_others = 3;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  std::string content;
  if (!in) return content;
  content.resize(static_cast<std::size_t>(std::max<std::streamoff>(0, in.tellg())));
  in.seekg(0);
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  return content;
}

}  // namespace

Digest& Digest::add(std::string_view text) {
  constexpr std::uint64_t prime_a = 0x100000001b3, prime_b = 0xc6a4a7935bd1e995;
  const auto take = [&](std::uint64_t word) {
    a_ = (a_ ^ word) * prime_a;
    a_ ^= a_ >> 29;
    b_ = (b_ + word) * prime_b;
    b_ ^= b_ >> 31;
  };
  take(text.size());
  for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t)))
    take(trace::get_fixed<std::uint64_t>(text.data()));
  for (const char c : text) take(static_cast<unsigned char>(c));
  return *this;
}

std::string Digest::text() const { return fmt::format("{:016x}{:016x}", a_, b_); }

Cache::Cache(fs::path folder, std::uint64_t most_bytes)
    : folder_(std::move(folder) / folder_name), most_bytes_(most_bytes), program_(this_program()) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) fail(fmt::format("{}: cannot be made: {}", folder_.string(), error.message()));
  probe();
}

void Cache::probe() {
  constexpr std::size_t bytes = 1 << 16;
  const std::string name = fmt::format("probe-{}", ::getpid());
  put(name, std::string(bytes, '.'));
  remove(name);
}

std::string Cache::name(std::string_view kind, std::string_view target, const models::Parameters& parameters,
                        const std::vector<fs::path>& files, std::string_view more) const {
  Digest digest;
  digest.add(program_).add(kind).add(target).add(more);
  for (const models::ParameterInfo& info : parameters.infos())
    digest.add(info.name).add(std::to_string(parameters.get(info.name)));
  for (const fs::path& file : files) digest.add(file.filename().string()).add(content_of(file));
  return fmt::format("{}-{}-{}", kind, target, digest.text());
}

fs::path Cache::path(const std::string& name) const { return folder_ / name; }

bool Cache::holds(const std::string& name) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(path(name), ignored);
  if (fs::is_regular_file(status)) return true;
  if (fs::exists(status)) remove(name);  // a device or a pipe is never read
  return false;
}

std::optional<std::string> Cache::find(const std::string& name) {
  if (!holds(name)) return std::nullopt;
  const std::string file = content_of(path(name));
  if (file.size() < mark.size() + sizeof(std::uint32_t) || !file.starts_with(mark)) return std::nullopt;
  const auto crc = trace::get_fixed<std::uint32_t>(file.data() + mark.size());
  std::string content = file.substr(mark.size() + sizeof crc);
  if (trace::crc32(0, content) != crc) {
    remove(name);
    return std::nullopt;
  }
  touch(name);
  return content;
}

void Cache::put(const std::string& name, std::string_view content) {
  if (!problem_.empty()) return;
  try {
    trace::OutputFile file(path(name));
    file.write(mark);
    std::string crc;
    trace::put_fixed(crc, trace::crc32(0, content));
    file.write(crc);
    file.write(content);
    file.close();
  } catch (const trace::TraceError& error) {
    fail(error.what());
  }
}

void Cache::touch(const std::string& name) {
  static_cast<void>(::utimensat(AT_FDCWD, path(name).c_str(), nullptr, 0));  // it may be gone, or not ours
}

void Cache::remove(const std::string& name) {
  std::error_code ignored;
  fs::remove(path(name), ignored);
}

void Cache::trim() {
  struct File {
    fs::file_time_type used;
    std::uintmax_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::uintmax_t bytes = 0;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    std::error_code gone;
    if (!entry.is_regular_file(gone)) continue;
    File file{entry.last_write_time(gone), entry.file_size(gone), entry.path()};
    if (gone) continue;  // another process removed it
    bytes += file.bytes;
    files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used < b.used; });
  for (const File& file : files) {
    if (bytes <= most_bytes_) break;
    fs::remove(file.path, error);
    bytes -= file.bytes;
  }
}

KeptVerdicts::KeptVerdicts(Cache* cache, std::string name, std::string prefix)
    : cache_(cache), name_(std::move(name)), prefix_(std::move(prefix)) {
  if (cache_ == nullptr) return;
  const auto content = cache_->find(name_);
  if (!content) return;
  std::istringstream lines(*content);
  for (std::string identity, verdict; std::getline(lines, identity) && std::getline(lines, verdict);)
    known_.emplace(std::move(identity), std::move(verdict));
}

std::optional<JobVerdict> KeptVerdicts::find(const std::string& identity) const {
  if (known_.empty()) return std::nullopt;
  const std::string digest = Digest().add(identity).text();
  const auto found = known_.find(digest);
  if (found == known_.end()) return std::nullopt;
  used_.insert(*found);
  JobVerdict verdict = verdict_from_json(Json::parse(found->second));
  for (Mismatch& mismatch : verdict.mismatches) mismatch.reproduce.insert(0, prefix_);
  return verdict;
}

void KeptVerdicts::put(const std::string& identity, const JobVerdict& verdict) {
  JobVerdict kept = verdict;
  for (Mismatch& mismatch : kept.mismatches) {
    if (!mismatch.reproduce.starts_with(prefix_)) return;  // made by another command
    mismatch.reproduce.erase(0, prefix_.size());
  }
  used_[Digest().add(identity).text()] = line_of(to_json(kept));
  changed_ = true;
}

void KeptVerdicts::save() {
  if (cache_ == nullptr || !changed_) return;
  std::string content;
  const auto add = [&](const auto& entry) { content += entry.first + '\n' + entry.second + '\n'; };
  for (const auto& entry : used_) add(entry);
  std::size_t others = most_others * used_.size();
  for (const auto& entry : known_) {
    if (used_.contains(entry.first) || others == 0) continue;
    --others;
    add(entry);
  }
  cache_->put(name_, content);
}

}  // namespace pmusim::testbench
