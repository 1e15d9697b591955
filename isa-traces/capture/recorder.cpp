// A QEMU plugin that writes the instructions of a user program in the text interchange form.
//   qemu-ppc -plugin file=libpmusim-recorder.so,out=FILE,map=FILE PROGRAM
// The line of an instruction is written when the next instruction starts, because its branch target is known only then.
#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qemu_plugin.h"

#define PMUSIM_EXPORT extern "C" __attribute__((visibility("default")))

PMUSIM_EXPORT int qemu_plugin_version;
int qemu_plugin_version = 1;

namespace {

struct Instruction {
  std::uint64_t pc = 0;
  std::size_t size = 0;
  std::array<std::uint8_t, 16> bytes{};
};

struct Access {
  std::uint64_t address = 0;
  unsigned size = 0;
  bool store = false;
};

enum class Isa { ppc, i386, alpha };

/// A mapping of the emulator's memory from which instructions were translated.
struct Mapping {
  std::uintptr_t begin = 0, end = 0;
  std::uint64_t offset = 0;  // of `begin` in the file
  std::string file;          // empty: not of a file
  std::uint64_t pc = 0;      // the program's address of an instruction in it
  std::uintptr_t place = 0;  // and the emulator's
  [[nodiscard]] bool holds(std::uintptr_t at) const { return at >= begin && at < end; }
};

/// The state of the recording. It is a global object, because the plugin interface has no other place for it.
struct Recording {
  std::FILE* out = nullptr;
  std::FILE* map = nullptr;
  std::vector<Mapping> mappings;
  std::uint64_t left = UINT64_MAX;  // number of instructions that may still be recorded
  Isa isa = Isa::ppc;
  std::deque<Instruction> code;  // never shrinks: the emulator holds pointers into it
  const Instruction* current = nullptr;
  std::array<Access, 64> accesses{};
  std::size_t access_count = 0;
};
Recording recording;

/// Exit statuses with which the plugin ends the emulator.
constexpr int failed = 125, limit_reached = 124, cannot_write = 123;

/// Ends the emulator. The trace lacks its last line and is therefore treated as cut off.
[[noreturn]] void fail(const char* message) {
  std::fprintf(stderr, "recorder: %s\n", message);
  std::_Exit(failed);
}

std::uint32_t word_of(const Instruction& i) {  // PowerPC and Alpha: 32 bits, in the byte order of the ISA
  const auto& b = i.bytes;
  const bool big = recording.isa == Isa::ppc;
  const auto byte = [&](unsigned n) { return static_cast<std::uint32_t>(b[big ? n : 3 - n]); };
  return byte(0) << 24U | byte(1) << 16U | byte(2) << 8U | byte(3);
}

bool is_store_conditional(const Instruction& i) {
  const std::uint32_t word = word_of(i);
  switch (recording.isa) {
    case Isa::ppc:
      return word >> 26U == 31 && (word & 0x7FFU) == (150U << 1U | 1U);  // stwcx.
    case Isa::alpha:
      return word >> 26U == 0x2E || word >> 26U == 0x2F;  // stl_c, stq_c
    case Isa::i386:
      return false;
  }
  return false;
}

/// True if this instruction can directly follow itself: repeated string instructions and near branches.
bool may_follow_itself(const Instruction& i) {
  constexpr std::string_view prefixes = "\x26\x2E\x36\x3E\x64\x65\x66\x67\xF0";
  std::size_t at = 0;
  while (at + 1 < i.size && prefixes.find(static_cast<char>(i.bytes[at])) != std::string_view::npos) ++at;
  const std::uint8_t opcode = i.bytes[at];
  if (opcode == 0xF2 || opcode == 0xF3) return true;
  if (opcode == 0x0F) return i.bytes[at + 1] >= 0x80 && i.bytes[at + 1] <= 0x8F;
  return (opcode >= 0x70 && opcode <= 0x7F) || (opcode >= 0xE0 && opcode <= 0xE3) || opcode == 0xE9 || opcode == 0xEB ||
         opcode == 0xFF;
}

/// True if the emulator restarted an instruction after it modified its own block. It was executed only once.
bool is_restart(const Instruction& i) {
  return recording.isa == Isa::i386 && recording.access_count == 0 && !may_follow_itself(i);
}

void drop_load_of_store_conditional() {
  if (recording.access_count != 2 || recording.accesses[0].store || !recording.accesses[1].store) return;
  recording.accesses[0] = recording.accesses[1];
  recording.access_count = 1;
}

void write_current(const Instruction* next) {
  const Instruction& i = *recording.current;
  if (recording.left-- == 0) std::_Exit(limit_reached);
  if (is_store_conditional(i)) drop_load_of_store_conditional();
  char line[64 + 64 * 32];
  char* at = line;
  at += std::sprintf(at, "%" PRIx64 " ", i.pc);
  for (std::size_t n = 0; n < i.size; ++n) {
    *at++ = "0123456789abcdef"[i.bytes[n] >> 4U];
    *at++ = "0123456789abcdef"[i.bytes[n] & 15U];
  }
  for (std::size_t n = 0; n < recording.access_count; ++n) {
    const Access& a = recording.accesses[n];
    at += std::sprintf(at, " %c %" PRIx64 " %u", a.store ? 'S' : 'L', a.address, a.size);
  }
  if (next != nullptr && next->pc != i.pc + i.size) at += std::sprintf(at, " T %" PRIx64, next->pc);
  *at++ = '\n';
  if (std::fwrite(line, 1, static_cast<std::size_t>(at - line), recording.out) != static_cast<std::size_t>(at - line)) {
    std::_Exit(cannot_write);
  }
}

void executed(unsigned vcpu, void* user) {
  if (vcpu != 0) fail("the program started a second thread; a trace holds one");
  const auto* next = static_cast<const Instruction*>(user);
  if (recording.current != nullptr && !(next->pc == recording.current->pc && is_restart(*recording.current))) {
    write_current(next);
  }
  recording.current = next;
  recording.access_count = 0;
}

void accessed(unsigned, std::uint32_t info, std::uint64_t address, void*) {
  const Access now{address, 1U << qemu_plugin_mem_size_shift(info), qemu_plugin_mem_is_store(info)};
  if (recording.access_count > 0) {  // an 80-bit x87 operand is reported as 8 + 2 bytes
    Access& last = recording.accesses[recording.access_count - 1];
    const bool upper_part = last.size == 8 && now.size == 2 && now.address == last.address + 8;
    if (recording.isa == Isa::i386 && upper_part && now.store == last.store) {
      last.size = 10;
      return;
    }
  }
  if (recording.access_count == recording.accesses.size()) fail("an instruction with more than 64 accesses");
  recording.accesses[recording.access_count++] = now;
}

/// Finds the mapping of the emulator's memory that holds an address. Does nothing if there is none.
void add_mapping(std::uintptr_t place, std::uint64_t pc) {
  std::FILE* const maps = std::fopen("/proc/self/maps", "r");
  if (maps == nullptr) return;
  std::array<char, 4352> line{};  // a path of the longest kind, and the fields before it
  while (std::fgets(line.data(), line.size(), maps) != nullptr) {
    Mapping one;
    int path = 0;
    if (std::sscanf(line.data(), "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNx64 " %*s %*s %n", &one.begin, &one.end,
                    &one.offset, &path) != 3 ||
        !one.holds(place))
      continue;
    one.pc = pc;
    one.place = place;
    one.file = line.data() + path;
    while (!one.file.empty() && one.file.back() == '\n') one.file.pop_back();
    recording.mappings.push_back(std::move(one));
    break;
  }
  std::fclose(maps);
}

void note_mapping(qemu_plugin_insn* insn) {
  const auto place = reinterpret_cast<std::uintptr_t>(qemu_plugin_insn_haddr(insn));
  for (const Mapping& one : recording.mappings) {
    if (one.holds(place)) return;
  }
  add_mapping(place, qemu_plugin_insn_vaddr(insn));
}

/// Writes a line for each mapping of a file: an instruction in it, by its address and its offset in the file, both
/// hexadecimal, and the file.
void write_mappings() {
  for (const Mapping& one : recording.mappings) {
    if (one.file.empty() || one.file[0] != '/') continue;
    std::fprintf(recording.map, "%" PRIx64 " %" PRIx64 " %s\n", one.pc, one.offset + (one.place - one.begin),
                 one.file.c_str());
  }
  if (std::fclose(recording.map) != 0) std::_Exit(cannot_write);
}

void translated(std::uint64_t, qemu_plugin_tb* block) {
  for (std::size_t n = 0; n < qemu_plugin_tb_n_insns(block); ++n) {
    qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, n);
    if (n == 0 && recording.map != nullptr) note_mapping(insn);
    Instruction& entry = recording.code.emplace_back();
    entry.pc = qemu_plugin_insn_vaddr(insn);
    entry.size = qemu_plugin_insn_size(insn);
    if (entry.size > entry.bytes.size()) fail("an instruction longer than 16 bytes");
    std::memcpy(entry.bytes.data(), qemu_plugin_insn_data(insn), entry.size);
    qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, 0, &entry);
    qemu_plugin_register_vcpu_mem_cb(insn, accessed, 0, 3, &entry);
  }
}

void finished(std::uint64_t, void*) {
  if (recording.map != nullptr) write_mappings();
  if (recording.current != nullptr) write_current(nullptr);
  std::fputs("# end of recording\n", recording.out);
  if (std::fclose(recording.out) != 0) std::_Exit(cannot_write);
}

}  // namespace

PMUSIM_EXPORT int qemu_plugin_install(std::uint64_t id, const QemuInfo* info, int argc, char** argv) {
  const std::string_view target = info->target_name;
  if (target == "ppc") {
    recording.isa = Isa::ppc;
  } else if (target == "i386") {
    recording.isa = Isa::i386;
  } else if (target == "alpha") {
    recording.isa = Isa::alpha;
  } else {
    std::fprintf(stderr, "recorder: cannot record for %s; it records ppc, i386 and alpha\n", info->target_name);
    return 1;
  }
  for (int n = 0; n < argc; ++n) {
    if (std::strncmp(argv[n], "out=", 4) == 0) recording.out = std::fopen(argv[n] + 4, "w");
    if (std::strncmp(argv[n], "map=", 4) == 0) recording.map = std::fopen(argv[n] + 4, "w");
    if (std::strncmp(argv[n], "limit=", 6) == 0) recording.left = std::strtoull(argv[n] + 6, nullptr, 10);
  }
  if (recording.out == nullptr) {
    std::fprintf(stderr, "recorder: cannot create the trace; give out=FILE in a folder that can be written\n");
    return 1;
  }
  std::fprintf(recording.out, "! isa %s\n", info->target_name);
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, finished, nullptr);
  return 0;
}
