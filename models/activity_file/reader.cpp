#include "models/activity_file/reader.h"

#include <fmt/format.h>

#include "pmusim/trace/bytes.h"
#include "pmusim/trace/reader.h"

namespace pmusim::activity_file {

using trace::get_fixed;
using trace::TraceError;

Reader::Reader(const std::filesystem::path& file, ReadOptions options)
    : Reader(trace::file_source(file), file.string(), std::move(options)) {}

Reader::Reader(std::string content, const std::string& name, ReadOptions options)
    : Reader(trace::memory_source(std::move(content)), name, std::move(options)) {}

Reader::Reader(std::unique_ptr<trace::ByteSource> source, const std::string& name, ReadOptions options)
    : file_(std::move(source), name), options_(std::move(options)) {
  read_header();
  decoder_ = std::make_unique<BlockDecoder>(description_);
}

void Reader::read_header() {
  file_.enter("the header");
  std::string header;
  file_.read_more(header, header_size);
  if (!header.starts_with(magic)) file_.fail(0, "not a .pma file: it begins with other bytes");
  const auto found = get_fixed<std::uint32_t>(&header[version_at]);
  if (found != version)
    file_.fail(version_at,
               fmt::format("format version {} is not known; this program reads version {}; expected a later pmusim, or "
                           "the activity recorded again by this one",
                           found, version));
  const auto size = get_fixed<std::uint32_t>(&header[description_size_at]);
  if (size > most_description)
    file_.fail(description_size_at, fmt::format("a description of {} bytes; at most {}", size, most_description));
  file_.read_more(header, size + sizeof(std::uint32_t));
  const std::size_t checked = header.size() - sizeof(std::uint32_t);
  const auto stored = get_fixed<std::uint32_t>(&header[checked]);
  const std::uint32_t computed = trace::crc32(0, std::string_view(header).substr(0, checked));
  if (stored != computed) {
    file_.fail(checked, fmt::format("header: checksum {:08x} where its bytes give {:08x}; the file is damaged: copy or "
                                    "make it again",
                                    stored, computed));
  }
  try {
    description_ = decode_description(std::string_view(header).substr(header_size, size));
  } catch (const trace::Malformed& error) {
    file_.fail(header_size + error.position, fmt::format("description: {}", error.what()));
  }
}

bool Reader::next(activity::Block& block) {
  return ending_.next(options_, [&] { return step(&block); });
}

bool Reader::step(activity::Block* block) {
  const std::uint64_t offset = file_.offset(), number = sum_.parts;
  const std::string what = fmt::format("block {}", number);
  file_.enter(what + " or the index");
  std::string tag;
  file_.read_more(tag, block_tag.size());
  if (tag == trace::index_tag) {
    finish(offset);
    return false;
  }
  if (tag != block_tag)
    file_.fail(offset, fmt::format("neither {} nor the index begins here; {}", what, trace::copy_again));
  file_.enter(what);
  const activity::Cycle last = header_.end;
  read_payload(what, offset);
  if (header_.end < header_.begin || (number > 0 && header_.begin != last)) {
    file_.fail(offset, fmt::format("{}: cycles {} to {} after a block that ends with {}", what, header_.begin,
                                   header_.end, last));
  }
  if (block != nullptr) {
    block->begin = header_.begin;
    block->end = header_.end;
    try {
      decoder_->decode(payload_, *block);
    } catch (const trace::Malformed& error) {
      file_.fail(offset, fmt::format("{}: payload byte {}: {}", what, error.position, error.what()));
    }
  }
  sum_.add(offset, header_.begin);
  return true;
}

bool is_whole(std::unique_ptr<trace::ByteSource> source, const std::string& name) {
  try {
    Reader reader(std::move(source), name);
    while (reader.step(nullptr)) {
    }
    return true;
  } catch (const TraceError&) {
    return false;
  }
}

void Reader::read_payload(const std::string& what, std::uint64_t offset) {
  std::string head;
  file_.read_more(head, block_header_size);
  header_ = decode_block_header(head.data());
  const bool stored = header_.packing == Packing::stored;
  if (header_.packing > Packing::zstd || header_.raw_size > most_payload || header_.packed_size > 2 * most_payload ||
      (stored && header_.packed_size != header_.raw_size)) {
    file_.fail(offset,
               fmt::format("{}: its header claims {} bytes packed to {} by method {}; {}", what, header_.raw_size,
                           header_.packed_size, static_cast<unsigned>(header_.packing), trace::copy_again));
  }
  packed_.clear();
  file_.read_more(packed_, header_.packed_size);
  if (stored)
    payload_.swap(packed_);
  else
    file_.unpack(packed_, payload_, header_.raw_size, offset, what);
  const std::uint32_t crc =
      trace::crc32(trace::crc32(0, std::string_view(head).substr(0, block_checked_size)), payload_);
  if (crc != header_.crc) {
    file_.fail(offset, fmt::format("{}: checksum {:08x} where its bytes give {:08x}; {}", what, header_.crc, crc,
                                   trace::copy_again));
  }
}

void Reader::finish(std::uint64_t offset) {
  const std::uint64_t end = file_.read_index(sum_, offset, end_mark, "blocks");
  if (sum_.parts > 0 && end != header_.end)
    file_.fail(offset, fmt::format("the index ends with cycle {}, the blocks with {}", end, header_.end));
  if (!file_.ended()) file_.fail(file_.offset(), "bytes after the end of the activity; they do not belong to it");
}

}  // namespace pmusim::activity_file
