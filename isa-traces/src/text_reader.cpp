// Parses and reads the text interchange line by line.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "in_quotes.h"
#include "keys.h"
#include "line_source.h"
#include "pmusim/trace/text.h"
#include "reader_base.h"
#include "rules.h"

namespace pmusim::trace {
namespace {

/// Error message with the wrong token and the right form.
struct LineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Parts of an instruction line. The caller reuses one object for all lines to avoid allocations.
struct ParsedLine {
  std::uint64_t pc = 0;
  std::array<std::uint8_t, 16> bytes{};
  std::uint8_t length = 0;
  std::array<char, 3> mask{'x', 'x', 'x'};
  std::vector<Access> accesses;
  bool taken = false;
  std::uint64_t target = 0;
  bool annotated = false;
  Annotations annotations;
};

[[noreturn]] void fail(std::string_view token, std::string_view right) {
  throw LineError(fmt::format("{}: {}", in_quotes(token), right));
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Blank-separated tokens of a line.
class Tokens {
 public:
  explicit Tokens(std::string_view line) : rest_(line) { advance(); }
  [[nodiscard]] std::string_view peek() const { return token_; }  // empty at the end
  std::string_view take() {
    const std::string_view taken = token_;
    advance();
    return taken;
  }

 private:
  void advance() {
    std::size_t from = 0;
    while (from < rest_.size() && is_blank(rest_[from])) ++from;
    std::size_t to = from;
    while (to < rest_.size() && !is_blank(rest_[to])) ++to;
    token_ = rest_.substr(from, to - from);
    rest_.remove_prefix(to);
  }
  std::string_view rest_, token_;
};

bool to_number(std::string_view text, int base, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size();
}

std::uint64_t address(std::string_view token, std::string_view what) {
  std::uint64_t value = 0;
  if (token.empty()) throw LineError(fmt::format("{} is missing at the end of the line", what));
  if (!to_number(token, 16, value))
    fail(token, fmt::format("{} must be hexadecimal without 0x, at most 64 bits", what));
  return value;
}

unsigned nibble(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return 16;
}

void parse_bytes(Isa isa, std::string_view token, ParsedLine& parsed) {
  if (token.empty()) throw LineError("the instruction bytes are missing; expected PC HEXBYTES ...");
  if (token.size() % 2 != 0) fail(token, "instruction bytes must be pairs of hexadecimal digits, in memory order");
  if (token.size() / 2 > parsed.bytes.size()) fail(token, complaint_about_code(isa, parsed.pc, token.size() / 2));
  for (std::size_t i = 0; i < token.size(); i += 2) {
    const unsigned high = nibble(token[i]), low = nibble(token[i + 1]);
    if (high > 15 || low > 15) fail(token, "instruction bytes must be pairs of hexadecimal digits, in memory order");
    parsed.bytes[i / 2] = static_cast<std::uint8_t>(high << 4 | low);
  }
  parsed.length = static_cast<std::uint8_t>(token.size() / 2);
  if (const std::string wrong = complaint_about_code(isa, parsed.pc, parsed.length); !wrong.empty()) fail(token, wrong);
}

void parse_mask(std::string_view token, ParsedLine& parsed) {
  if (token.empty()) throw LineError("the slot mask is missing; expected PC HEXBYTES MASK ..., as in 'xpx'");
  std::array<char, 3> mask{};
  if (token.size() == mask.size()) std::copy(token.begin(), token.end(), mask.begin());
  if (const std::string wrong = complaint_about_mask(mask); !wrong.empty()) fail(token, wrong);
  parsed.mask = mask;
}

/// Slot digit after L, S or T: `0` to `2` on ia64, absent for the other ISAs.
unsigned slot_of(Isa isa, std::string_view token) {
  if (isa != Isa::ia64) {
    if (token.size() != 1) fail(token, "only ia64 has a slot number here; expected L EA SIZE, S EA SIZE, T TARGET");
    return 0;
  }
  if (token.size() != 2 || token[1] < '0' || token[1] > '2')
    fail(token, "ia64 needs the slot, 0 to 2, after L, S or T");
  return static_cast<unsigned>(token[1] - '0');
}

bool is_mark(std::string_view token, std::string_view letters) {
  return !token.empty() && token.size() <= 2 && letters.find(token[0]) != letters.npos &&
         (token.size() == 1 || (token[1] >= '0' && token[1] <= '9'));
}

void parse_access(Isa isa, Tokens& tokens, ParsedLine& parsed) {
  const std::string_view mark = tokens.take();
  Access access;
  access.store = mark[0] == 'S';
  access.slot = static_cast<std::uint8_t>(slot_of(isa, mark));
  access.address = address(tokens.take(), "the address of an access");
  const std::string_view size = tokens.take();
  std::uint64_t value = 0;
  if (size.empty()) throw LineError(fmt::format("the size is missing; expected {} EA SIZE", mark));
  if (!to_number(size, 10, value) || value == 0 || value > 65535) {
    fail(size, "the size of an access must be decimal, 1 to 65535 bytes");
  }
  access.size = static_cast<std::uint16_t>(value);
  parsed.accesses.push_back(access);
}

void parse_target(Isa isa, Tokens& tokens, ParsedLine& parsed) {
  const std::string_view mark = tokens.take();
  const unsigned slot = slot_of(isa, mark);
  parsed.taken = true;
  parsed.target = address(tokens.take(), "the target");
  if (isa == Isa::ia64 && slot != taken_slot(parsed.mask)) {
    fail(mark, fmt::format("the mask '{}' says that the branch is in slot {}",
                           std::string_view(parsed.mask.data(), parsed.mask.size()), taken_slot(parsed.mask)));
  }
}

template <typename Outcome>
void set_outcome(std::string_view token, std::string_view word, Outcome& outcome) {
  const auto& words = words_of(Outcome{});
  if (outcome != Outcome::unset) fail(token, "given twice; once for an instruction");
  const auto found = outcome_of<Outcome>(word);
  if (!found) fail(token, fmt::format("wrong value, must be {}", fmt::join(words.begin() + 1, words.end(), "|")));
  outcome = *found;
}

void parse_register(std::string_view token, std::string_view text, bool write, Annotations& annotations) {
  RegisterUse use;
  use.write = write;
  const std::size_t colon = text.find(':');
  use.name = text.substr(0, colon);
  bool right = is_register_name(use.name) && write == (colon != text.npos);
  if (right && write) {
    std::string_view value = text.substr(colon + 1);
    use.prefixed = value.starts_with("0x");
    if (use.prefixed) value.remove_prefix(2);
    right = to_number(value, 16, use.value);
  }
  if (!right) fail(token, write ? "expected wr=REG:VALUE, VALUE hexadecimal, at most 64 bits" : "expected rd=REG");
  annotations.registers.push_back(std::move(use));
}

template <typename Number>
void set_number(std::string_view token, std::string_view value, const NumberKey& form, std::optional<Number>& number) {
  std::uint64_t parsed = 0;
  if (number) fail(token, "given twice; once for an instruction");
  if (!to_number(value, form.base, parsed) || parsed < form.least || parsed > form.most) fail(token, form.right);
  number = static_cast<Number>(parsed);
}

void parse_deferral(std::string_view token, std::string_view text, Annotations& annotations) {
  Deferral deferral;
  if (text.size() < 3 || text[0] < '0' || text[0] > '2' || text[1] != ':' ||
      !to_number(text.substr(2), 16, deferral.address)) {
    fail(token, "expected defer=SLOT:EA, SLOT 0 to 2, EA hexadecimal without 0x");
  }
  deferral.slot = static_cast<std::uint8_t>(text[0] - '0');
  annotations.deferrals.push_back(deferral);
}

/// Sets the value of the key `key`.
void set_key(Key key, std::string_view token, std::string_view value, Annotations& annotations) {
  if (key == Key::rd || key == Key::wr) return parse_register(token, value, key == Key::wr, annotations);
  if (key == Key::defer) return parse_deferral(token, value, annotations);
  visit_value(key, annotations, [&]<typename Value>(Value& to) {
    if constexpr (std::is_enum_v<Value>) {
      set_outcome(token, value, to);
    } else {
      set_number(token, value, number_key(key), to);
    }
  });
}

Key parse_key(Isa isa, std::string_view token, Annotations& annotations) {
  const std::size_t equals = token.find('=');
  if (equals == token.npos) {
    if (token[0] == '#') fail(token, "a comment has a line of its own");
    if (is_mark(token, "LST")) fail(token, "out of order; expected PC HEXBYTES [accesses] [T TARGET] [key=value]...");
    fail(token, "unknown; expected PC HEXBYTES [L EA SIZE | S EA SIZE]... [T TARGET] [key=value]...");
  }
  const std::string_view name = token.substr(0, equals);
  const auto found = std::find(key_names.begin(), key_names.end(), name);
  if (found == key_names.end()) {
    const std::string_view close = nearest(name, key_names);
    if (!close.empty()) fail(token, fmt::format("unknown key; did you mean '{}='?", close));
    fail(token, fmt::format("unknown key; known: {}", fmt::join(key_names, " ")));
  }
  const Key key = static_cast<Key>(found - key_names.begin());
  const auto owner = owner_of(key);
  if (owner && isa != *owner) fail(token, fmt::format("a key of {} only", name_of(*owner)));
  set_key(key, token, token.substr(equals + 1), annotations);
  return key;
}

/// Parses an instruction line, without regard to other lines. Throws LineError.
void parse_instruction(Isa isa, std::string_view line, ParsedLine& parsed) {
  Tokens tokens(line);
  parsed.pc = address(tokens.take(), "the pc");
  parse_bytes(isa, tokens.take(), parsed);
  if (isa == Isa::ia64) parse_mask(tokens.take(), parsed);
  parsed.accesses.clear();
  while (is_mark(tokens.peek(), "LS")) parse_access(isa, tokens, parsed);
  parsed.taken = is_mark(tokens.peek(), "T");
  parsed.target = 0;
  if (parsed.taken) parse_target(isa, tokens, parsed);
  parsed.annotated = !tokens.peek().empty();
  if (!parsed.annotated) return;
  parsed.annotations = Annotations{};
  std::vector<Key> order;
  while (!tokens.peek().empty()) order.push_back(parse_key(isa, tokens.take(), parsed.annotations));
  set_order(parsed.annotations, std::move(order));
}

/// Splits a line that begins with `!`. The table of directives checks names and values. Throws LineError.
void parse_directive(std::string_view line, Directive& directive) {
  Tokens tokens(line.substr(line.find('!') + 1));
  if (tokens.peek().empty()) throw LineError("'!': the directive's name is missing; expected ! NAME OPERANDS");
  directive.name = tokens.take();
  if (!is_printable(directive.name)) fail(directive.name, "not a directive's name");
  directive.operands.clear();
  while (!tokens.peek().empty()) {
    const std::string_view token = tokens.take();
    const std::size_t equals = token.find('=');
    if (equals == 0 || !is_printable(token)) fail(token, "operands are VALUE or key=VALUE");
    if (equals == token.npos) {
      directive.operands.emplace_back("", token);
    } else {
      directive.operands.emplace_back(token.substr(0, equals), token.substr(equals + 1));
    }
  }
}

constexpr std::string_view isa_line = "'! isa alpha|ppc|i386|ia64'";

class TextReader final : public ReaderBase {
 public:
  TextReader(std::unique_ptr<ByteSource> source, std::string name, ReadOptions options)
      : ReaderBase(std::move(name), std::move(options)), lines_(std::move(source), name_) {
    read_isa();
    rules_ = SequenceRules(info_.isa);
  }

 private:
  std::span<const Item> read_whole() override {
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

  /// Reads the next line that is neither blank nor a comment, without leading blanks.
  bool next_line(std::string_view& line) {
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

  void read_isa() {
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

  void fill(std::string_view line, Instruction& instruction) {
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

  [[noreturn]] void fail(const std::string& what) const {
    throw TraceError(fmt::format("{}:{}: {}", name_, lines_.number(), what));
  }

  LineSource lines_;
  std::string_view first_;  // the first line if it is not `! isa`
  bool has_first_ = false;
  SequenceRules rules_{Isa::ppc};
  ParsedLine parsed_;
  Directive directive_;
  Item item_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::unique_ptr<Reader> text_reader(std::unique_ptr<ByteSource> source, std::string name, const ReadOptions& options) {
  return std::make_unique<TextReader>(std::move(source), std::move(name), options);
}

}  // namespace pmusim::trace
