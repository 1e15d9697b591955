// What a trace says of one executed instruction, before anything about a processor is known.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pmusim::trace {

/// Instruction sets of traces.
enum class Isa : std::uint8_t { alpha, ppc, i386, ia64 };
/// As after `! isa`.
[[nodiscard]] std::string_view name_of(Isa isa);
/// Empty for an unknown name.
[[nodiscard]] std::optional<Isa> isa_by_name(std::string_view name);

/// One static instruction (IA-64: bundle): an entry of the code dictionary. Lives as long as its reader.
struct Code {
  std::uint32_t id = 0;                  ///< dense, from 0, in order of first appearance
  std::uint8_t length = 0;               ///< bytes
  std::uint64_t pc = 0;                  ///< address
  std::array<std::uint8_t, 16> bytes{};  ///< in memory order
};

/// One memory access, as reported: address and size of the whole operand.
struct Access {
  std::uint64_t address = 0;  ///< effective address
  std::uint16_t size = 0;     ///< bytes
  bool store = false;         ///< written, else read
  std::uint8_t slot = 0;      ///< IA-64: slot that made it
  bool operator==(const Access&) const = default;
};

/// `rd=` and `wr=`: the instruction accesses a PMU register.
struct RegisterUse {
  std::string name;         ///< name as the trace spells it: PerfCtr0, MMCR0, pmd4
  bool write = false;       ///< `wr=`, else `rd=`
  std::uint64_t value = 0;  ///< value that is written, or that was read
  bool prefixed = false;    ///< the text spelled the value with 0x; writers keep the spelling
  bool operator==(const RegisterUse&) const = default;
};

/// Where an outcome is forced instead of modelled.
enum class Level : std::uint8_t { unset, l1, l2, l3, memory };
/// Where a translation is found, or that there is none.
enum class TlbOutcome : std::uint8_t { unset, hit, l2, walk, fault };
/// What a branch prediction gets wrong: nothing, the path taken or not, or the target.
enum class Mispredict : std::uint8_t { unset, none, path, target };
/// Traps that values cause, which no trace has.
enum class Trap : std::uint8_t { unset, arithmetic };

/// The keys of a line.
enum class Key : std::uint8_t { rd, wr, mispredict, lat, data, dtlb, fetch, itlb, cfm, bsp, loadrs, defer, ftz, trap };

/// `defer=SLOT:EA`, IA-64: a speculative load tried this address and deferred the exception.
struct Deferral {
  std::uint8_t slot = 0;      ///< slot of the load, 0 to 2
  std::uint64_t address = 0;  ///< address of the load
  bool operator==(const Deferral&) const = default;
};

/// The rare `key=value` part of a line.
struct Annotations {
  std::vector<RegisterUse> registers;         ///< accesses of PMU registers
  Mispredict mispredict = Mispredict::unset;  ///< `mispredict=`
  std::optional<std::uint32_t> latency;       ///< data latency in cycles
  Level data = Level::unset;                  ///< `data=`: where the data is found
  TlbOutcome dtlb = TlbOutcome::unset;        ///< `dtlb=`: where its translation is found
  Level fetch = Level::unset;                 ///< `fetch=`: where the instruction is found
  TlbOutcome itlb = TlbOutcome::unset;        ///< `itlb=`: where its translation is found
  // IA-64, where the encodings do not tell: register stack after the line, see ia64::FrameTracker.
  std::optional<std::uint64_t> cfm;      ///< current frame marker, 38 bits as in ar.pfs
  std::optional<std::uint64_t> bsp;      ///< ar.bsp
  std::optional<std::uint32_t> loadrs;   ///< bytes below ar.bsp that a loadrs of the line made sure are in registers
  std::vector<Deferral> deferrals;       ///< IA-64: speculative loads of the line that deferred
  std::optional<std::uint32_t> flushed;  ///< `ftz=N`: floating-point results of the line that were flushed to zero
  Trap trap = Trap::unset;  ///< Alpha: `trap=arithmetic`, the values of the operands cause an arithmetic trap
  std::vector<Key> order;   ///< of the keys in the text, if it is not registers first and the rest as in Key
  bool operator==(const Annotations&) const = default;
};

/// One executed line of the trace. Valid until the next call of the reader.
struct Instruction {
  const Code* code = nullptr;                ///< what was executed; null in an item that is a directive
  bool taken = false;                        ///< the flow of control left the sequence
  std::uint64_t target = 0;                  ///< where it went, if taken
  std::span<const Access> accesses;          ///< memory accesses in their order
  const Annotations* annotations = nullptr;  ///< null for most
  std::array<char, 3> mask{'x', 'x', 'x'};   ///< IA-64: per slot x executed, p predicated off, - not reached
  /// Address of what the program executes next.
  [[nodiscard]] std::uint64_t next_pc() const { return taken ? target : code->pc + code->length; }
};

/// A `!` line: what the outside does before the next instruction. Operands keep their order and spelling.
struct Directive {
  std::string name;                                           ///< the word after `!`
  std::vector<std::pair<std::string, std::string>> operands;  ///< key and value; a bare operand has an empty key
  std::uint64_t line = 0;                                     ///< 1-based line of a text trace, 0 otherwise
};

}  // namespace pmusim::trace
