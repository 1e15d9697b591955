#include "models/activity_file/writer.h"

#include <fmt/format.h>

#include <utility>

#include "pmusim/trace/bytes.h"
#include "pmusim/trace/reader.h"

namespace pmusim::activity_file {

using trace::put_fixed;
using trace::TraceError;

Writer::Writer(const std::filesystem::path& file, const Properties& properties, int level, trace::OutputFile::Kind kind)
    : file_(file, kind), packer_(level, file_.name()), stored_(level == stored_level) {
  Description description = describe(properties.get("target").value_or(""));
  description.properties = properties;
  const std::string text = encode(description);
  std::string header(magic);
  put_fixed(header, version);
  put_fixed(header, static_cast<std::uint32_t>(text.size()));
  header += text;
  put_fixed(header, trace::crc32(0, header));
  file_.write(header);
}

void Writer::write(const activity::Block& block, const std::array<std::uint64_t, 2>& instructions) {
  const auto fail = [&](const std::string& what) { throw TraceError(fmt::format("{}: {}", file_.name(), what)); };
  if (closed_) fail("written to after close()");
  if (sum_.parts > 0 && block.begin != end_)
    fail(fmt::format("a block from cycle {} on follows one that ends with {}", block.begin, end_));
  const std::string_view payload = encoder_.encode(block);
  if (payload.size() > most_payload)
    fail(fmt::format("the block from cycle {} on has {} bytes; at most {}: make shorter blocks", block.begin,
                     payload.size(), most_payload));
  const std::string_view packed = stored_ ? payload : packer_.pack(payload);
  BlockHeader header;
  header.raw_size = static_cast<std::uint32_t>(payload.size());
  header.packed_size = static_cast<std::uint32_t>(packed.size());
  header.packing = stored_ ? Packing::stored : Packing::zstd;
  header.begin = block.begin;
  header.end = end_ = block.end;
  header.instructions[0] = instructions[0];
  header.instructions[1] = instructions[1];
  header.crc = trace::crc32(trace::crc32(0, std::string_view(encode(header)).substr(0, block_checked_size)), payload);
  index_ += sum_.add(file_.offset(), block.begin);
  file_.write(block_tag);
  file_.write(encode(header));
  file_.write(packed);
}

void Writer::close() {
  if (std::exchange(closed_, true)) return;
  file_.write(trace::index_bytes(index_, sum_, end_, file_.offset(), end_mark));
  file_.close();
}

}  // namespace pmusim::activity_file
