// When registers are ready: renaming by register stack and rotation, and the waits of instructions.
#pragma once

#include <array>
#include <optional>

#include "models/core/ia64/machine.h"
#include "models/core/ia64/operation.h"

namespace pmusim::core::ia64 {

/// The cause and the end of an instruction's wait; until = 0 if it is ready.
struct Wait {
  Cycle until = 0;
  unsigned cause = 0;       ///< act::cause::Execute
  std::uint32_t place = 0;  ///< of the register
};

class Registers {
 public:
  explicit Registers(const Settings& settings) : settings_(settings) {}

  /// From now on registers are named under this frame, whose r32 is at `bottom` of the physical stack.
  void rename(const isa::Frame& frame, std::uint64_t bottom) {
    frame_ = frame;
    bottom_ = bottom;
  }
  /// True if every register can be used in this cycle by any instruction, except by multimedia operations after results
  /// of other instructions than loads. For most groups no further check is needed.
  [[nodiscard]] bool all_there(Cycle at) const { return latest_ <= at && banked_from_ <= at; }
  /// Sets `wait` to the latest of the registers that the instruction needs (only its predicate if that is false), if
  /// that is later than `wait`.
  void wait(const Operation& op, bool predicate, Wait& wait) const {
    const Operand* o = op.needs.data();
    const Operand* const end = o + (predicate || op.unpredicated ? op.needs.size() : op.predicates);
    for (; o != end; ++o) {
      if (o->banked && banked_from_ > wait.until) wait = {banked_from_, act::cause::execute_bank_switch, 0};
      const std::uint32_t number = place(*o);
      if (late_[number] <= wait.until) continue;
      const Entry& e = entries_[number];
      // A register is not written before an older load has written it.
      if (o->target && !loaded(e)) continue;
      const Cycle at = o->target ? e.ready : ready(e, op, o->address);
      if (at > wait.until) wait = {at, cause(number, e), number};
    }
  }
  /// An instruction executes in cycle `at`; results of a load are available in cycle `data`.
  void write(std::span<const Result> results, Cycle at, Cycle data, bool cancelled) {
    for (const Result& r : results) write(r, at, r.loaded ? data : at, r.loaded && cancelled);
  }
  /// Instructions in these slots of a bundle execute in cycle `at`, none of them a load.
  void write(std::span<const Result> results, unsigned slots, Cycle at) {
    for (const Result& r : results) {
      if ((r.slot & slots) != 0) write(r, at, at, false);
    }
  }
  /// Physical register of the target, for the ALAT: general ones from 0, floating-point ones from 128.
  [[nodiscard]] std::uint32_t place(const Operand& o) const { return o.renamed ? renamed(o.name) : o.place; }
  /// An instruction that waits for the load of this register has noticed that the load passes the pipe again.
  void noticed_cancelled(std::uint32_t place) { entries_[place].cancelled = false; }
  void bank_switched(Cycle at) { banked_from_ = at; }

 private:
  struct Entry {
    Cycle written = 0;
    Cycle ready = 0;
    Producer producer = Producer::none;
    bool cancelled = false;  ///< a load that had to pass the memory pipe again
  };
  [[nodiscard]] static bool loaded(const Entry& e) {
    return e.producer == Producer::load || e.producer == Producer::fp_load;
  }
  [[nodiscard]] Cycle ready(const Entry& e, const Operation& consumer, bool as_address) const {
    const bool to_multimedia = consumer.producer == Producer::multimedia;
    switch (e.producer) {
      case Producer::integer:
        return to_multimedia ? e.written + settings_.alu_to_multimedia : e.ready;
      case Producer::multimedia:
        return to_multimedia ? e.ready : e.ready + settings_.from_multimedia_extra;
      case Producer::getf:
      case Producer::application:
        return to_multimedia ? e.ready + settings_.move_multimedia_extra : e.ready;
      case Producer::load:
        if (as_address) return e.ready + settings_.load_address_extra;
        if (to_multimedia) return e.ready + settings_.load_multimedia_extra;
        return consumer.producer == Producer::setf ? e.ready + settings_.load_setf_extra : e.ready;
      case Producer::fp_load:
      case Producer::setf:
        if (consumer.producer == Producer::getf) return e.ready + settings_.fp_getf_extra;
        return consumer.store && !as_address ? e.ready + settings_.fp_store_extra : e.ready;
      case Producer::fp:
        return consumer.store && !as_address ? e.ready + settings_.fp_store_extra : e.ready;
      case Producer::predicate:
        return consumer.branch ? e.written : e.ready;
      case Producer::fp_predicate:
        return consumer.branch ? e.ready - 1 : e.ready;
      default:
        return e.ready;
    }
  }
  [[nodiscard]] unsigned cause(std::uint32_t place, const Entry& e) const;
  /// A stacked or rotating register.
  [[nodiscard]] std::uint32_t renamed(isa::Register r) const {
    if (r.file == isa::RegisterFile::gr) {
      constexpr unsigned stacked = 32;
      const std::uint64_t row = bottom_ + frame_.rotated_gr(r.number);
      return place::general + stacked + static_cast<std::uint32_t>(isa::wrapped(row, settings_.stacked_registers));
    }
    return r.file == isa::RegisterFile::fr ? place::floating + frame_.rotated_fr(r.number)
                                           : place::predicates + frame_.rotated_pr(r.number);
  }
  /// The result of a load is there from the cycle of its data on, any other from that of its execution.
  void write(const Result& r, Cycle at, Cycle from, bool cancelled) {
    const std::uint32_t number = place(r.where);
    entries_[number] = {at, from + r.ready, r.producer, cancelled};
    late_[number] = from + r.any;
    latest_ = std::max(latest_, from + r.others);
  }

  const Settings& settings_;
  isa::Frame frame_;
  std::uint64_t bottom_ = 0;
  Cycle banked_from_ = 0;  ///< cycle from which r16-r31 can be used after a bank switch
  std::array<Entry, place::count> entries_{};
  std::array<Cycle, place::count> late_{};  ///< cycle from which any instruction can use the register
  Cycle latest_ = 0;                        ///< all_there() from then on
};

// The register stack engine: which frames the physical stacked registers hold, and the mandatory spills and fills. The
// frames are those of the program (trace::ia64::FrameTracker). The engine moves words in order (SDM volume 2, chapter
// 6). It stores a NaT collection when the store pointer is at its word and more words must be stored, and loads it when
// the load pointer passes its word.

class RegisterStack {
 public:
  /// The words that the engine must move before the program continues.
  struct Traffic {
    unsigned words = 0;  ///< registers and NaT collections
    bool loads = false;
    unsigned cause = 0;      ///< act::cause::RegisterStack
    std::uint64_t from = 0;  ///< lowest backing store address
  };
  explicit RegisterStack(std::uint64_t registers) : registers_(registers) {}

  /// Executes an instruction that changes the frame. `before` and `after`: the frames; `bsp`: its value after the
  /// instruction. `loadrs`: the number of bytes below bsp that a loadrs makes valid; empty if the trace does not say.
  Traffic step(const Operation& op, bool taken, const isa::Frame& before, const isa::Frame& after, std::uint64_t bsp,
               std::optional<std::uint32_t> loadrs);
  [[nodiscard]] unsigned dirty() const { return static_cast<unsigned>(dirty_); }
  /// Physical register of r32.
  [[nodiscard]] std::uint64_t bottom() const { return bottom_; }

 private:
  Traffic load(std::uint64_t bsp, std::optional<std::uint32_t> bytes, std::uint64_t room);
  Traffic spill(std::uint64_t count, std::uint64_t bsp);
  Traffic flush(std::uint64_t bsp);
  Traffic give_back(std::uint64_t wanted, std::uint64_t bsp);
  [[nodiscard]] std::uint64_t store_pointer(std::uint64_t bsp) const;
  [[nodiscard]] std::uint64_t load_pointer(std::uint64_t bsp) const;
  void move_bottom(std::uint64_t up, std::uint64_t down) { bottom_ = (bottom_ + up + registers_ - down) % registers_; }

  std::uint64_t registers_;
  std::uint64_t dirty_ = 0;     ///< registers of callers' frames that memory does not have
  std::uint64_t clean_ = 0;     ///< ... that memory has as well, below the dirty ones
  bool at_collection_ = false;  ///< the store pointer stands at the NaT collection in front of the first dirty register
  std::uint64_t bottom_ = 0;
};

}  // namespace pmusim::core::ia64
