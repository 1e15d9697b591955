#include "import.h"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <set>
#include <unordered_map>

#include "elf_file.h"
#include "facts.h"
#include "isa-traces/src/line_source.h"
#include "isa-traces/src/rules.h"
#include "pmusim/trace/numbering.h"

namespace pmusim::trace::import {
namespace {

constexpr Tool all_tools[] = {
    {"execlog", "qemu-i386 -plugin libexeclog.so -d plugin -D FILE PROGRAM", "i386 ppc alpha", false, execlog_parser,
     execlog_kinds},
    {"gem5", "gem5 --debug-flags=Exec --debug-file=FILE", "alpha ppc i386", true, gem5_parser, gem5_kinds},
    {"lackey", "valgrind --tool=lackey --trace-mem=yes --log-file=FILE PROGRAM", "i386 ppc", true, lackey_parser,
     lackey_kinds},
    {"perf", "perf script --insn-trace", "i386", false, perf_parser, perf_kinds},
};

/// The bytes of programs and libraries by address.
class Memory {
 public:
  explicit Memory(const std::vector<Image>& images) {
    for (const Image& image : images) {
      files_.push_back({image, ElfFile(image.file)});
      if (!files_.back().file.is_elf())
        throw TraceError(fmt::format("{}: no ELF file; expected the program that ran", image.file.string()));
    }
  }
  /// The bytes from `address` to the end of its segment; empty if no file has this address.
  [[nodiscard]] std::span<const std::uint8_t> at(std::uint64_t address) const {
    for (const Loaded& one : files_) {
      if (const auto bytes = one.file.bytes_at(address - one.image.base); !bytes.empty()) return bytes;
    }
    return {};
  }
  /// Notes that this instruction was executed.
  void execute(const Code& code) {
    for (Loaded& one : files_) {
      if (one.executed) continue;
      const auto bytes = one.file.bytes_at(code.pc - one.image.base);
      one.executed =
          bytes.size() >= code.length && std::equal(bytes.begin(), bytes.begin() + code.length, code.bytes.begin());
    }
  }
  /// A file that has none of the executed instructions; null: there is none.
  [[nodiscard]] const Image* unexecuted() const {
    const auto found = std::find_if(files_.begin(), files_.end(), [](const Loaded& one) { return !one.executed; });
    return found == files_.end() ? nullptr : &found->image;
  }
  /// The address of a symbol. Throws LineError if it is unknown or has several addresses.
  [[nodiscard]] std::uint64_t place_of(const std::string& symbol) {
    if (!symbols_) {
      symbols_.emplace();
      for (const Loaded& one : files_) {
        for (const auto& [name, address] : one.file.symbols()) (*symbols_)[name].insert(one.image.base + address);
      }
    }
    const auto found = symbols_->find(symbol);
    const std::size_t places = found == symbols_->end() ? 0 : found->second.size();
    if (places != 1) {
      throw LineError{fmt::format("symbol '{:.40}' {}; expected {}", symbol,
                                  places == 0 ? "is in no ELF file" : fmt::format("stands for {} addresses", places),
                                  places == 0 ? "name the program that ran, with its symbols, as in --elf a.out"
                                              : "a trace with addresses (gem5 --debug-flags=Exec,-ExecSymbol)")};
    }
    return *found->second.begin();
  }

 private:
  struct Loaded {
    Image image;
    ElfFile file;
    bool executed = false;  ///< one of its instructions was
  };
  std::deque<Loaded> files_;
  std::optional<std::unordered_map<std::string, std::set<std::uint64_t>>> symbols_;  // read on first use
};

bool names(std::string_view list, std::string_view name) {
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t end = std::min(list.find(' ', from), list.size());
    if (list.substr(from, end - from) == name) return true;
    from = end + 1;
  }
  return false;
}

/// An instruction that occurred before, with the facts of its encoding.
struct Known {
  Code code;
  Facts facts;
};

class Importer {
 public:
  Importer(const Tool& tool, const std::filesystem::path& file, const Options& options, Writer& writer)
      : tool_(tool),
        name_(file.string()),
        options_(options),
        writer_(writer),
        isa_(isa_of(tool, options)),
        numbering_(isa_),
        memory_(options.images),
        lines_(source_of(file), name_) {
    gap_.name = options.gap;
  }

  Result run() {
    const auto parser = tool_.parser();
    std::string_view line;
    for (Step step; lines_.next(line); step = {}) {
      if (!lines_.ended()) break;  // the last line is incomplete
      if (line.ends_with('\r')) line.remove_suffix(1);
      try {
        const Line kind = meaning_of(*parser, line, step);
        if (!step.symbol.empty()) step.pc += memory_.place_of(step.symbol);
        take(kind, std::move(step));
      } catch (const LineError& error) {
        fail(lines_.number(), error.what);
      }
    }
    if (before_ && waiting_) write(*before_, &*waiting_);
    if (waiting_ || before_) write(waiting_ ? *waiting_ : *before_, nullptr);
    if (numbering_.lines() == 0) {
      throw TraceError(fmt::format("{}: no instruction {}; expected what {} writes", name_,
                                   result_.other_threads > 0 ? fmt::format("of thread {}", options_.thread) : "in it",
                                   tool_.needs));
    }
    if (const Image* const image = memory_.unexecuted()) fail_unexecuted(*image);
    return result_;
  }

 private:
  static std::unique_ptr<ByteSource> source_of(const std::filesystem::path& file) {
    auto source = file_source(file == "-" ? "/dev/stdin" : file);
    std::array<char, 4> start{};
    const std::string_view bytes(start.data(), source->read(start.data(), start.size()));
    source->unread(bytes);
    return bytes == "\x28\xb5\x2f\xfd" ? zstd_source(std::move(source), file.string()) : std::move(source);
  }

  [[noreturn]] void fail(std::uint64_t line, const std::string& what) const {
    throw TraceError(fmt::format("{}:{}: {}", name_, line, what));
  }

  [[noreturn]] void fail_unexecuted(const Image& image) const {
    throw TraceError(
        fmt::format("{}: executes nothing of --elf {}{}; expected the program that was traced, or FILE@BASE "
                    "with the hexadecimal address where it was loaded",
                    name_, image.file.string(), image.placed ? fmt::format(" at base {:x}", image.base) : ""));
  }

  Line meaning_of(LineParser& parser, std::string_view line, Step& step) const {
    const LineKind* const kind = kind_of(tool_.kinds(), line);
    if (kind != nullptr && kind->becomes == Becomes::ignored) return Line::nothing;
    if (kind != nullptr && kind->becomes == Becomes::refused)
      throw LineError{fmt::format("'{:.40}': {}", line, kind->why)};
    return parser.parse(line, step);
  }

  void take(Line kind, Step&& step) {
    switch (kind) {
      case Line::nothing:
        return;
      case Line::gap:
        lost_ = waiting_ || before_;
        return;
      case Line::undone:
        if (!wanted_ || !waiting_) return;
        lost_ |= waiting_->lost_before;
        waiting_.reset();
        return;
      case Line::more:
        if (!wanted_) return;
        if (!waiting_)
          fail(lines_.number(), "an access before the first instruction; expected the trace from its beginning");
        waiting_->step.accesses.insert(waiting_->step.accesses.end(), step.accesses.begin(), step.accesses.end());
        return;
      case Line::step:
        break;
    }
    wanted_ = is_wanted(step.thread);
    if (!wanted_) {
      ++result_.other_threads;
      return;
    }
    if (waiting_) {
      if (before_) write(*before_, &*waiting_);
      before_ = std::move(waiting_);
    }
    waiting_ = Waiting{std::move(step), lines_.number(), std::exchange(lost_, false)};
  }

  bool is_wanted(const std::string& thread) {
    if (!options_.thread.empty()) return thread == options_.thread;
    if (!thread_) thread_ = thread;
    if (thread != *thread_) {
      fail(lines_.number(), fmt::format("thread {} after thread {}; a trace holds one: name it, as in --thread {}",
                                        thread, *thread_, *thread_));
    }
    return true;
  }

  /// An instruction until its successor is known, which must have been executed, too.
  struct Waiting {
    Step step;
    std::uint64_t line = 0;
    bool lost_before = false;  ///< the tool lost a part of the execution before it
  };

  /// Writes an instruction. `after_it` was executed next (null: none).
  void write(Waiting& one, const Waiting* after_it) {
    const Step* const next = after_it == nullptr ? nullptr : &after_it->step;
    const bool lost = after_it != nullptr && after_it->lost_before;
    line_ = one.line;
    const Known& known = find(one.step);
    const Facts& facts = known.facts;
    Item item;
    item.instruction.code = &known.code;
    complete_accesses(isa_, known.code, facts, one.step.accesses, accesses_);
    item.instruction.accesses = accesses_;
    result_.without_access +=
        accesses_.empty() && !facts.repeats && (facts.load_bytes > 0 || facts.store_bytes > 0 || facts.block);
    const std::uint64_t after = (known.code.pc + known.code.length) & address_mask(isa_);
    bool gap = false;
    if (next != nullptr && (next->pc != after || lost)) {
      const bool reaches = facts.branches ? !facts.has_target || next->pc == facts.target
                                          : facts.repeats && next->pc == known.code.pc && !accesses_.empty();
      item.instruction.taken = reaches && next->pc != after;
      item.instruction.target = next->pc;
      gap = (lost || !reaches) && (lost || next->pc != after);
      if (gap && facts.branches && !facts.conditional && facts.has_target) {  // assume that it branched to its target
        item.instruction.taken = true;
        item.instruction.target = facts.target;
      } else if (gap) {  // its successor is unknown
        item.instruction.taken = false;
      }
    }
    put(item);
    numbering_.take(item.instruction);
    result_.instructions = numbering_.instructions();
    if (!gap) return;
    if (options_.gap.empty()) {
      fail(after_it->line,
           fmt::format("'{:x}': the instruction at {:x} does not lead there; expected a trace without gaps, "
                       "or --gap switch",
                       next->pc, known.code.pc));
    }
    item.directive = &gap_;
    put(item);
    ++result_.gaps;
  }

  void put(const Item& item) {
    try {
      writer_.write(item);
    } catch (const TraceError& error) {
      fail(line_, error.what());
    }
  }

  const Known& find(const Step& step) {
    const auto found = known_.find(step.pc);
    if (found != known_.end() && agrees(*found->second, step)) return *found->second;
    Known& known = codes_.emplace_back();
    known.code.pc = step.pc;
    fill(known.code, step);
    known.facts = facts_of(isa_, known.code);
    memory_.execute(known.code);
    known_[step.pc] = &known;
    return known;
  }

  /// True if the information of the tool does not contradict the known bytes.
  static bool agrees(const Known& known, const Step& step) {
    const unsigned length = known.code.length;
    if (step.length != 0 && step.length != length) return false;
    return std::equal(step.bytes.begin(), step.bytes.begin() + std::min(step.known, length), known.code.bytes.begin());
  }

  void fill(Code& code, const Step& step) {
    if (step.pc > address_mask(isa_)) {
      fail(line_, fmt::format("'{:x}': addresses of {} have 32 bits; expected a 32-bit program, without the kernel",
                              step.pc, name_of(isa_)));
    }
    std::span<const std::uint8_t> bytes(step.bytes.data(), step.known);
    unsigned length = step.length != 0 && step.known >= step.length ? step.length : length_of(isa_, bytes);
    if (length == 0 || length > bytes.size()) {
      bytes = memory_.at(step.pc);
      if (bytes.empty()) {
        fail(line_, fmt::format("no bytes of the instruction at {:x}; name the program, or the library that was loaded "
                                "there, as in --elf libc.so.6@f7c00000",
                                step.pc));
      }
      length = step.length != 0 ? step.length : length_of(isa_, bytes);
      if (length == 0 || length > bytes.size())
        fail(line_, fmt::format("the bytes at {:x} in the ELF file are no {} instruction", step.pc, name_of(isa_)));
      if (!std::equal(step.bytes.begin(), step.bytes.begin() + std::min(step.known, length), bytes.begin())) {
        fail(line_, fmt::format("the ELF file has other bytes at {:x} than the trace; expected the program that ran, "
                                "loaded at BASE (--elf FILE@BASE)",
                                step.pc));
      }
    }
    if (length > code.bytes.size()) fail(line_, fmt::format("an instruction of {} bytes", length));
    code.length = static_cast<std::uint8_t>(length);
    std::copy_n(bytes.begin(), length, code.bytes.begin());
  }

  const Tool& tool_;
  std::string name_;
  const Options& options_;
  Writer& writer_;
  Isa isa_;
  Numbering numbering_;
  Memory memory_;
  LineSource lines_;
  Directive gap_;
  std::deque<Known> codes_;
  std::unordered_map<std::uint64_t, const Known*> known_;
  std::vector<Access> accesses_;
  std::optional<Waiting> before_, waiting_;  // the last instruction, and the one before it
  std::uint64_t line_ = 0;                   // of the instruction that is written
  std::optional<std::string> thread_;
  bool wanted_ = true;  // the current instruction is of the selected thread
  bool lost_ = false;   // a part of the execution, since the last instruction
  Result result_;
};

}  // namespace

std::span<const Tool> tools() { return all_tools; }

const Tool* find_tool(std::string_view name) {
  for (const Tool& tool : all_tools) {
    if (tool.name == name) return &tool;
  }
  return nullptr;
}

Image image_of(const std::string& text) {
  const std::size_t at = text.rfind('@');
  std::error_code ignored;
  if (at == text.npos || std::filesystem::exists(text, ignored)) return {text};
  std::string_view digits = std::string_view(text).substr(at + 1);
  static_cast<void>(import::take(digits, "0x"));
  const auto base = take_number(digits, 16);
  if (!base || !digits.empty() || at == 0)
    throw TraceError(
        fmt::format("--elf {}: expected FILE, or FILE@BASE with the hexadecimal address where it was loaded", text));
  return {text.substr(0, at), *base, true};
}

Isa isa_of(const Tool& tool, const Options& options) {
  std::optional<Isa> isa = options.isa;
  if (!isa && tool.isas.find(' ') == tool.isas.npos) isa = isa_by_name(tool.isas);
  for (const Image& image : options.images) {
    const ElfFile file(image.file);
    const std::optional<Isa> machine = file.isa();
    const std::string name = image.file.string();
    if (!file.is_elf()) throw TraceError(fmt::format("{}: no ELF file; expected the program that ran", name));
    if (!machine || machine == Isa::ia64) {
      throw TraceError(fmt::format(
          "{}: a program for machine {}; expected one for i386 (-m32), 32-bit PowerPC or Alpha", name, file.machine()));
    }
    if (isa && *isa != *machine)
      throw TraceError(fmt::format("{}: a program for {} where {} is read", name, name_of(*machine), name_of(*isa)));
    isa = machine;
  }
  if (!isa) {
    throw TraceError(fmt::format(
        "nothing tells the instruction set; expected --isa with one of: {}, or the program, --elf FILE", tool.isas));
  }
  if (!names(tool.isas, name_of(*isa)))
    throw TraceError(fmt::format("{} of {}: not read; expected one of: {}", tool.name, name_of(*isa), tool.isas));
  return *isa;
}

Result import_trace(const Tool& tool, const std::filesystem::path& file, const Options& options, Writer& writer) {
  if (tool.needs_elf && options.images.empty()) {
    throw TraceError(
        fmt::format("{} tells no bytes of instructions; name the program that ran, as in --elf a.out", tool.name));
  }
  return Importer(tool, file, options, writer).run();
}

}  // namespace pmusim::trace::import
