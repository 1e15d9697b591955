// Writes the text interchange, packed with zstd if the file name ends in `.zst`.
#include <zstd.h>

#include <array>
#include <charconv>

#include "keys.h"
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

  std::unique_ptr<ZSTD_CCtx, decltype([](ZSTD_CCtx* context) { ZSTD_freeCCtx(context); })> context_;
  std::string text_, packed_;
};

}  // namespace

std::unique_ptr<Writer> create_text(const std::filesystem::path& file, Isa isa, bool isa_line) {
  return std::make_unique<TextWriter>(file, isa, isa_line);
}

// Formats instructions and directives for the text interchange.

namespace {

void append_number(std::string& line, std::uint64_t value, int base) {
  std::array<char, 20> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value, base);
  line.append(digits.data(), end);
}

void append_annotations(std::string& line, const Annotations& annotations) {
  auto use = annotations.registers.begin();
  auto deferral = annotations.deferrals.begin();
  for (const Key key : keys_of(annotations)) {
    line.append(" ").append(key_names[static_cast<std::size_t>(key)]).append("=");
    if (key == Key::rd || key == Key::wr) {
      line.append(use->name);
      if (key == Key::wr) line.append(use->prefixed ? ":0x" : ":");
      if (key == Key::wr) append_number(line, use->value, 16);
      ++use;
    } else if (key == Key::defer) {
      append_number(line, deferral->slot, 10);
      line.push_back(':');
      append_number(line, deferral++->address, 16);
    }
    visit_value(key, annotations, [&]<typename Value>(const Value& value) {
      if constexpr (std::is_enum_v<Value>) {
        line.append(word_of(value));
      } else {
        append_number(line, *value, number_key(key).base);
      }
    });
  }
}

}  // namespace

void append_line(std::string& line, Isa isa, const Instruction& instruction) {
  constexpr char digits[] = "0123456789abcdef";
  const bool slots = isa == Isa::ia64;
  append_number(line, instruction.code->pc, 16);
  line.push_back(' ');
  for (unsigned i = 0; i < instruction.code->length; ++i) {
    line.push_back(digits[instruction.code->bytes[i] >> 4]);
    line.push_back(digits[instruction.code->bytes[i] & 15]);
  }
  if (slots) line.append(" ").append(instruction.mask.data(), instruction.mask.size());
  for (const Access& access : instruction.accesses) {
    line.append(access.store ? " S" : " L");
    if (slots) line.push_back(static_cast<char>('0' + access.slot));
    line.push_back(' ');
    append_number(line, access.address, 16);
    line.push_back(' ');
    append_number(line, access.size, 10);
  }
  if (instruction.taken) {
    line.append(" T");
    if (slots) line.push_back(static_cast<char>('0' + taken_slot(instruction.mask)));
    line.push_back(' ');
    append_number(line, instruction.target, 16);
  }
  if (instruction.annotations != nullptr) append_annotations(line, *instruction.annotations);
}

void append_line(std::string& line, const Directive& directive) {
  line.append("! ").append(directive.name);
  for (const auto& [key, value] : directive.operands) {
    line.push_back(' ');
    if (!key.empty()) line.append(key).append("=");
    line.append(value);
  }
}

}  // namespace pmusim::trace
