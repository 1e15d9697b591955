// Damages recorded traces in memory and counts the reader's reactions: scripts/reliability tries thousands.
//   trace_damage PLACES SEED FILE...
// Prints one JSON object for each kind of damage: the numbers of inputs tried, rejected with a one-line message that
// begins with the name, read like the undamaged trace, and of faults. Memory is limited, so that trusting a wrong size
// is a fault.
#include <sys/resource.h>
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "pmusim/trace/reader.h"
#include "pmusim/trace/text.h"

namespace {

using namespace pmusim::trace;

struct Count {
  std::uint64_t tried = 0, refused = 0, right = 0;
  std::vector<std::string> faults;
};

/// A hash over every item, to detect different contents.
std::uint64_t digest(const std::string& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3; };
  const auto add_text = [&](const std::string& text) { add(std::hash<std::string>{}(text)); };
  const auto reader = open_memory(bytes, "trace");
  add_text(reader->info().program);
  add(static_cast<std::uint64_t>(reader->info().isa));
  for (Item item; reader->next(item);) {
    std::string line;
    if (item.directive != nullptr)
      append_line(line, *item.directive);
    else if (item.instruction.annotations != nullptr)
      append_line(line, reader->info().isa, item.instruction);
    if (!line.empty()) add_text(line);
    if (item.directive != nullptr) continue;
    const Instruction& instruction = item.instruction;
    std::uint64_t words[2];
    std::memcpy(words, instruction.code->bytes.data(), sizeof words);
    for (const std::uint64_t word :
         {instruction.code->pc, words[0], words[1], std::uint64_t{instruction.taken}, instruction.target})
      add(word);
    for (const char c : instruction.mask) add(static_cast<unsigned char>(c));
    for (const Access& access : instruction.accesses) {
      add(access.address);
      add(std::uint64_t{access.size} << 16 | std::uint64_t{access.slot} << 1 | (access.store ? 1u : 0u));
    }
  }
  add(reader->info().instructions);
  return hash;
}

/// The positions of the chunks of a trace.
struct Chunks {
  std::vector<std::size_t> begins;
  std::vector<bool> packed;  ///< for each byte of the file: true in packed payload

  explicit Chunks(const std::string& whole) : packed(whole.size()) {
    constexpr std::size_t header = 4 + 24;  // tag, and the fields after it
    for (std::size_t at = whole.find("CHNK"); at != whole.npos; at = whole.find("CHNK", at)) {
      begins.push_back(at);
      std::uint32_t size = 0;
      std::memcpy(&size, &whole[at + 8], sizeof size);
      std::fill_n(packed.begin() + static_cast<std::ptrdiff_t>(at + header), size, true);
      at += header + size;
    }
  }
};

class Attack {
 public:
  Attack(std::string name, const std::string& whole) : name_(std::move(name)), right_(digest(whole)) {}

  /// `told`: a checksum covers these bytes, so the damage must be reported. Packed bytes have no checksum of their own:
  /// two frames may unpack to the same payload, which has one.
  void with(Count& count, const std::string& bytes, const std::string& what, bool told = true) const {
    ++count.tried;
    try {
      if (digest(bytes) != right_)
        count.faults.push_back(name_ + ": " + what + ": another content");
      else if (!told)
        ++count.right;
      else
        count.faults.push_back(name_ + ": " + what + ": not noticed");
    } catch (const TraceError& error) {
      const std::string said = error.what();
      if (said.starts_with("trace: ") && said.find('\n') == said.npos)
        ++count.refused;
      else
        count.faults.push_back(name_ + ": " + what + ": " + said);
    } catch (const std::exception& error) {
      count.faults.push_back(name_ + ": " + what + ": " + error.what());
    }
  }

 private:
  std::string name_;
  std::uint64_t right_;
};

void put(std::string& bytes, std::size_t at, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(value >> 8 * i);
}

/// Wrong sizes in header and footer, with right check values.
void sizes(Count& count, const Attack& attack, const std::string& whole, const std::vector<std::size_t>& chunks) {
  constexpr std::uint32_t lies[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff};
  for (const std::uint32_t lie : lies) {
    std::string bytes =
        whole;  // most instructions in a chunk: at 16, after magic, version, set, flags, length of the name
    put(bytes, 16, lie);
    const std::size_t name =
        static_cast<unsigned char>(bytes[14]) | static_cast<std::size_t>(static_cast<unsigned char>(bytes[15])) << 8;
    const std::size_t end = 28 + name;
    put(bytes, end,
        static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(end))));
    attack.with(count, bytes, "most instructions in a chunk " + std::to_string(lie), false);
    for (const std::size_t chunk : chunks) {
      for (const std::size_t field : {4u, 8u, 12u}) {
        bytes = whole;
        put(bytes, chunk + field, lie);
        attack.with(
            count, bytes,
            "chunk at " + std::to_string(chunk) + ", field " + std::to_string(field) + ", " + std::to_string(lie),
            bytes != whole);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "usage: trace_damage PLACES SEED FILE...\n";
    return 2;
  }
  const rlimit limit{std::uint64_t{1} << 30, std::uint64_t{1} << 30};
  setrlimit(RLIMIT_AS, &limit);
  const unsigned long places = std::stoul(argv[1]);
  std::mt19937_64 random(std::stoul(argv[2]));
  std::map<std::string, Count> counts;
  for (int i = 3; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    const std::string whole((std::istreambuf_iterator<char>(in)), {});
    const Attack attack(argv[i], whole);
    const Chunks chunks(whole);
    std::vector<std::size_t> bare;
    for (std::size_t at = 0; at < whole.size(); ++at) {
      if (!chunks.packed[at]) bare.push_back(at);
    }
    const auto change = [&](std::size_t at, const char* kind) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 + random() % 255));
      attack.with(counts[kind], bytes, "byte " + std::to_string(at), !chunks.packed[at]);
    };
    for (unsigned long place = 0; place < places; ++place) {
      const std::size_t at = random() % whole.size();
      change(at, "byte");
      change(bare[random() % bare.size()], "bare");
      // A burst, as if one sector came from another file.
      std::string bytes = whole;
      const std::size_t length = std::min<std::size_t>(1 + random() % 4096, whole.size() - at);
      bool told = false;
      for (std::size_t b = at; b < at + length; ++b) {
        bytes[b] = static_cast<char>(random());
        told = told || (!chunks.packed[b] && bytes[b] != whole[b]);
      }
      attack.with(counts["burst"], bytes, std::to_string(length) + " bytes from " + std::to_string(at), told);
    }
    std::vector<std::size_t> cuts;
    for (const std::size_t chunk : chunks.begins)
      cuts.insert(cuts.end(), {chunk - 1, chunk, chunk + 1, chunk + 27, chunk + 28});
    for (unsigned long place = 0; place < places; ++place) cuts.push_back(random() % whole.size());
    for (const std::size_t cut : cuts)
      attack.with(counts["cut"], whole.substr(0, cut), "cut to " + std::to_string(cut));
    sizes(counts["sizes"], attack, whole, chunks.begins);
  }
  for (const auto& [kind, count] : counts) {
    std::cout << nlohmann::json{{"kind", kind},
                                {"tried", count.tried},
                                {"refused", count.refused},
                                {"right", count.right},
                                {"faults", count.faults}}
                     .dump()
              << '\n';
  }
}
