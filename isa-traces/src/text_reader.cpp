// Reads the text interchange line by line.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "line_source.h"
#include "pmusim/trace/text.h"
#include "reader_base.h"
#include "rules.h"
#include "text_parser.h"

namespace pmusim::trace {
namespace {

class TextReader final : public ReaderBase {
 public:
  TextReader(std::unique_ptr<ByteSource> source, std::string name, ReadOptions options);

 private:
  std::span<const Item> read_whole() override;
  /// Reads the next line that is neither blank nor a comment, without leading blanks.
  bool next_line(std::string_view& line);
  void read_isa();
  void fill(std::string_view line, Instruction& instruction);
  [[noreturn]] void fail(const std::string& what) const;

  LineSource lines_;
  std::string_view first_;  // the first line if it is not `! isa`
  bool has_first_ = false;
  SequenceRules rules_{Isa::ppc};
  ParsedLine parsed_;
  Directive directive_;
  Item item_;
  std::uint64_t count_ = 0;
};

constexpr std::string_view isa_line = "'! isa alpha|ppc|i386|ia64'";

TextReader::TextReader(std::unique_ptr<ByteSource> source, std::string name, ReadOptions options)
    : ReaderBase(std::move(name), std::move(options)), lines_(std::move(source), name_) {
  read_isa();
  rules_ = SequenceRules(info_.isa);
}

void TextReader::fail(const std::string& what) const {
  throw TraceError(fmt::format("{}:{}: {}", name_, lines_.number(), what));
}

bool TextReader::next_line(std::string_view& line) {
  if (has_first_) {
    has_first_ = false;
    line = first_;
    return true;
  }
  while (lines_.next(line)) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (!line.empty() && line.front() != '#') return true;
  }
  return false;
}

void TextReader::read_isa() {
  has_first_ = false;
  std::string_view line;
  std::optional<Isa> named;
  if (next_line(line)) {
    first_ = line;
    has_first_ = true;
    if (line.front() == '!') {
      try {
        parse_directive(line, directive_);
      } catch (const LineError& error) {
        fail(error.what());
      }
      if (directive_.name == "isa") {
        has_first_ = false;
        if (directive_.operands.size() != 1 || !directive_.operands[0].first.empty()) {
          fail(fmt::format("'isa': needs one name; expected {}", isa_line));
        }
        named = isa_by_name(directive_.operands[0].second);
        if (!named)
          fail(fmt::format("'{}': unknown instruction set; expected {}", directive_.operands[0].second, isa_line));
        if (options_.isa && *options_.isa != *named) {
          fail(fmt::format("'! isa {}': the trace was expected to be {}", name_of(*named), name_of(*options_.isa)));
        }
      }
    }
  }
  if (!has_first_ && !named) {
    throw TraceError(fmt::format("{}: no trace, for nothing is in it; a trace begins with {}", name_, isa_line));
  }
  info_.isa_line = named.has_value();
  if (!named) named = options_.isa;
  if (!named) {
    throw TraceError(
        fmt::format("{}: nothing tells the instruction set of this text; begin it with {}, or name it when "
                    "opening (--isa)",
                    name_, isa_line));
  }
  info_.isa = *named;
}

std::span<const Item> TextReader::read_whole() {
  std::string_view line;
  if (!next_line(line)) {
    info_.instructions = count_;
    return {};
  }
  try {
    if (line.front() == '!') {
      parse_directive(line, directive_);
      if (directive_.name == "isa") fail("'isa': only the first line of a trace may say it");
      directive_.line = lines_.number();
      if (const std::string wrong = rules_.directive(directive_); !wrong.empty()) fail(wrong);
      item_.directive = &directive_;
    } else {
      item_.directive = nullptr;
      fill(line, item_.instruction);
      ++count_;
    }
  } catch (const LineError& error) {
    fail(error.what());
  }
  return {&item_, 1};
}

void TextReader::fill(std::string_view line, Instruction& instruction) {
  parse_instruction(info_.isa, line, parsed_);
  const std::span<const std::uint8_t> bytes(parsed_.bytes.data(), parsed_.length);
  instruction.code = &codes_.intern(parsed_.pc, bytes);
  instruction.taken = parsed_.taken;
  instruction.target = parsed_.target;
  instruction.accesses = parsed_.accesses;
  instruction.annotations = parsed_.annotated ? &parsed_.annotations : nullptr;
  instruction.mask = parsed_.mask;
  if (const std::string wrong = rules_.instruction(instruction); !wrong.empty()) fail(wrong);
}

}  // namespace

std::unique_ptr<Reader> text_reader(std::unique_ptr<ByteSource> source, std::string name, const ReadOptions& options) {
  return std::make_unique<TextReader>(std::move(source), std::move(name), options);
}

}  // namespace pmusim::trace
