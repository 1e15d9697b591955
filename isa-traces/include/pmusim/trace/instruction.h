// The information of a trace about one executed instruction, independent of any processor.
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
/// Name of an instruction set as in `! isa NAME`.
[[nodiscard]] std::string_view name_of(Isa isa);
/// The instruction set with this name; empty for an unknown name.
[[nodiscard]] std::optional<Isa> isa_by_name(std::string_view name);

/// One static instruction (IA-64: bundle): an entry of the code dictionary. Valid for the lifetime of its reader.
struct Code {
  std::uint32_t id = 0;                  ///< consecutive numbers from 0, in the order of first occurrence
  std::uint8_t length = 0;               ///< length in bytes
  std::uint64_t pc = 0;                  ///< address
  std::array<std::uint8_t, 16> bytes{};  ///< in memory order
};

/// One memory access as recorded: address and size of the whole operand.
struct Access {
  std::uint64_t address = 0;  ///< effective address
  std::uint16_t size = 0;     ///< size in bytes
  bool store = false;         ///< true: a write, false: a read
  std::uint8_t slot = 0;      ///< IA-64: slot of the access
  bool operator==(const Access&) const = default;
};

/// `rd=` and `wr=`: the instruction accesses a PMU register.
struct RegisterUse {
  std::string name;         ///< name as in the trace: PerfCtr0, MMCR0, pmd4
  bool write = false;       ///< true: `wr=`, false: `rd=`
  std::uint64_t value = 0;  ///< value written or read
  bool prefixed = false;    ///< the text has 0x before the value; writers preserve it
  bool operator==(const RegisterUse&) const = default;
};

/// The level that serves an access, if the trace forces it instead of leaving it to the model.
enum class Level : std::uint8_t { unset, l1, l2, l3, memory };
/// The structure that provides a translation, or a fault, if the trace forces it.
enum class TlbOutcome : std::uint8_t { unset, hit, l2, walk, fault };
/// The kind of misprediction that the trace forces: none, the direction, or the target.
enum class Mispredict : std::uint8_t { unset, none, path, target };
/// Traps that depend on operand values, which are not in the trace.
enum class Trap : std::uint8_t { unset, arithmetic };

/// The keys of a line.
enum class Key : std::uint8_t { rd, wr, mispredict, lat, data, dtlb, fetch, itlb, cfm, bsp, loadrs, defer, ftz, trap };

/// `defer=SLOT:EA`, IA-64: a speculative load accessed this address and deferred the exception.
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
  Level data = Level::unset;                  ///< `data=`: level that serves the data
  TlbOutcome dtlb = TlbOutcome::unset;        ///< `dtlb=`: outcome of the data translation
  Level fetch = Level::unset;                 ///< `fetch=`: level that serves the instruction
  TlbOutcome itlb = TlbOutcome::unset;        ///< `itlb=`: outcome of the instruction translation
  // IA-64: register stack after the line, if it does not follow from the encodings; see ia64::FrameTracker.
  std::optional<std::uint64_t> cfm;      ///< current frame marker, 38 bits as in ar.pfs
  std::optional<std::uint64_t> bsp;      ///< ar.bsp
  std::optional<std::uint32_t> loadrs;   ///< bytes below ar.bsp that a loadrs of the line loaded into registers
  std::vector<Deferral> deferrals;       ///< IA-64: speculative loads of the line that deferred
  std::optional<std::uint32_t> flushed;  ///< `ftz=N`: floating-point results of the line that were flushed to zero
  Trap trap = Trap::unset;               ///< Alpha: `trap=arithmetic`, the operand values cause an arithmetic trap
  std::vector<Key> order;  ///< order of the keys in the text, if it is not registers first, then as in Key
  bool operator==(const Annotations&) const = default;
};

/// One executed line of the trace. Valid until the next call of the reader.
struct Instruction {
  const Code* code = nullptr;                ///< the static instruction; null in an item that is a directive
  bool taken = false;                        ///< the next instruction is at `target`
  std::uint64_t target = 0;                  ///< address of the next instruction, if taken
  std::span<const Access> accesses;          ///< memory accesses in order
  const Annotations* annotations = nullptr;  ///< keys of the line; null for most lines
  std::array<char, 3> mask{'x', 'x', 'x'};   ///< IA-64: for each slot x executed, p predicated off, - not reached
  /// Address of the next executed instruction.
  [[nodiscard]] std::uint64_t next_pc() const { return taken ? target : code->pc + code->length; }
};

/// A `!` line: an external event before the next instruction. Operands keep their order and spelling.
struct Directive {
  std::string name;                                           ///< the word after `!`
  std::vector<std::pair<std::string, std::string>> operands;  ///< key and value; the key can be empty
  std::uint64_t line = 0;                                     ///< 1-based line of a text trace, 0 otherwise
};

}  // namespace pmusim::trace
