#include "pmusim/trace/packed_file.h"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>

#include "in_quotes.h"
#include "pmusim/trace/bytes.h"
#include "pmusim/trace/reader.h"

namespace pmusim::trace {

std::uint32_t crc32(std::uint32_t crc, std::string_view bytes) {
  return static_cast<std::uint32_t>(
      ::crc32(crc, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size())));
}

std::string IndexSum::add(std::uint64_t offset, std::uint64_t number) {
  std::string entry;
  put_fixed(entry, offset);
  put_fixed(entry, number);
  crc = crc32(crc, entry);
  ++parts;
  return entry;
}

std::string index_bytes(std::string_view entries, const IndexSum& sum, std::uint64_t last, std::uint64_t offset,
                        std::string_view end_mark) {
  std::string number;
  put_fixed(number, last);
  std::string out(index_tag);
  put_fixed(out, sum.parts);
  out += entries;
  out += number;
  put_fixed(out, crc32(sum.crc, number));
  put_fixed(out, offset);
  out += end_mark;
  return out;
}

Packer::Packer(int level, std::string name) : level_(level), name_(std::move(name)), context_(ZSTD_createCCtx()) {
  if (context_ == nullptr) throw TraceError(fmt::format("{}: no memory for packing", name_));
}

Packer::~Packer() { ZSTD_freeCCtx(context_); }

std::string_view Packer::pack(std::string_view payload) {
  const std::size_t most = ZSTD_compressBound(payload.size());
  if (packed_.size() < most) packed_.resize(most);
  const std::size_t size =
      ZSTD_compressCCtx(context_, packed_.data(), packed_.size(), payload.data(), payload.size(), level_);
  if (ZSTD_isError(size)) throw TraceError(fmt::format("{}: cannot be packed: {}", name_, ZSTD_getErrorName(size)));
  return std::string_view(packed_).substr(0, size);
}

PackedFile::PackedFile(std::unique_ptr<ByteSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), context_(ZSTD_createDCtx()) {
  if (context_ == nullptr) throw TraceError(fmt::format("{}: no memory for unpacking", name_));
}

PackedFile::~PackedFile() { ZSTD_freeDCtx(context_); }

void PackedFile::fail(std::uint64_t offset, const std::string& what) const {
  // Names in a file may contain any bytes.
  throw TraceError(fmt::format("{}: byte {}: {}", name_, offset, printable(what)));
}

void PackedFile::read_more(std::string& to, std::size_t size) {
  constexpr std::size_t block = 1 << 20;  // a damaged length must not allocate more memory than the file has bytes
  while (size > 0) {
    const std::size_t old = to.size(), part = std::min(size, block);
    to.resize(old + part);
    const std::size_t got = source_->read(to.data() + old, part);
    offset_ += got;
    size -= got;
    if (got < part) {
      fail(offset_, fmt::format("the file ends inside {}, {} bytes are missing; it was cut: copy or make it again, or "
                                "salvage what is before",
                                part_, size));
    }
  }
}

bool PackedFile::ended() {
  char more = 0;
  const bool none = source_->read(&more, 1) == 0;
  if (!none) source_->unread({&more, 1});
  return none;
}

void PackedFile::unpack(std::string_view packed, std::string& payload, std::size_t size, std::uint64_t where,
                        const std::string& what) {
  payload.resize(size);
  const std::size_t got = ZSTD_decompressDCtx(context_, payload.data(), size, packed.data(), packed.size());
  if (ZSTD_isError(got))
    fail(where, fmt::format("{}: cannot be unpacked: {}; {}", what, ZSTD_getErrorName(got), copy_again));
  if (got != size)
    fail(where, fmt::format("{}: unpacks to {} bytes where its header says {}; {}", what, got, size, copy_again));
}

std::uint64_t PackedFile::read_index(const IndexSum& sum, std::uint64_t offset, std::string_view end_mark,
                                     std::string_view parts) {
  enter("the index");
  std::string bytes;
  read_more(bytes, sizeof(std::uint64_t));
  const auto said = get_fixed<std::uint64_t>(bytes.data());
  std::uint32_t crc = 0, due = sum.crc;
  if (said == sum.parts) {
    for (std::uint64_t i = 0; i < said; ++i) {
      bytes.clear();
      read_more(bytes, 2 * sizeof(std::uint64_t));
      crc = crc32(crc, bytes);
    }
    bytes.clear();
    read_more(bytes, sizeof(std::uint64_t));
    crc = crc32(crc, bytes);
    due = crc32(due, bytes);
  }
  const auto last = get_fixed<std::uint64_t>(bytes.data());
  std::string tail;
  read_more(tail, sizeof(std::uint32_t) + sizeof(std::uint64_t) + end_mark.size());
  const bool right = said == sum.parts && crc == due && get_fixed<std::uint32_t>(tail.data()) == crc &&
                     get_fixed<std::uint64_t>(tail.data() + 4) == offset && tail.ends_with(end_mark);
  if (!right) {
    fail(offset, fmt::format("the index does not agree with the {1} {0} before it; the file is damaged, its {0} are "
                             "whole",
                             parts, sum.parts));
  }
  return last;
}

}  // namespace pmusim::trace
