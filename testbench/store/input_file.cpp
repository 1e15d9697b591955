#include "testbench/store/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "pmusim/trace/collection.h"
#include "pmusim/trace/packed_file.h"
#include "testbench/store/this_program.h"

namespace pmusim::testbench {
namespace {

using trace::TraceError;

std::shared_ptr<const std::string> read_whole(const std::filesystem::path& file) {
  const std::string name = file.string();
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe must not block
  if (descriptor < 0 && errno == ENOTDIR) {
    if (auto member = trace::member_content(file)) return std::make_shared<const std::string>(*std::move(member));
    errno = ENOTDIR;
  }
  if (descriptor < 0) throw TraceError(fmt::format("{}: cannot be opened: {}", name, std::strerror(errno)));
  const auto source = trace::descriptor_source(descriptor, name);
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    throw TraceError(fmt::format("{}: not a regular file; write its content to a file first", name));
  auto content = std::make_shared<std::string>(static_cast<std::size_t>(status.st_size), '\0');
  content->resize(source->read(content->data(), content->size()));
  return content;
}

}  // namespace

struct InputFile::State {
  std::filesystem::path path;
  std::shared_ptr<const std::string> content;
  std::string digest;
};

InputFile::InputFile(std::filesystem::path file) : state_(std::make_shared<State>()) { state_->path = std::move(file); }

const std::filesystem::path& InputFile::path() const {
  static const std::filesystem::path none;
  return state_ == nullptr ? none : state_->path;
}

std::unique_ptr<trace::ByteSource> InputFile::source() const {
  State& state = *state_;
  if (state.content == nullptr) {
    auto content = read_whole(state.path);
    std::string digest = digest_of(*content);
    if (!state.digest.empty() && digest != state.digest)
      throw TraceError(
          fmt::format("{}: the file was changed while it was used; run the command again", path().string()));
    state.content = std::move(content);
    state.digest = std::move(digest);
  }
  return trace::memory_source(state.content);
}

const std::string& InputFile::digest() const {
  if (state_->digest.empty()) (void)source();
  return state_->digest;
}

std::uint32_t InputFile::crc32() const {
  (void)source();
  return trace::crc32(0, *state_->content);
}

std::unique_ptr<trace::Reader> InputFile::trace(const trace::ReadOptions& options) const {
  return trace::open(source(), path().string(), options);
}

std::unique_ptr<activity_file::Reader> InputFile::activity() const {
  return std::make_unique<activity_file::Reader>(source(), path().string());
}

void InputFile::forget() const {
  if (state_ != nullptr) state_->content = nullptr;
}

std::string hash_of(const std::vector<InputFile>& files) {
  std::string digests;
  for (const InputFile& file : files) digests += file.digest() + '\n';
  return digest_of(digests);
}

}  // namespace pmusim::testbench
