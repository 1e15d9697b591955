// Writes the text interchange, packed with zstd if the file name ends in `.zst`.
#include <zstd.h>

#include "pmusim/trace/text.h"
#include "writers.h"

namespace pmusim::trace {
namespace {

constexpr std::size_t full_buffer = 1 << 16;
constexpr int text_level = 9;  // zstd compression level

class TextWriter final : public WriterBase {
 public:
  TextWriter(const std::filesystem::path& file, Isa isa, bool isa_line) : WriterBase(file, isa) {
    if (file.extension() == ".zst") {
      context_.reset(ZSTD_createCCtx());
      if (!context_) throw TraceError(fmt::format("{}: no memory for packing", file_.name()));
      ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, text_level);
      ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
      packed_.resize(ZSTD_CStreamOutSize());
    }
    if (isa_line) text_ = fmt::format("! isa {}\n", name_of(isa));
  }

 private:
  struct FreeContext {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

  void put(const Directive& directive) override {
    append_line(text_, directive);
    end_line();
  }
  void put(const Instruction& instruction) override {
    append_line(text_, isa_, instruction);
    end_line();
  }
  void end_line() {
    text_.push_back('\n');
    if (text_.size() >= full_buffer) flush(ZSTD_e_continue);
  }
  void finish() override { flush(ZSTD_e_end); }

  void flush(ZSTD_EndDirective mode) {
    if (!context_) {
      file_.write(text_);
    } else {
      ZSTD_inBuffer in{text_.data(), text_.size(), 0};
      for (std::size_t left = 1; left != 0;) {
        ZSTD_outBuffer out{packed_.data(), packed_.size(), 0};
        left = ZSTD_compressStream2(context_.get(), &out, &in, mode);
        if (ZSTD_isError(left)) {
          throw TraceError(fmt::format("{}: cannot be packed: {}", file_.name(), ZSTD_getErrorName(left)));
        }
        file_.write({packed_.data(), out.pos});
        if (mode == ZSTD_e_continue) left = in.size - in.pos;
      }
    }
    text_.clear();
  }

  std::unique_ptr<ZSTD_CCtx, FreeContext> context_;
  std::string text_, packed_;
};

}  // namespace

std::unique_ptr<Writer> create_text(const std::filesystem::path& file, Isa isa, bool isa_line) {
  return std::make_unique<TextWriter>(file, isa, isa_line);
}

}  // namespace pmusim::trace
