// Fuzzes the importers of other tools' traces. Byte 0: tool, byte 1: instruction set, byte 2: bytes of code in the
// program file; then this code, and the tool's text. An importer may only throw a TraceError, with one line that begins
// with the file's name. The items written before are a legal trace.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>

#include "isa-traces/import/import.h"
#include "testbench/fuzz/elf_file.h"
#include "testbench/fuzz/input.h"
#include "testbench/fuzz/trace_checks.h"

namespace {

using namespace pmusim::trace;

const std::string nowhere = "/dev/null";

struct Machine {
  Isa isa;
  pmusim::fuzz::ElfMachine elf;
  std::uint64_t address;
};
constexpr Machine machines[] = {{Isa::i386, {3, false, false}, 0x8049000},
                                {Isa::ppc, {20, false, true}, 0x10000000},
                                {Isa::alpha, {0x9026, true, false}, 0x120000000}};

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

/// The names on the command line: a tool's, and a program's with the address where it was loaded.
void check_names(const std::string& text) {
  const import::Tool* const tool = import::find_tool(text);
  fuzz::require(tool == nullptr || tool->name == text, "a tool has its name");
  try {
    fuzz::require(!import::image_of(text).file.empty() || text.empty(), "an image has a file");
  } catch (const TraceError& e) {
    pmusim::fuzz::require_one_line(e.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const auto tools = import::tools();
  const import::Tool& tool = tools[data[0] % tools.size()];
  const Machine& machine = machines[data[1] % std::size(machines)];
  const std::string rest(reinterpret_cast<const char*>(data) + 3, size - 3);
  const std::size_t code = std::min<std::size_t>(data[2], rest.size());
  const pmusim::fuzz::MemoryFile program(pmusim::fuzz::elf_program(machine.elf, machine.address, rest.substr(0, code)));
  const pmusim::fuzz::MemoryFile file(rest.substr(code));
  check_names(rest.substr(0, rest.find_first_of(std::string_view("\n\0", 2))));
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
