// Writes `.pmt` files.
#include <zstd.h>

#include "pmt_encoder.h"
#include "pmusim/trace/bytes.h"
#include "pmusim/trace/packed_file.h"
#include "writers.h"

namespace pmusim::trace {
using namespace pmt;
namespace {

std::string encode(const ChunkHeader& header) {
  std::string out;
  put_fixed(out, header.raw_size);
  put_fixed(out, header.packed_size);
  put_fixed(out, header.instructions);
  put_fixed(out, header.first_pc);
  put_fixed(out, header.crc);
  return out;
}

class PmtWriter final : public WriterBase {
 public:
  PmtWriter(const std::filesystem::path& file, Isa isa, const std::string& program, const PmtOptions& options)
      : WriterBase(file, isa, OutputFile::Kind::patched),
        options_(options),
        packer_(options.level, file_.name()),
        encoder_(isa, codes_) {
    header_.append(magic);
    put_fixed(header_, version);
    put_fixed(header_, static_cast<std::uint8_t>(isa));
    put_fixed(header_, options.isa_line ? flag_isa_line : std::uint8_t{0});
    put_fixed(header_, static_cast<std::uint16_t>(program.size()));
    put_fixed(header_, options.chunk_instructions);
    put_fixed(header_, std::uint64_t{0});
    header_.append(program);
    put_fixed(header_, crc32(0, header_));
    file_.write(header_);
  }

 private:
  void put(const Directive& directive) override {
    if (encoder_.size() >= full_payload) flush();
    encoder_.add(directive);
  }
  void put(const Instruction& instruction) override {
    if (encoder_.instructions() == options_.chunk_instructions || encoder_.size() >= full_payload) flush();
    encoder_.add(instruction);
  }

  void flush() {
    const std::string& payload = encoder_.finish();
    ChunkHeader header;
    const std::string_view packed = packer_.pack(payload);
    header.raw_size = static_cast<std::uint32_t>(payload.size());
    header.packed_size = static_cast<std::uint32_t>(packed.size());
    header.instructions = encoder_.instructions();
    header.first_pc = header.instructions > 0 ? encoder_.first_pc() : 0;
    header.crc = crc32(crc32(0, std::string_view(encode(header)).substr(0, chunk_checked_size)), payload);
    index_ += sum_.add(file_.offset(), packed_instructions_);
    packed_instructions_ += header.instructions;
    file_.write(chunk_tag);
    file_.write(encode(header));
    file_.write(packed);
    encoder_.restart();
  }

  void finish() override {
    if (encoder_.instructions() > 0 || encoder_.size() > 0) flush();
    file_.write(index_bytes(index_, sum_, numbering_.lines(), file_.offset(), end_mark));
    std::string count;
    put_fixed(count, numbering_.lines());
    header_.resize(header_.size() - sizeof(std::uint32_t));
    header_.replace(instructions_at, count.size(), count);
    put_fixed(header_, crc32(0, header_));
    file_.patch(0, header_);
  }

  PmtOptions options_;
  Packer packer_;
  CodeDictionary codes_;
  ChunkEncoder encoder_;
  std::string header_;
  std::string index_;  // entries: offset of the chunk, instructions before it
  IndexSum sum_;
  std::uint64_t packed_instructions_ = 0;
};

}  // namespace

std::unique_ptr<Writer> create_pmt(const std::filesystem::path& file, Isa isa, const std::string& program,
                                   const PmtOptions& options) {
  const auto fail = [&](const std::string& what) { throw TraceError(fmt::format("{}: {}", file.string(), what)); };
  if (options.level < 1 || options.level > ZSTD_maxCLevel()) {
    fail(fmt::format("zstd level {}; must be 1 to {}", options.level, ZSTD_maxCLevel()));
  }
  if (options.chunk_instructions == 0 || options.chunk_instructions > most_chunk_instructions) {
    fail(
        fmt::format("chunks of {} instructions; must be 1 to {}", options.chunk_instructions, most_chunk_instructions));
  }
  if (program.size() > 65535) fail("the program's name has more than 65535 bytes");
  return std::make_unique<PmtWriter>(file, isa, program, options);
}

}  // namespace pmusim::trace
