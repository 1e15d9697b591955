#include "pmusim/trace/byte_source.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "line_source.h"
#include "pmusim/trace/collection.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace {

std::size_t ByteSource::read(char* to, std::size_t size) {
  std::size_t done = std::min(size, pushed_back_.size());
  std::copy_n(pushed_back_.begin(), done, to);
  pushed_back_.erase(0, done);
  while (done < size) {
    const std::size_t more = read_some(to + done, size - done);
    if (more == 0) break;
    done += more;
  }
  return done;
}

namespace {

class FileSource final : public ByteSource {
 public:
  FileSource(std::string name, std::FILE* file) : name_(std::move(name)), file_(file) {
    if (!file_) throw TraceError(fmt::format("{}: cannot be opened: {}", name_, std::strerror(errno)));
  }

 private:
  std::size_t read_some(char* to, std::size_t size) override {
    const std::size_t got = std::fread(to, 1, size, file_.get());
    if (got == 0 && std::ferror(file_.get())) {
      throw TraceError(fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
    }
    return got;
  }

  std::string name_;
  std::unique_ptr<std::FILE, decltype([](std::FILE* file) { std::fclose(file); })> file_;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::shared_ptr<const std::string> content) : content_(std::move(content)) {}

 private:
  std::size_t read_some(char* to, std::size_t size) override {
    const std::size_t got = std::min(size, content_->size() - position_);
    std::copy_n(content_->data() + position_, got, to);
    position_ += got;
    return got;
  }

  std::shared_ptr<const std::string> content_;
  std::size_t position_ = 0;
};

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> packed, std::string name)
      : packed_(std::move(packed)),
        name_(std::move(name)),
        stream_(ZSTD_createDStream()),
        buffer_(ZSTD_DStreamInSize()) {
    if (!stream_) throw TraceError(fmt::format("{}: no memory for unpacking", name_));
  }

 private:
  std::size_t read_some(char* to, std::size_t size) override {
    ZSTD_outBuffer out{to, size, 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size) {
        offset_ += in_.size;
        in_ = {buffer_.data(), packed_->read(buffer_.data(), buffer_.size()), 0};
        if (in_.size == 0) {
          if (!inside_frame_) return 0;
          throw TraceError(
              fmt::format("{}: byte {}: the zstd frame ends in the middle; the file was cut", name_, offset_));
        }
      }
      const std::size_t result = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(result)) {
        throw TraceError(fmt::format("{}: byte {}: the zstd frame is damaged: {}", name_, offset_ + in_.pos,
                                     ZSTD_getErrorName(result)));
      }
      inside_frame_ = result != 0;
    }
    return out.pos;
  }

  std::unique_ptr<ByteSource> packed_;
  std::string name_;
  std::unique_ptr<ZSTD_DStream, decltype([](ZSTD_DStream* stream) { ZSTD_freeDStream(stream); })> stream_;
  std::vector<char> buffer_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::uint64_t offset_ = 0;  ///< offset of the buffer in the compressed file
  bool inside_frame_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> file_source(const std::filesystem::path& file) {
  std::FILE* const opened = std::fopen(file.c_str(), "rb");
  if (opened == nullptr && errno == ENOTDIR) {
    if (auto content = member_content(file)) return memory_source(*std::move(content));
    errno = ENOTDIR;
  }
  return std::make_unique<FileSource>(file.string(), opened);
}
std::unique_ptr<ByteSource> descriptor_source(int descriptor, std::string name) {
  return std::make_unique<FileSource>(std::move(name), ::fdopen(descriptor, "rb"));
}
std::unique_ptr<ByteSource> memory_source(std::string content) {
  return memory_source(std::make_shared<const std::string>(std::move(content)));
}
std::unique_ptr<ByteSource> memory_source(std::shared_ptr<const std::string> content) {
  return std::make_unique<MemorySource>(std::move(content));
}
std::unique_ptr<ByteSource> zstd_source(std::unique_ptr<ByteSource> packed, std::string name) {
  return std::make_unique<ZstdSource>(std::move(packed), std::move(name));
}

namespace {
constexpr std::size_t longest_line = 65536;
constexpr std::size_t first_buffer = 16384;
}  // namespace

LineSource::LineSource(std::unique_ptr<ByteSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), buffer_(first_buffer, '\0') {}

bool LineSource::next(std::string_view& line) {
  std::size_t length = 0;
  for (std::size_t searched = 0;;) {
    const void* end = std::memchr(buffer_.data() + from_ + searched, '\n', to_ - from_ - searched);
    if (end != nullptr) {
      length = static_cast<std::size_t>(static_cast<const char*>(end) - buffer_.data()) - from_;
      ended_ = true;
      break;
    }
    length = searched = to_ - from_;
    ended_ = false;
    if (length > longest_line || !refill()) break;
  }
  if (length == 0 && from_ == to_) return false;
  ++number_;
  if (length > longest_line) {
    throw TraceError(fmt::format("{}:{}: the line is too long; at most {} bytes", name_, number_, longest_line));
  }
  line = std::string_view(buffer_).substr(from_, length);
  from_ = std::min(from_ + length + 1, to_);  // the last line may lack a line end
  return true;
}

/// Moves the unread bytes to the front and reads more after them; false at the end. A full buffer grows, up to the size
/// of a few lines.
bool LineSource::refill() {
  std::memmove(buffer_.data(), buffer_.data() + from_, to_ - from_);
  to_ -= from_;
  from_ = 0;
  if (2 * to_ > buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t got = source_->read(buffer_.data() + to_, buffer_.size() - to_);
  to_ += got;
  return got > 0;
}

}  // namespace pmusim::trace
