// Writes `.pmt` files.
#include <zstd.h>

#include "bytes.h"
#include "pmt_encoder.h"
#include "writers.h"

namespace pmusim::trace {
using namespace pmt;
namespace {

class PmtWriter final : public WriterBase {
 public:
  PmtWriter(const std::filesystem::path& file, Isa isa, const std::string& program, const PmtOptions& options)
      : WriterBase(file, isa, OutputFile::Kind::patched),
        options_(options),
        context_(ZSTD_createCCtx()),
        encoder_(isa, codes_) {
    if (!context_) throw TraceError(fmt::format("{}: no memory for packing", file_.name()));
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
  struct FreeContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

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
    packed_.resize(ZSTD_compressBound(payload.size()));
    const std::size_t size = ZSTD_compressCCtx(context_.get(), packed_.data(), packed_.size(), payload.data(),
                                               payload.size(), options_.level);
    if (ZSTD_isError(size))
      throw TraceError(fmt::format("{}: cannot be packed: {}", file_.name(), ZSTD_getErrorName(size)));
    packed_.resize(size);
    header.raw_size = static_cast<std::uint32_t>(payload.size());
    header.packed_size = static_cast<std::uint32_t>(size);
    header.instructions = encoder_.instructions();
    header.first_pc = header.instructions > 0 ? encoder_.first_pc() : 0;
    header.crc = crc32(crc32(0, std::string_view(encode(header)).substr(0, chunk_checked_size)), payload);
    put_fixed(index_, file_.offset());
    put_fixed(index_, packed_instructions_);
    ++chunks_;
    packed_instructions_ += header.instructions;
    file_.write(chunk_tag);
    file_.write(encode(header));
    file_.write(packed_);
    encoder_.restart();
  }

  void finish() override {
    if (encoder_.instructions() > 0 || encoder_.size() > 0) flush();
    const std::uint64_t index_at = file_.offset();
    put_fixed(index_, instructions_);
    std::string out(index_tag);
    put_fixed(out, chunks_);
    out += index_;
    put_fixed(out, crc32(0, index_));
    put_fixed(out, index_at);
    out += end_mark;
    file_.write(out);
    std::string count;
    put_fixed(count, instructions_);
    header_.resize(header_.size() - sizeof(std::uint32_t));
    header_.replace(instructions_at, count.size(), count);
    put_fixed(header_, crc32(0, header_));
    file_.patch(0, header_);
  }

  PmtOptions options_;
  std::unique_ptr<ZSTD_CCtx, FreeContext> context_;
  CodeDictionary codes_;
  ChunkEncoder encoder_;
  std::string header_, packed_;
  std::string index_;  // entries: offset of the chunk, instructions before it
  std::uint64_t chunks_ = 0;
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
