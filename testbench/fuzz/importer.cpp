// Fuzzes the importers of other tools' traces. Byte 0: tool, byte 1: instruction set, byte 2: bytes of code in the
// program file; then this code, and the tool's text. An importer may only throw a TraceError, with one line that begins
// with the file's name. The items written before are a legal trace.
#include <elf.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>

#include "isa-traces/import/import.h"
#include "testbench/fuzz/input.h"
#include "testbench/fuzz/trace_checks.h"

namespace {

using namespace pmusim::trace;

const std::string nowhere = "/dev/null";

struct Machine {
  Isa isa;
  std::uint16_t number;
  bool wide, big_endian;
  std::uint64_t address;
};
constexpr Machine machines[] = {{Isa::i386, EM_386, false, false, 0x8049000},
                                {Isa::ppc, EM_PPC, false, true, 0x10000000},
                                {Isa::alpha, EM_ALPHA, true, false, 0x120000000}};

/// A program file whose only segment is the code.
class Program {
 public:
  Program(const Machine& machine, const std::string& code) : machine_(machine) {
    const unsigned header = machine.wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
    const unsigned entry = machine.wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), word = machine.wide ? 8 : 4;
    bytes_ = std::string(ELFMAG, SELFMAG);
    bytes_ += static_cast<char>(machine.wide ? ELFCLASS64 : ELFCLASS32);
    bytes_ += static_cast<char>(machine.big_endian ? ELFDATA2MSB : ELFDATA2LSB);
    bytes_.resize(EI_NIDENT);
    put(ET_EXEC, 2).put(machine.number, 2).put(EV_CURRENT, 4);
    put(machine.address, word).put(header, word).put(0, word).put(0, 4);
    put(header, 2).put(entry, 2).put(1, 2).put(0, 2).put(0, 2).put(0, 2);
    put(PT_LOAD, 4);
    if (machine.wide) put(PF_R | PF_X, 4);
    put(header + entry, word).put(machine.address, word).put(machine.address, word);
    put(code.size(), word).put(code.size(), word);
    if (!machine.wide) put(PF_R | PF_X, 4);
    put(4, word);
    bytes_ += code;
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  Program& put(std::uint64_t value, unsigned size) {
    for (unsigned i = 0; i < size; ++i)
      bytes_ += static_cast<char>(value >> 8 * (machine_.big_endian ? size - 1 - i : i));
    return *this;
  }
  const Machine& machine_;
  std::string bytes_;
};

/// Keeps the items written to it, as text.
class TextKeeper final : public Writer {
 public:
  explicit TextKeeper(Isa isa) : isa_(isa), text_("! isa " + std::string(name_of(isa)) + "\n") {}
  void write(const Item& item) override {
    checks_->write(item);
    if (item.directive != nullptr)
      append_line(text_, *item.directive);
    else
      append_line(text_, isa_, item.instruction);
    text_ += '\n';
  }
  void close() override {}
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  Isa isa_;
  std::string text_;
  std::unique_ptr<Writer> checks_ = create_text(nowhere, isa_);
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const auto tools = import::tools();
  const import::Tool& tool = tools[data[0] % tools.size()];
  const Machine& machine = machines[data[1] % std::size(machines)];
  const std::string rest(reinterpret_cast<const char*>(data) + 3, size - 3);
  const std::size_t code = std::min<std::size_t>(data[2], rest.size());
  const pmusim::fuzz::MemoryFile program(Program(machine, rest.substr(0, code)).bytes());
  const pmusim::fuzz::MemoryFile file(rest.substr(code));
  TextKeeper keeper(machine.isa);
  std::string error;
  try {
    import::Options options;
    options.isa = machine.isa;
    options.images = {{program.name(), 0}};
    const auto result = import::import_trace(tool, file.name(), options, keeper);
    fuzz::require(result.instructions > 0 || keeper.text().find('\n') + 1 == keeper.text().size(),
                  "what is written is counted");
  } catch (const TraceError& e) {
    error = e.what();
    pmusim::fuzz::require_one_line(error);
    fuzz::require(error.starts_with(file.name()) || error.starts_with(program.name()) || error.starts_with(nowhere) ||
                      error.starts_with(std::string(tool.name)),
                  "an error begins with the name of what is wrong");
  }
  std::string said;
  const std::string again = fuzz::read_as_text(keeper.text(), {}, said);
  // The target of the last branch was not read any more; without an instruction there is no trace.
  fuzz::require(said.empty() || !error.empty() || again.empty(), "what is imported is a legal trace: " + said);
  fuzz::require(again.empty() || keeper.text().starts_with(again), "what is imported reads the same");
  return 0;
}
