// Reads `.pmt` files chunk by chunk.

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <string>

#include "pmt_decoder.h"
#include "pmusim/trace/bytes.h"
#include "pmusim/trace/packed_file.h"
#include "reader_base.h"
#include "rules.h"

namespace pmusim::trace {
namespace {

using namespace pmt;

class PmtReader final : public ReaderBase {
 public:
  PmtReader(std::unique_ptr<ByteSource> source, std::string name, ReadOptions options)
      : ReaderBase(std::move(name), std::move(options)), file_(std::move(source), name_) {
    read_header();
    decoder_ = std::make_unique<ChunkDecoder>(info_.isa, codes_);
  }

 private:
  std::span<const Item> read_whole() override {
    for (;;) {
      try {
        if (const std::span<const Item> items = decoder_->read(); !items.empty()) return items;
      } catch (const Malformed& error) {
        file_.fail(chunk_offset_,
                   fmt::format("chunk {}: payload byte {}: {}", info_.chunks - 1, error.position, error.what()));
      }
      if (!read_chunk()) return {};
    }
  }

  void read_header() {
    file_.enter("the header");
    std::string header;
    file_.read_more(header, header_size);
    if (!header.starts_with(magic)) file_.fail(0, "not a .pmt file: it begins with other bytes");
    info_.version = get_fixed<std::uint32_t>(&header[version_at]);
    if (info_.version != version) {
      file_.fail(
          version_at,
          fmt::format("format version {0} is not known; this program reads version {1}; expected a later pmusim, which "
                      "also writes version {1}: trace convert --format-version {1}",
                      info_.version, version));
    }
    file_.read_more(header, get_fixed<std::uint16_t>(&header[name_length_at]) + sizeof(std::uint32_t));
    const std::size_t checked = header.size() - sizeof(std::uint32_t);
    const auto stored = get_fixed<std::uint32_t>(&header[checked]);
    const std::uint32_t computed = crc32(0, std::string_view(header).substr(0, checked));
    if (stored != computed) {
      file_.fail(
          checked,
          fmt::format("header: checksum {:08x} where its bytes give {:08x}; the file is damaged: copy or make it "
                      "again",
                      stored, computed));
    }
    const auto isa = static_cast<std::uint8_t>(header[isa_at]);
    if (isa > static_cast<std::uint8_t>(Isa::ia64)) {
      file_.fail(isa_at, fmt::format("instruction set {} is not known; 0 alpha, 1 ppc, 2 i386, 3 ia64", isa));
    }
    const auto flags = static_cast<std::uint8_t>(header[flags_at]);
    if (flags > flag_isa_line)
      file_.fail(flags_at, fmt::format("flags {:02x} are not known to version {}", flags, version));
    chunk_instructions_ = get_fixed<std::uint32_t>(&header[chunk_instructions_at]);
    if (chunk_instructions_ == 0 || chunk_instructions_ > most_chunk_instructions) {
      file_.fail(chunk_instructions_at, fmt::format("chunks of {} instructions; must be 1 to {}", chunk_instructions_,
                                                    most_chunk_instructions));
    }
    info_.isa = static_cast<Isa>(isa);
    info_.isa_line = (flags & flag_isa_line) != 0;
    info_.instructions = get_fixed<std::uint64_t>(&header[instructions_at]);
    info_.program = header.substr(header_size, checked - header_size);
  }

  /// Reads the next chunk. Returns false after reading the index and the end of the file.
  bool read_chunk() {
    chunk_offset_ = file_.offset();
    file_.enter(fmt::format("chunk {} or the index", info_.chunks));
    std::string head;
    file_.read_more(head, chunk_tag.size());
    if (head == index_tag) {
      read_index();
      return false;
    }
    if (head != chunk_tag) {
      file_.fail(chunk_offset_,
                 fmt::format("neither chunk {} nor the index begins here; {}", info_.chunks, copy_again));
    }
    file_.enter(fmt::format("chunk {}", info_.chunks));
    head.clear();
    file_.read_more(head, chunk_header_size);
    const ChunkHeader header = decode_chunk_header(head.data());
    if (header.raw_size > most_payload || header.packed_size > ZSTD_compressBound(most_payload) ||
        header.instructions > chunk_instructions_) {
      file_.fail(chunk_offset_,
                 fmt::format("chunk {}: its header claims {} instructions in {} bytes packed to {}; {}", info_.chunks,
                             header.instructions, header.raw_size, header.packed_size, copy_again));
    }
    packed_.clear();
    file_.read_more(packed_, header.packed_size);
    file_.unpack(packed_, payload_, header.raw_size, chunk_offset_, fmt::format("chunk {}", info_.chunks));
    const std::uint32_t crc = crc32(crc32(0, std::string_view(head).substr(0, chunk_checked_size)), payload_);
    if (crc != header.crc) {
      file_.fail(chunk_offset_, fmt::format("chunk {}: checksum {:08x} where its bytes give {:08x}; {}", info_.chunks,
                                            header.crc, crc, copy_again));
    }
    index_.add(chunk_offset_, instructions_);
    instructions_ += header.instructions;
    ++info_.chunks;
    decoder_->begin(payload_, header.instructions, header.first_pc);
    return true;
  }

  void read_index() {
    const std::uint64_t total = file_.read_index(index_, chunk_offset_, end_mark, "chunks");
    if (total != instructions_ || info_.instructions != instructions_) {
      file_.fail(chunk_offset_,
                 fmt::format("the index counts {} instructions, the header {}, the chunks hold {}; the file is "
                             "damaged, its chunks are whole",
                             total, info_.instructions, instructions_));
    }
    if (!file_.ended())
      file_.fail(file_.offset(),
                 "bytes after the end of the trace; expected none, or FILE/NAME for a trace of a collection");
  }

  PackedFile file_;
  std::unique_ptr<ChunkDecoder> decoder_;
  std::string packed_, payload_;
  std::uint64_t chunk_offset_ = 0;
  std::uint32_t chunk_instructions_ = 0;
  std::uint64_t instructions_ = 0;  // in the chunks read so far
  IndexSum index_;                  // computed from the chunks read so far
};

}  // namespace

std::unique_ptr<Reader> pmt_reader(std::unique_ptr<ByteSource> source, std::string name, const ReadOptions& options) {
  return std::make_unique<PmtReader>(std::move(source), std::move(name), options);
}

}  // namespace pmusim::trace
