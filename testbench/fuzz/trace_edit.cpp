// Fuzzes editing of traces: slices, merges, statistics. Byte 0: instruction set, and processes or threads; bytes 1 and
// 2: begin and length of the slice; byte 3: turns; rest: a text trace, and after a line `---` a second one. The code
// may only throw a TraceError. Every slice of a legal trace is legal and has the instructions of its range.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "isa-traces/edit/pieces.h"
#include "isa-traces/edit/statistics.h"
#include "testbench/fuzz/input.h"
#include "testbench/fuzz/trace_checks.h"

namespace {

using namespace pmusim::trace;
using pmusim::fuzz::require;

constexpr std::uint64_t no_end = ~std::uint64_t{0};
constexpr std::uint64_t line_bytes = 64, page_bytes = 4096;

std::unique_ptr<edit::Source> source(const std::string& text, Isa isa) {
  ReadOptions options;
  options.isa = isa;
  return std::make_unique<edit::Source>(open_memory(text, "input", options), "input");
}

/// The lines of every instruction that ends. Annotations are removed on IA-64: a slice states the frame of its first
/// instruction, the trace need not.
std::vector<std::string> instructions_of(const std::string& text, Isa isa) {
  std::vector<std::string> list;
  Numbering numbering(isa);
  const auto reader = source(text, isa);
  for (Item item; reader->next(item);) {
    if (item.directive != nullptr) continue;
    Instruction bare = item.instruction;
    if (isa == Isa::ia64) bare.annotations = nullptr;
    list.resize(numbering.take(bare) + 1);
    append_line(list.back(), isa, bare);
  }
  list.resize(numbering.instructions());
  return list;
}

/// The text that `make` writes. It is read again, and must be legal unless it is empty. Errors must be one line.
template <typename Make>
std::string written(Isa isa, const Make& make, std::string& error) {
  const pmusim::fuzz::MemoryFile file("");
  try {
    const auto writer = create_text(file.name(), isa);
    const std::uint64_t instructions = make(*writer);
    writer->close();
    if (instructions == 0) return {};
  } catch (const TraceError& e) {
    error = e.what();
    require(!error.empty() && error.find('\n') == error.npos, "an error is one line");
    return {};
  }
  ReadOptions options;
  std::string again;
  std::string text = fuzz::read_as_text(file.content(), options, again);
  require(again.empty(), "what was written is legal");
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t head = 4;
  if (size < head) return 0;
  const Isa isa = static_cast<Isa>(data[0] % 4);
  std::vector<std::string> texts{std::string(reinterpret_cast<const char*>(data) + head, size - head)};
  constexpr std::string_view between = "\n---\n";
  if (const std::size_t at = texts[0].find(between); at != std::string::npos) {
    texts.push_back(texts[0].substr(at + between.size()));
    texts[0].resize(at + 1);
  }
  std::string defect, error;
  ReadOptions options;
  options.isa = isa;
  for (const std::string& text : texts) {
    std::string of_this;
    (void)fuzz::read_as_text(text, options, of_this);
    if (!of_this.empty()) defect = of_this;
  }

  const std::uint64_t begin = data[1], end = data[2] == 0xff ? no_end : begin + data[2];
  const bool legal = defect.empty();
  std::uint64_t counted = 0;
  const std::string piece = written(
      isa, [&](Writer& writer) { return counted = edit::cut(*source(texts[0], isa), begin, end, writer); }, error);
  require(!legal || error.empty(), "a piece of a legal trace can be written");
  if (legal) {
    const std::vector<std::string> whole = instructions_of(texts[0], isa);
    const std::vector<std::string> part = piece.empty() ? std::vector<std::string>{} : instructions_of(piece, isa);
    require(part.size() == counted, "a piece has as many instructions as it says");
    const auto first = whole.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(begin, whole.size()));
    const auto last = whole.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(end, whole.size()));
    require(std::equal(first, last, part.begin(), part.end()), "a piece has the instructions of its range");
    const edit::Statistics statistics =
        edit::statistics_of(*open_memory(texts[0], "input", options), line_bytes, page_bytes);
    require(isa == Isa::ia64 ? statistics.lines == whole.size() : statistics.instructions == whole.size(),
            "statistics count every instruction");
  }

  error.clear();
  texts.resize(2, texts[0]);
  edit::MergeOptions how;
  if ((data[0] & 0x80) != 0) how.as = edit::MergeAs::threads;
  how.quantum = data[3];
  (void)written(
      isa,
      [&](Writer& writer) {
        std::vector<std::unique_ptr<edit::Source>> sources;
        sources.reserve(texts.size());
        for (const std::string& text : texts) sources.push_back(source(text, isa));
        return counted = edit::merge(sources, how, writer);
      },
      error);
  if (legal && error.empty())
    require(counted == instructions_of(texts[0], isa).size() + instructions_of(texts[1], isa).size(),
            "all instructions of both");
  return 0;
}
