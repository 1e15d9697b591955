#include "pmt_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "bytes.h"
#include "rules.h"

namespace pmusim::trace {
using namespace pmt;
namespace {
constexpr const char* copy_again = "the file is damaged: copy or make it again, or salvage what is before this chunk";
}

PmtReader::PmtReader(std::unique_ptr<ByteSource> source, std::string name, ReadOptions options)
    : ReaderBase(std::move(name), std::move(options)), source_(std::move(source)), context_(ZSTD_createDCtx()) {
  if (!context_) throw TraceError(fmt::format("{}: no memory for unpacking", name_));
  read_header();
  decoder_ = std::make_unique<ChunkDecoder>(info_.isa, codes_);
}

void PmtReader::fail(std::uint64_t offset, const std::string& what) const {
  throw TraceError(fmt::format("{}: byte {}: {}", name_, offset, what));
}

void PmtReader::read_more(std::string& to, std::size_t size) {
  constexpr std::size_t block = 1 << 20;  // a damaged length must not cost memory that the file does not have
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

void PmtReader::read_header() {
  part_ = "the header";
  std::string header;
  read_more(header, header_size);
  if (!header.starts_with(magic)) fail(0, "not a .pmt file: it begins with other bytes");
  info_.version = get_fixed<std::uint32_t>(&header[version_at]);
  if (info_.version != version) {
    fail(version_at,
         fmt::format("format version {} is not known; this program reads version {}", info_.version, version));
  }
  read_more(header, get_fixed<std::uint16_t>(&header[name_length_at]) + sizeof(std::uint32_t));
  const std::size_t checked = header.size() - sizeof(std::uint32_t);
  const auto stored = get_fixed<std::uint32_t>(&header[checked]);
  const std::uint32_t computed = crc32(0, std::string_view(header).substr(0, checked));
  if (stored != computed) {
    fail(checked,
         fmt::format("header: checksum {:08x} where its bytes give {:08x}; the file is damaged: copy or make it "
                     "again",
                     stored, computed));
  }
  const auto isa = static_cast<std::uint8_t>(header[isa_at]);
  if (isa > static_cast<std::uint8_t>(Isa::ia64)) {
    fail(isa_at, fmt::format("instruction set {} is not known; 0 alpha, 1 ppc, 2 i386, 3 ia64", isa));
  }
  const auto flags = static_cast<std::uint8_t>(header[flags_at]);
  if (flags > flag_isa_line) fail(flags_at, fmt::format("flags {:02x} are not known to version {}", flags, version));
  chunk_instructions_ = get_fixed<std::uint32_t>(&header[chunk_instructions_at]);
  if (chunk_instructions_ == 0 || chunk_instructions_ > most_chunk_instructions) {
    fail(chunk_instructions_at,
         fmt::format("chunks of {} instructions; must be 1 to {}", chunk_instructions_, most_chunk_instructions));
  }
  info_.isa = static_cast<Isa>(isa);
  info_.isa_line = (flags & flag_isa_line) != 0;
  info_.instructions = get_fixed<std::uint64_t>(&header[instructions_at]);
  info_.program = header.substr(header_size, checked - header_size);
}

bool PmtReader::step(Item& item) {
  for (;;) {
    try {
      if (info_.chunks > 0 && decoder_->next(item)) return true;
    } catch (const Malformed& error) {
      fail(chunk_offset_, fmt::format("chunk {}: payload byte {}: {}", info_.chunks - 1, error.position, error.what()));
    }
    if (!read_chunk()) return false;
  }
}

bool PmtReader::read_chunk() {
  chunk_offset_ = offset_;
  part_ = fmt::format("chunk {} or the index", info_.chunks);
  std::string head;
  read_more(head, chunk_tag.size());
  if (head == index_tag) {
    read_index();
    return false;
  }
  if (head != chunk_tag) {
    fail(chunk_offset_, fmt::format("neither chunk {} nor the index begins here; {}", info_.chunks, copy_again));
  }
  part_ = fmt::format("chunk {}", info_.chunks);
  head.clear();
  read_more(head, chunk_header_size);
  const ChunkHeader header = decode_chunk_header(head.data());
  if (header.raw_size > most_payload || header.packed_size > ZSTD_compressBound(most_payload) ||
      header.instructions > chunk_instructions_) {
    fail(chunk_offset_,
         fmt::format("chunk {}: its header claims {} instructions in {} bytes packed to {}; {}", info_.chunks,
                     header.instructions, header.raw_size, header.packed_size, copy_again));
  }
  packed_.clear();
  read_more(packed_, header.packed_size);
  unpack(header);
  const std::uint32_t crc = crc32(crc32(0, std::string_view(head).substr(0, chunk_checked_size)), payload_);
  if (crc != header.crc) {
    fail(chunk_offset_, fmt::format("chunk {}: checksum {:08x} where its bytes give {:08x}; {}", info_.chunks,
                                    header.crc, crc, copy_again));
  }
  std::string entry;
  put_fixed(entry, chunk_offset_);
  put_fixed(entry, instructions_);
  index_crc_ = crc32(index_crc_, entry);
  instructions_ += header.instructions;
  ++info_.chunks;
  decoder_->begin(payload_, header.instructions, header.first_pc);
  return true;
}

void PmtReader::unpack(const ChunkHeader& header) {
  payload_.resize(header.raw_size);
  const std::size_t got =
      ZSTD_decompressDCtx(context_.get(), payload_.data(), payload_.size(), packed_.data(), packed_.size());
  if (ZSTD_isError(got)) {
    fail(chunk_offset_,
         fmt::format("chunk {}: cannot be unpacked: {}; {}", info_.chunks, ZSTD_getErrorName(got), copy_again));
  }
  if (got != header.raw_size) {
    fail(chunk_offset_, fmt::format("chunk {}: unpacks to {} bytes where its header says {}; {}", info_.chunks, got,
                                    header.raw_size, copy_again));
  }
}

void PmtReader::read_index() {
  part_ = "the index";
  std::string bytes;
  read_more(bytes, sizeof(std::uint64_t));
  const auto chunks = get_fixed<std::uint64_t>(bytes.data());
  std::uint32_t crc = 0;
  if (chunks == info_.chunks) {
    for (std::uint64_t i = 0; i < chunks; ++i) {
      bytes.clear();
      read_more(bytes, 2 * sizeof(std::uint64_t));
      crc = crc32(crc, bytes);
    }
    bytes.clear();
    read_more(bytes, sizeof(std::uint64_t));
    crc = crc32(crc, bytes);
    index_crc_ = crc32(index_crc_, bytes);
  }
  const std::uint64_t total = get_fixed<std::uint64_t>(bytes.data());
  std::string tail;
  read_more(tail, sizeof(std::uint32_t) + sizeof(std::uint64_t) + end_mark.size());
  const bool right = chunks == info_.chunks && crc == index_crc_ && get_fixed<std::uint32_t>(tail.data()) == crc &&
                     get_fixed<std::uint64_t>(tail.data() + 4) == chunk_offset_ && tail.ends_with(end_mark);
  if (!right) {
    fail(chunk_offset_, fmt::format("the index does not agree with the {} chunks before it; the file is damaged, its "
                                    "chunks are whole",
                                    info_.chunks));
  }
  if (total != instructions_ || info_.instructions != instructions_) {
    fail(chunk_offset_, fmt::format("the index counts {} instructions, the header {}, the chunks hold {}; the file is "
                                    "damaged, its chunks are whole",
                                    total, info_.instructions, instructions_));
  }
  char more = 0;
  if (source_->read(&more, 1) != 0) fail(offset_, "bytes behind the end of the trace; they do not belong to it");
  if (decoder_->ended_taken()) fail(chunk_offset_, last_is_taken);
}

}  // namespace pmusim::trace
