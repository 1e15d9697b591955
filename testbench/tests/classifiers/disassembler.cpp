#include "disassembler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <stdexcept>

#include "pmusim/trace/reader.h"
#include "testbench/tests/tools.h"

namespace pmusim::testbench {
namespace {

using trace::Code;
using trace::Isa;

constexpr std::size_t slot_size = 32;  // i386: distance between codes; the gaps are filled with no-ops

std::string tool_of(Isa isa) {
  return isa == Isa::ppc     ? "powerpc-linux-gnu-objdump"
         : isa == Isa::alpha ? "alpha-linux-gnu-objdump"
                             : "i686-linux-gnu-objdump";
}

std::string switches_of(Isa isa) {
  return isa == Isa::ppc     ? "-D -z -b binary -m powerpc:common -EB -M ppc,raw"
         : isa == Isa::alpha ? "-D -z -b binary -m alpha:ev6"
                             : "-D -z -b binary -m i386 -M intel,i386 --insn-width=16";
}

std::size_t step_of(Isa isa) { return isa == Isa::i386 ? slot_size : 4; }

/// Splits a line into the mnemonic with its prefixes, and the operands.
Line split(const std::string& text, unsigned length) {
  static const std::regex shape(R"(^((?:(?:rep|repz|repnz|lock|data16|addr16|[c-gs]s) )*\S+)\s*(.*?)\s*(?:#.*)?$)");
  std::smatch match;
  if (!std::regex_match(text, match, shape)) return {"(bad)", text, length};
  return {match[1], match[2], length};
}

}  // namespace

Code code_of(Isa isa, std::uint32_t word) {
  Code code;
  code.length = 4;
  for (unsigned i = 0; i < 4; ++i)
    code.bytes[i] = static_cast<std::uint8_t>(word >> 8U * (isa == Isa::ppc ? 3U - i : i));
  return code;
}

bool have_disassembler(Isa isa) { return have_tools({tool_of(isa)}); }

std::vector<Line> disassemble(Isa isa, std::vector<Code>& codes) {
  const std::size_t step = step_of(isa);
  std::string image(codes.size() * step, '\x90');
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i].pc = i * step;
    for (unsigned n = 0; n < codes[i].length; ++n) image[i * step + n] = static_cast<char>(codes[i].bytes[n]);
  }
  const auto file = std::filesystem::temp_directory_path() / fmt::format("pmusim-codes-{}.bin", ::getpid());
  std::ofstream(file, std::ios::binary) << image;
  const std::string command = fmt::format("LC_ALL=C {} {} {}", tool_of(isa), switches_of(isa), file.string());
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) throw std::runtime_error(command);
  std::vector<Line> lines(codes.size());
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe.get()) != nullptr) {
    // "  offset:\tbytes\tmnemonic operands\n"
    const std::string line(buffer);
    const std::size_t colon = line.find(":\t"), tab = line.find('\t', colon + 2);
    if (colon == std::string::npos || tab == std::string::npos) continue;
    const std::size_t offset = std::stoul(line.substr(0, colon), nullptr, 16);
    if (offset % step != 0 || offset / step >= lines.size()) continue;
    const std::string bytes = line.substr(colon + 2, tab - colon - 2);
    const auto last = bytes.find_last_not_of(' ');
    std::string text = line.substr(tab + 1);
    text.erase(text.find_last_not_of(" \n\t") + 1);
    lines[offset / step] = split(text, static_cast<unsigned>((last + 2) / 3));
  }
  std::filesystem::remove(file);
  return lines;
}

std::vector<Code> recorded_encodings(Isa isa) {
  std::map<std::string, Code> distinct;
  const std::filesystem::path folder = std::filesystem::path(PMUSIM_SOURCE_DIR) / "isa-traces" / "recorded";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".pmt") continue;
    const auto reader = trace::open(entry.path());
    if (reader->info().isa != isa) continue;
    std::vector<bool> seen;
    for (trace::Item item; reader->next(item);) {
      if (item.directive != nullptr) continue;
      const Code& code = *item.instruction.code;
      if (code.id >= seen.size()) seen.resize(code.id + 1U);
      if (seen[code.id]) continue;
      seen[code.id] = true;
      distinct.emplace(std::string(code.bytes.begin(), code.bytes.begin() + code.length), code);
    }
  }
  std::vector<Code> codes;
  codes.reserve(distinct.size());
  for (auto& [bytes, code] : distinct) codes.push_back(code);
  return codes;
}

}  // namespace pmusim::testbench
