#include "simulate.h"

#include <fmt/format.h>

#include <memory>

#include "machine.h"

namespace pmusim::trace::ia64 {
namespace {

// Addresses of the memory stack and the register stack in region 4, as in Linux: the memory stack grows down, the
// backing store grows up. There are no arguments and no environment, so that all runs are identical.
constexpr std::uint64_t stack_top = 0x9fffffffffff0000, stack_size = 8 << 20;
constexpr std::uint64_t backing_store = 0x9fffffff80000000, backing_size = 8 << 20;

/// A bundle, decoded once.
struct DecodedBundle {
  Code code;
  std::array<Operation, 3> operations;
  std::array<Handler, 3> handlers{};
  std::unique_ptr<Bundle> description;  ///< created when the bundle is first recorded
  bool long_immediate = false;          ///< MLX: slots 1 and 2 are one instruction
};

/// The decoded bundles of the executable segments, in blocks that are allocated at the first execution.
class CodeStore {
 public:
  CodeStore(Memory& memory, const std::vector<CodeRange>& ranges) : memory_(memory) {
    for (const CodeRange& range : ranges) {
      if (range.end > range.begin)
        ranges_.push_back({range, std::vector<std::unique_ptr<Block>>((range.end - range.begin) / block_size + 1)});
    }
  }

  /// The bundle at an address. Throws Fault if there is no code.
  DecodedBundle& at(std::uint64_t address) {
    for (Range& r : ranges_) {
      if (address < r.where.begin || address >= r.where.end) continue;
      auto& block = r.blocks[(address - r.where.begin) / block_size];
      if (!block) block = std::make_unique<Block>();
      auto& place = (*block)[(address - r.where.begin) % block_size / 16];
      if (!place) place = decode_at(address);
      return *place;
    }
    throw Fault("no executable code there");
  }

  /// Discards the decoded bundles of writable segments: after srlz.i or sync.i modified code takes effect.
  void forget_changed() {
    for (Range& r : ranges_) {
      if (!r.where.writable) continue;
      for (auto& block : r.blocks) block.reset();
    }
  }

 private:
  static constexpr std::uint64_t block_size = 16384;
  using Block = std::array<std::unique_ptr<DecodedBundle>, block_size / 16>;
  struct Range {
    CodeRange where;
    std::vector<std::unique_ptr<Block>> blocks;
  };

  std::unique_ptr<DecodedBundle> decode_at(std::uint64_t address) {
    auto bundle = std::make_unique<DecodedBundle>();
    bundle->code.id = count_++;
    bundle->code.length = 16;
    bundle->code.pc = address;
    memory_.read(address, bundle->code.bytes.data(), 16);
    const unsigned number = bundle->code.bytes[0] & 31;
    const Template& shape = template_of(number);
    if (!shape.legal) throw Fault("template {:02x} is reserved", number);
    const auto encodings = slots_of(bundle->code.bytes);
    bundle->long_immediate = shape.units[1] == Unit::L;
    for (unsigned i = 0; i < 3; ++i) {
      Operation& o = bundle->operations[i];
      o = decode_slot(shape.units[i], encodings[i], i == 2 ? encodings[1] : 0, address);
      bundle->handlers[i] = handlers()[static_cast<std::size_t>(o.op)];
    }
    return bundle;
  }

  Memory& memory_;
  std::vector<Range> ranges_;
  std::uint32_t count_ = 0;
};

/// Effects of an instruction with a false predicate: unconditional compares clear their targets.
void execute_predicated_off(Machine& m, const Operation& o) {
  const Kind kind = o.row->kind;
  const bool unconditional =
      kind == Kind::compare || kind == Kind::test
          ? static_cast<CompareType>(o.argument >> 4 & 15) == CompareType::unc
          : (kind == Kind::fp_compare && o.argument >> 4 != 0) || (kind == Kind::fp_class && o.argument != 0);
  if (unconditional) m.set_pr(o.p1, false);
  if (unconditional || kind == Kind::fp_reciprocal) m.set_pr(o.p2, false);
}

/// Creates the keys of a line, for facts that a reader cannot derive from the encodings.
class Notes {
 public:
  const Annotations* of(const Bundle& bundle, const Instruction& line, const Machine& m) {
    tracker_.step(bundle, line);
    const Effects& e = m.effects;
    annotations_.registers = e.registers;
    annotations_.deferrals = e.deferrals;
    annotations_.loadrs = e.loadrs;
    annotations_.flushed.reset();
    if (e.flushed != 0) annotations_.flushed = e.flushed;
    annotations_.cfm.reset();
    annotations_.bsp.reset();
    if (!(tracker_.frame() == m.frame())) {
      annotations_.cfm = m.frame().marker();
      tracker_.set(m.frame());
    }
    if (const std::uint64_t bsp = m.read_ar(ar_bsp); tracker_.bsp() != bsp) {
      annotations_.bsp = bsp;
      tracker_.set_bsp(bsp);
    }
    return annotations_ == Annotations{} ? nullptr : &annotations_;
  }

 private:
  FrameTracker tracker_;
  Annotations annotations_;
};

class Run {
 public:
  Run(std::span<const std::uint8_t> elf, const std::string& name, const SimulationOptions& options)
      : name_(name),
        options_(options),
        program_(load_elf(elf, name, memory_)),
        code_(memory_, program_.code),
        machine_(memory_) {
    memory_.map(stack_top - stack_size, stack_size + Memory::page_size, true);
    memory_.map(backing_store, backing_size, true);
    machine_.stack().bsp = backing_store;
    machine_.set_gr(12, stack_top);
    machine_.ar[ar_fpsr] = 0x0009804c8a70033f;  // all traps disabled, as set by Linux at program start
    machine_.output = options.output;
    machine_.ip = program_.entry;
  }

  SimulationResult run() {
    while (!machine_.effects.exited) {
      try {
        step();
      } catch (const Fault& fault) {
        throw SimulationError(place() + fault.what());
      }
    }
    result_.exit_status = machine_.exit_status;
    result_.slots = machine_.executed_slots;
    return result_;
  }

 private:
  /// The beginning of a message, such as "FILE: bundle 4000000000000120, slot 1, ld8: ".
  [[nodiscard]] std::string place() const {
    std::string text = fmt::format("{}: bundle {:x}", name_, machine_.ip);
    if (current_ == nullptr) return text + ": ";
    text += fmt::format(", slot {}", machine_.slot);
    const Row* const row = current_->operations[machine_.slot].row;
    if (row != nullptr) text += ", " + row->mnemonic.substr(0, row->mnemonic.find('{'));
    return text + ": ";
  }

  void step() {
    Machine& m = machine_;
    current_ = nullptr;
    if (m.executed_slots >= options_.most_slots) {
      throw Fault("{} slots are executed and the program goes on; expected one that ends, or a higher limit",
                  m.executed_slots);
    }
    if (program_.entry % 16 != 0) throw Fault("the entry is not aligned to 16 bytes");
    DecodedBundle& bundle = code_.at(m.ip);
    current_ = &bundle;
    m.effects.clear();
    std::array<char, 3> mask{'-', '-', '-'};
    for (unsigned i = 0; i < 3; ++i) {
      if (i == 1 && bundle.long_immediate) continue;
      m.slot = i;
      mask[i] = execute(bundle.operations[i], bundle.handlers[i]);
      ++m.executed_slots;
      if (m.effects.taken || m.effects.exited) break;
    }
    ++result_.bundles;
    if (options_.on_bundle) record(bundle, mask);
    m.ip = m.effects.taken ? m.effects.target : m.ip + 16;
    if (m.effects.serialized) {
      current_ = nullptr;
      code_.forget_changed();
    }
  }

  char execute(const Operation& o, Handler handler) {
    Machine& m = machine_;
    if (handler == nullptr) {
      throw Fault(o.row == nullptr ? "reserved encoding" : "not in the supported set");
    }
    if (o.predicate != 0 && !m.pr(o.predicate) && !is_while_branch(*o.row)) {
      execute_predicated_off(m, o);
      return 'p';
    }
    handler(m, o);
    return 'x';
  }

  void record(DecodedBundle& bundle, const std::array<char, 3>& mask) {
    if (!bundle.description) bundle.description = std::make_unique<Bundle>(decode(bundle.code));
    const Effects& e = machine_.effects;
    Instruction line;
    line.code = &bundle.code;
    line.mask = mask;
    line.taken = e.taken;
    line.target = e.target;
    line.accesses = e.accesses;
    line.annotations = notes_.of(*bundle.description, line, machine_);
    options_.on_bundle(line);
  }

  const std::string& name_;
  const SimulationOptions& options_;
  Memory memory_;
  Program program_;
  CodeStore code_;
  Machine machine_;
  Notes notes_;
  const DecodedBundle* current_ = nullptr;
  SimulationResult result_;
};

}  // namespace

SimulationResult simulate(std::span<const std::uint8_t> elf, const std::string& name,
                          const SimulationOptions& options) {
  return Run(elf, name, options).run();
}

}  // namespace pmusim::trace::ia64
