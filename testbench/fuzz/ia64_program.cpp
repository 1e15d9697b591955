// Fuzzes the IA-64 simulator. Input that begins like an ELF file is the program, other input is the code of a valid
// one. The simulator may only throw a SimulationError, with one line that contains the name. The lines recorded before
// are a legal trace, and a reader that follows it with ia64::FrameTracker always knows the frame.
#include <algorithm>

#include "pmusim/trace/ia64.h"
#include "simulate.h"
#include "testbench/fuzz/elf_file.h"
#include "testbench/fuzz/trace_checks.h"

namespace {

using namespace pmusim::trace;

/// An executable whose only segment is the code, readable, writable and executable.
std::string program_around(std::string code) {
  constexpr std::uint64_t address = 0x4000000000000000;
  while (code.size() % 16 != 0) code.push_back('\0');
  const pmusim::fuzz::Segment segment{
      1,       7,           pmusim::fuzz::elf_header_size + pmusim::fuzz::program_header_size,
      address, code.size(), code.size() + 4096};
  return pmusim::fuzz::elf_file(address, {segment}, code);
}

/// Any sixteen bytes must decode, executed or not.
void decode_all(std::string_view bytes) {
  for (; bytes.size() >= 16; bytes.remove_prefix(16)) {
    Code code;
    code.length = 16;
    std::copy_n(bytes.begin(), 16, code.bytes.begin());
    const ia64::Bundle bundle = ia64::decode(code);
    for (const auto& slot : bundle.slots)
      fuzz::require(bundle.legal_template || slot.kind == ia64::Kind::illegal, "no slot without a template");
  }
}

/// The masks, accesses and keys of recorded lines must follow the text grammar: the lines must read back.
void check_lines(const std::string& text) {
  std::string error;
  ReadOptions options;
  options.isa = Isa::ia64;
  const std::string again = fuzz::read_as_text(text, options, error);
  fuzz::require(error.empty() || error.find("nothing follows") != error.npos, "recorded lines are a legal trace");
  fuzz::require(text.starts_with(again), "recorded lines read the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string input(reinterpret_cast<const char*>(data), size);
  decode_all(input);
  if (!input.starts_with("\x7f"
                         "ELF"))
    input = program_around(std::move(input));
  std::string text;
  ia64::FrameTracker tracker;
  ia64::SimulationOptions options;
  options.most_slots = 2000;
  options.on_bundle = [&](const Instruction& line) {
    const ia64::Bundle bundle = ia64::decode(*line.code);
    fuzz::require(bundle.legal_template, "an executed bundle has a legal template");
    tracker.step(bundle, line);
    const ia64::Frame& frame = tracker.frame();
    fuzz::require(frame.sof <= 96 && frame.sol <= frame.sof && 8u * frame.sor <= frame.sof, "a frame is legal");
    for (unsigned i = 0; i < 3; ++i) {
      fuzz::require(line.mask[i] == '-' || bundle.slots[i].kind != ia64::Kind::illegal,
                    "a reserved slot is not executed");
      (void)ia64::speculation_of(bundle, i, line);
    }
    append_line(text, Isa::ia64, line);
    text += '\n';
  };
  try {
    (void)ia64::simulate({reinterpret_cast<const std::uint8_t*>(input.data()), input.size()}, "input", options);
  } catch (const ia64::SimulationError& error) {
    const std::string said = error.what();
    fuzz::require(said.starts_with("input: ") && said.find('\n') == said.npos, "an error is one line with the name");
  }
  if (!text.empty()) check_lines(text);  // without a line there is no trace
  return 0;
}
