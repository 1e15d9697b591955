#include "line_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "pmusim/trace/reader.h"

namespace pmusim::trace {
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
