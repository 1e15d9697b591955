#include "assembled.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <stdexcept>

#include "testbench/tests/tools.h"

namespace pmusim::testbench {

namespace fs = std::filesystem;

std::vector<std::uint8_t> assemble(const std::vector<fs::path>& sources, const std::string& switches) {
  const Scratch scratch;
  std::string command, objects;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string object = as_word(scratch / fmt::format("{}.o", i));
    command += fmt::format("ia64-linux-gnu-as {} -o {} {} && ", switches, object, as_word(sources[i]));
    objects += " " + object;
  }
  const fs::path program = scratch.path() / "program";
  command += fmt::format("ia64-linux-gnu-ld -static -o {}{}", as_word(program), objects);
  if (std::system(command.c_str()) != 0) throw std::runtime_error("binutils refuse: " + command);
  std::ifstream in(program, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::uint8_t> assemble_text(const std::string& source, const std::string& switches) {
  const Scratch scratch;
  const fs::path file = scratch.path() / "source.s";
  std::string text = source;
  if (switches.empty()) {  // the assembler inserts the stops itself and warns about missing ones
    for (std::size_t at = text.find(";;"); at != text.npos; at = text.find(";;", at)) text.replace(at, 2, "  ");
  }
  std::ofstream(file) << text;
  return assemble({file}, switches);
}

std::vector<std::uint64_t> evaluate(const std::vector<std::string>& snippets) {
  std::string text = ".text\n.global _start\n_start:\nalloc r2 = ar.pfs, 0, 96, 0, 0\nmovl r13 = results\n;;\n";
  for (const std::string& snippet : snippets) text += snippet + "\n;;\nst8 [r13] = r8, 8\n;;\n";
  // write(1, results, size), exit(0); the arguments are in the first output registers
  text += fmt::format(
      "alloc r2 = ar.pfs, 0, 0, 3, 0\n;;\nmov r32 = 1\nmovl r33 = results\nmovl r34 = {}\nmov r15 = 1027\n;;\n"
      "break.m 0x100000\n;;\nmov r32 = 0\nmov r15 = 1025\n;;\nbreak.m 0x100000\n;;\n"
      ".data\n.align 16\nwork: .skip 1024\nresults: .skip {}\n",
      8 * snippets.size(), 8 * snippets.size());
  const auto program = assemble_text(text);
  std::vector<std::uint64_t> results(snippets.size());
  trace::ia64::SimulationOptions options;
  options.output = [&](int, std::string_view bytes) {
    ASSERT_EQ(bytes.size(), 8 * results.size());
    std::memcpy(results.data(), bytes.data(), bytes.size());
  };
  (void)trace::ia64::simulate(program, "snippets", options);
  return results;
}

std::string error_of(const std::string& source, const trace::ia64::SimulationOptions& options) {
  const auto program =
      assemble_text(".text\n.global _start\n_start:\n" + source + "\n.data\n.align 16\n.skip 1\nodd: .skip 15\n");
  try {
    (void)trace::ia64::simulate(program, "program", options);
  } catch (const trace::ia64::SimulationError& error) {
    EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos);
    return error.what();
  }
  return {};
}

namespace {

namespace fs = std::filesystem;

/// A pseudo-op: the mnemonic that binutils prints, and the manual's mnemonic for its encoding.
struct Pseudo {
  const char* word;
  const char* base;
};
constexpr Pseudo pseudos[] = {{"mov", "adds"},         {"mov", "addl"},        {"mov", "fmerge.s"},
                              {"fneg", "fmerge.ns"},   {"fabs", "fmerge.s"},   {"fnegabs", "fmerge.ns"},
                              {"fpneg", "fpmerge.ns"}, {"fpabs", "fpmerge.s"}, {"fpnegabs", "fpmerge.ns"},
                              {"fadd", "fma"},         {"fmpy", "fma"},        {"fnorm", "fma"},
                              {"fsub", "fms"},         {"fnmpy", "fnma"},      {"fpmpy", "fpma"},
                              {"fpnmpy", "fpnma"},     {"xmpy.l", "xma.l"},    {"xmpy.lu", "xma.l"},
                              {"xmpy.h", "xma.h"},     {"xmpy.hu", "xma.hu"},  {"shl", "dep.z"},
                              {"shr", "extr"},         {"shr.u", "extr.u"},    {"fcvt.xuf", "fma"},
                              {"br", "br.cond"},       {"brl", "brl.cond"},    {"xma.lu", "xma.l"},
                              {"ldf8", "ldf8"},        {"add", "adds"},        {"and", "and"},
                              {"chk.s", "chk.s.m"},    {"chk.s", "chk.s.i"}};

}  // namespace

std::vector<DisassembledBundle> disassemble(const std::vector<BundleBytes>& bundles) {
  const fs::path file = fs::temp_directory_path() / fmt::format("pmusim-bundles-{}.bin", ::getpid());
  {
    std::ofstream out(file, std::ios::binary);
    for (const BundleBytes& bundle : bundles) out.write(reinterpret_cast<const char*>(bundle.data()), 16);
  }
  const std::string command = fmt::format("LC_ALL=C ia64-linux-gnu-objdump -D -z -b binary -m ia64 {}", as_word(file));
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error(command);
  std::string text;
  char buffer[65536];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, n);
  ::pclose(pipe);
  fs::remove(file);

  std::vector<DisassembledBundle> result(bundles.size());
  static const std::regex shape(
      R"(^ *([0-9a-f]+):\t[0-9a-f ]+\t *(?:\[(...)\])? *(?:\((p[0-9]+)\))? *(\S*) ?(.*?)(?:;;)?$)");
  std::istringstream lines(text);
  std::smatch m;
  for (std::string line; std::getline(lines, line);) {
    if (!std::regex_match(line, m, shape)) continue;
    const std::uint64_t address = std::stoull(m[1], nullptr, 16);
    DisassembledBundle& bundle = result.at(address / 16);
    const unsigned slot = address % 16 == 0 ? 0 : address % 16 == 6 ? 1 : 2;
    if (slot == 0) bundle.units = m[2];
    std::string mnemonic = m[4];
    if (mnemonic.ends_with(";;")) mnemonic.resize(mnemonic.size() - 2);
    // the one line of an MLX pair is printed for slot 1; the last bytes follow without a mnemonic
    if (bundle.units == "MLX" && slot == 1) {
      bundle.slots[2] = {m[3], mnemonic, m[5]};
    } else if (!mnemonic.empty()) {
      bundle.slots[slot] = {m[3], mnemonic, m[5]};
    }
  }
  return result;
}

BundleBytes bundle_of(unsigned template_number, std::array<std::uint64_t, 3> slots) {
  const std::uint64_t low = template_number | slots[0] << 5 | slots[1] << 46;
  const std::uint64_t high = slots[1] >> 18 | slots[2] << 23;
  BundleBytes bytes{};
  for (unsigned i = 0; i < 8; ++i) {
    bytes[i] = static_cast<std::uint8_t>(low >> 8 * i);
    bytes[i + 8] = static_cast<std::uint8_t>(high >> 8 * i);
  }
  return bytes;
}

bool same_mnemonic(const DisassembledSlot& theirs, const std::string& ours) {
  std::string word = theirs.mnemonic;
  // names of the locality completers on later processors
  static const std::regex data_hint(R"(\.d([1-7]))");
  if (std::smatch m; std::regex_search(word, m, data_hint)) {
    constexpr const char* names[] = {"", ".nt1", ".nt2", ".nta"};
    word.replace(static_cast<std::size_t>(m.position()), 3, names[(m.str(1)[0] - '0') & 3]);
  }
  if (word == ours) return true;
  if ((word == "br" || word == "brl" || word.starts_with("br.") || word.starts_with("brl.")) &&
      (ours.starts_with("br.cond") || ours.starts_with("brl.cond"))) {
    // an unconditional branch is printed without its type and whether completer
    return (word.find(".many") != word.npos) == (ours.find(".many") != ours.npos) &&
           (word.find(".clr") != word.npos) == (ours.find(".clr") != ours.npos);
  }
  for (const auto& [pseudo, base] : pseudos) {
    const std::string p(pseudo), b(base);
    if (!word.starts_with(p) || !ours.starts_with(b)) continue;
    if (word.substr(p.size()) == ours.substr(b.size())) return true;
  }
  return false;
}

}  // namespace pmusim::testbench
