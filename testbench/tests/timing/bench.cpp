#include "bench.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "pmusim/trace/reader.h"
#include "testbench/tests/scratch.h"
#include "testbench/tests/tools.h"

namespace pmusim::timing {
namespace {

const models::Target& known(std::string_view name) {
  if (const models::Target* target = models::find_target(name)) return *target;
  throw std::runtime_error(fmt::format("no target {}", name));
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

Chip::Chip(std::string_view target) : target_(known(target)), parameters_(target_.parameters()) {}

double Chip::clocks(const std::string& text) const {
  constexpr core::Cycle block_cycles = 100'000;
  trace::ReadOptions options;
  options.isa = target_.isa;
  const auto core = target_.make_core(trace::open_text(text, "timing", options), parameters_);
  core->subscribe({});  // only the time is read
  core::Block block;
  for (bool more = true; more;) {
    block.restart(core->now());
    more = core->run(core->now() + block_cycles, block);
  }
  return static_cast<double>(core->now());
}

double Chip::each(const Program& program, unsigned n) const {
  return (clocks(program(2 * n)) - clocks(program(n))) / n;
}

Code& Code::op(const std::string& bytes, const std::string& accesses, const std::string& keys) {
  text_ += fmt::format("{:x} {} {} {} {} {}\n", pc_, bytes, mask_, accesses, pc_ % fetched_ == 0 ? keys_ : "", keys);
  pc_ += bytes.size() / 2;
  return *this;
}

Code& Code::go(const std::string& bytes, std::uint64_t target, const std::string& accesses, const std::string& keys,
               const std::string& mark) {
  op(bytes, fmt::format("{} {} {:x}", accesses, mark, target), keys);
  pc_ = target;
  return *this;
}

std::vector<std::string> assembled(const std::string& machine, const std::vector<std::string>& lines,
                                   const std::string& options) {
  // A section with the size of each instruction: the distance between labels at the lines.
  std::string text = ".text\n", sizes = ".section .sizes,\"a\"\n";
  std::size_t number = 0;
  for (const std::string& line : lines) {
    text += fmt::format("{}\ni{}:\n", line.substr(0, line.find(" @")), number + 1);
    sizes += number == 0 ? ".byte i1 - .text\n" : fmt::format(".byte i{} - i{}\n", number + 1, number);
    ++number;
  }
  const testbench::Scratch scratch;
  const std::string base = (scratch.path() / "lines").string();
  std::ofstream(base + ".s") << text << sizes;
  const std::string command = fmt::format(
      "{1}-as {2} -o {0}.o {0}.s && {1}-objcopy -O binary -j .text {0}.o {0}.text && "
      "{1}-objcopy -O binary -j .sizes {0}.o {0}.sizes",
      as_word(base), machine, options);
  if (std::system(command.c_str()) != 0) throw std::runtime_error("binutils refuse: " + command);
  const std::string bytes = contents(base + ".text"), lengths = contents(base + ".sizes");
  std::vector<std::string> encodings(lines.size());
  auto at = bytes.begin();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (auto left = static_cast<unsigned char>(lengths.at(i)); left != 0; --left)
      encodings[i] += fmt::format("{:02x}", static_cast<unsigned char>(*at++));
  }
  return encodings;
}

unsigned largest(unsigned least, unsigned most, const std::function<bool(unsigned)>& fits) {
  if (!fits(least)) return 0;
  while (least < most) {
    const unsigned middle = least + (most - least + 1) / 2;
    if (fits(middle)) {
      least = middle;
    } else {
      most = middle - 1;
    }
  }
  return least;
}

double Walk::load(const std::vector<std::uint64_t>& addresses) const {
  const auto passes = [&](unsigned n) {
    std::vector<std::uint64_t> all;
    for (; n != 0; --n) all.insert(all.end(), addresses.begin(), addresses.end());
    return chip_.clocks(chain_(all));
  };
  // Enough passes that requests of the first pass to memory have completed.
  const auto warm = static_cast<unsigned>(2 + 1000 / addresses.size());
  return (passes(warm + 1) - passes(warm)) / static_cast<double>(addresses.size());
}

double Walk::load(unsigned n, std::uint64_t apart) const {
  constexpr std::uint64_t start = 0x1000000;
  std::vector<std::uint64_t> addresses;
  for (unsigned i = 0; i < n; ++i) addresses.push_back(start + i * apart);
  return load(addresses);
}

unsigned Walk::fit(std::uint64_t apart, unsigned few, unsigned most) const {
  const double hit = load(few, apart);
  // One address too many costs several clocks in every pass.
  const auto fits = [&](unsigned n) { return load(n * few, apart) * n * few < hit * n * few + 2; };
  return few * largest(1, most / few, fits);
}

unsigned Walk::line(unsigned bytes) const {
  const auto clocks = [&](unsigned apart) { return load(bytes / apart, apart); };
  unsigned apart = 8;
  constexpr double more = 1.1;
  while (clocks(2 * apart) > more * clocks(apart)) apart *= 2;
  return apart;
}

}  // namespace pmusim::timing
