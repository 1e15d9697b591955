// The in-order pipeline of the 21064, 21164 and 21164PC. One cycle has, in this order: due work of the memory side,
// directives, a flow of PALcode or the issue of instructions, fetch. A unit that waits for a known cycle enters it in
// the agenda, and time advances to the next such cycle.
//
// All outcomes are decided at issue: which instructions issue together, whether they trap, whether a prediction was
// correct. An instruction that issues and is not killed in that cycle retires in it, so the next instruction is always
// the oldest one that has not issued.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/core/alpha/in_order/rules.h"
#include "models/core/alpha/in_order/settings.h"
#include "models/core/alpha/static_code.h"
#include "models/core/alpha/stimulus.h"
#include "models/core/parts/program.h"
#include "models/core/parts/stepped_core.h"

// Branch prediction of the in-order chips: one history per instruction of the Icache, and a stack of return addresses.
namespace pmusim::core::alpha {

class Prediction {
 public:
  explicit Prediction(const InOrderSettings& pipeline);

  struct Guess {
    bool taken = false;
    bool right = true;
  };
  /// Predicts a branch and trains the predictor; `taken` and `target` are the outcome. Branches with displacement are
  /// predicted taken or not taken. Jumps have a predicted address: from the return stack, or the 16 bits of the hint.
  Guess predict(const StaticCode& code, bool taken, std::uint64_t target);

 private:
  /// The history of an instruction. If another instruction takes its entry, the history starts from the sign of the
  /// displacement: backward is predicted taken.
  struct History {
    std::uint64_t pc = ~std::uint64_t{0};
    std::uint8_t counter = 0;  ///< 0 to `most_`; taken if in the upper half
  };
  bool predict_direction(const StaticCode& code, bool taken);
  [[nodiscard]] std::uint64_t pop();

  std::vector<History> history_;
  std::uint8_t most_;
  std::vector<std::uint64_t> stack_;  ///< a ring
  std::size_t top_ = 0;
};

class InOrderCore final : public SteppedCore<InOrderCore> {
 public:
  InOrderCore(Chip chip, std::unique_ptr<trace::Reader> reader, const models::Parameters& parameters);

  [[nodiscard]] std::uint64_t retired() const override { return program_.begin(); }
  void take_interrupt(unsigned handler_instructions) override;
  [[nodiscard]] bool in_handler() const override { return interrupt_ != Own::none; }

 private:
  using IssueStall = act::IssueStall;
  using Trap = act::Trap;

  /// An instruction between fetch and issue.
  struct Slot {
    const StaticCode* code = nullptr;
    Program::Entry* entry = nullptr;
    std::uint64_t ordinal = 0;
    Cycle fetched = 0;
    bool predicted_taken = false;
    bool mispredicted = false;
    bool ends_fetch = false;  ///< fetch waits for it
    bool fill_stream = false;
  };
  static constexpr unsigned most_width = 4, most_blocks = 8;
  struct FetchBlock {
    Cycle ready = 0;  ///< first cycle in which it can issue
    std::uint8_t count = 0, next = 0, group_end = 0;
    std::array<Slotted, most_width> slotted{};
    std::array<Slot, most_width> slots{};
  };
  /// A register's last result.
  struct Result {
    Cycle ready = 0;    ///< first cycle in which a consumer can issue; never: a load that missed
    Cycle early = 0;    ///< the same for the consumers in early_for
    Cycle assumed = 0;  ///< load that missed: the cycle in which a hit would have been ready
    std::uint8_t early_for = 0;
    std::uint32_t tag = 0;  ///< tag of the load that missed
  };
  /// The interrupt of perturbing mode.
  enum class Own : std::uint8_t { none, due, entry, handler, exit };
  struct Store {
    Cycle cycle = activity::never;
    std::uint64_t octet = 0;
    bool writes_cache = false;  ///< it hit
  };

  // core.cpp: SteppedCore, PALcode, interrupts
  friend SteppedCore<InOrderCore>;
  void start();
  void step();
  [[nodiscard]] Cycle next() const { return machine_.agenda.next(); }
  [[nodiscard]] bool finished();
  [[nodiscard]] std::string never_completes() { return program_.never_completes(now_); }
  [[nodiscard]] bool at_rest() const { return block_count_ == 0 && !in_flow_ && loads_ == 0 && load_replays_.empty(); }
  void enter_pal(Trap cause, std::uint32_t function = 0);
  void run_flow();
  void miss_in_flow(Instruction& instruction);
  void leave_flow();
  void own_interrupt();
  void run_handler();
  /// True if fetch has reached directives.
  [[nodiscard]] bool directives_due() {
    if (in_flow_ || interrupt_ != Own::none || fetch_stopped_ || now_ < fetch_from_) return false;
    return program_.directives_at(cursor_).due();
  }
  bool act_stimuli();
  void redirect(Cycle fetch_from, IssueStall until_then);

  // fetch.cpp
  /// True if fetch is not stopped and has room.
  [[nodiscard]] bool may_fetch() {
    if (fetch_stopped_ || itb_missed_) return false;
    if (now_ < fetch_from_) machine_.agenda.at(fetch_from_);
    return now_ >= fetch_from_ && block_count_ != pipeline_.fetch_blocks;
  }
  void fetch();
  inline bool fetch_line(std::uint64_t pc, const trace::Annotations* annotations);
  void deliver();
  inline Slot& add(FetchBlock& block, Program::Entry& entry);
  inline void predict(Slot& slot);
  [[nodiscard]] Program::Entry* next_entry() { return program_.at(cursor_); }

  // issue.cpp
  void issue();
  [[gnu::always_inline]] IssueStall issue_group(FetchBlock& block);
  [[nodiscard]] inline IssueStall obstacle(const Slot& slot, const Slotted& at, bool& replays);
  /// True if all operands are available, and no older result for the same register arrives later.
  [[nodiscard]] bool operands_ready(const StaticCode& code, const Rule& rule) const {
    Cycle latest = 0;
    for (unsigned i = 0; i < code.read_count; ++i) latest = std::max(latest, results_[code.reads[i]].ready);
    if (latest > now_ || code.has(act::Kind::trap_barrier)) return false;
    for (unsigned i = 0; i < code.write_count; ++i) latest = std::max(latest, results_[code.writes[i]].ready);
    return latest <= now_ + rule.latency;
  }
  [[nodiscard]] IssueStall operand_obstacle(const StaticCode& code, const Rule& rule, bool& replays);
  [[nodiscard]] unsigned fresh_operand(const StaticCode& code) const;
  [[nodiscard]] IssueStall unit_obstacle(const StaticCode& code, const Slotted& at);
  [[nodiscard]] bool multiply_ends_in(Cycle cycle) const {
    return std::find(multiply_ends_.begin(), multiply_ends_.end(), cycle) != multiply_ends_.end();
  }
  void start_multiply(const Rule& rule, unsigned more);
  /// Issues one instruction; false: no later instruction issues in this cycle.
  inline bool issue_one(const Slot& slot, const Slotted& at, bool replays);
  bool issue_in_full(const Slot& slot, const Slotted& at, bool replays);
  inline void execute(const Slot& slot, const Slotted& at);
  unsigned reserve(const StaticCode& code, const Slotted& at);
  void order_memory(const Slot& slot, Instruction& instruction);
  inline void resolve(const Slot& slot, Instruction& instruction);
  bool leave_stream(const Slot& slot, Instruction& instruction);
  void replay(Instruction& instruction, act::Replay cause);
  void trap(const Slot& slot, Instruction& instruction, Trap cause);
  [[nodiscard]] inline Trap trap_of(const Slot& slot) const;
  [[nodiscard]] static inline std::uint16_t outcome_of(const Slot& slot);
  /// True for an instruction that only sets registers or is a branch, and of which only the number is read.
  [[nodiscard]] bool only_computes(const Slot& slot) const {
    return slot.code->computes && !slot.ends_fetch && slot.entry->instruction.annotations == nullptr &&
           !recorder_.reads(slot.code->kinds);
  }

  // memory_access.cpp
  enum class Access : std::uint8_t { done, replayed, trapped };
  [[nodiscard]] IssueStall memory_obstacle(const Slot& slot);
  Access access(const Slot& slot, Instruction& instruction, std::uint8_t port);
  Access load(const Slot& slot, Instruction& instruction, const trace::Access& access, std::uint8_t port,
              const trace::Annotations* annotations);
  Access store(Instruction& instruction, const trace::Access& access, const trace::Annotations* annotations);
  void replay_load();
  void take_returned();

  Machine machine_;
  const InOrderSettings pipeline_;
  const RuleSet rules_;
  AlphaRecorder& recorder_ = machine_.recorder;
  Program program_;
  StaticCodes codes_;
  MemorySide memory_;
  Translation translation_;
  Modes modes_;
  Stimulus stimulus_;
  Prediction prediction_;

  // fetch
  std::uint64_t cursor_ = 0;  ///< next instruction of the trace to fetch
  Cycle fetch_from_ = 0;
  bool fetch_stopped_ = false;  ///< until the issue of an instruction restarts it
  bool line_waits_ = false;     ///< the line of the next instruction was requested
  bool line_missed_ = false;    ///< ... in this fetch, as a new stream
  bool itb_missed_ = false;     ///< PALcode is entered once all older instructions have issued
  bool itb_fault_ = false;
  struct ItbOwed {
    std::uint64_t ordinal;
    bool fault;
  };
  std::vector<ItbOwed> itb_owed_;  ///< misses and faults of the ITB for which PALcode has not been entered
  std::uint64_t forced_itb_ = ~std::uint64_t{0},
                forced_dtb_ = ~std::uint64_t{0};  ///< ordinals whose forced miss has been taken
  std::uint64_t allowed_fp_ = ~std::uint64_t{0};  ///< ordinal for which the system enables floating point
  std::uint64_t predicted_ = 0;                   ///< ordinal after the youngest branch that was predicted
  std::array<Prediction::Guess, most_width * most_blocks> guesses_{};  ///< of the last branches, by ordinal
  std::array<FetchBlock, most_blocks> blocks_{};
  unsigned block_first_ = 0, block_count_ = 0;

  // issue
  Cycle refill_until_ = 0;  ///< nothing issues before this cycle; refill_stall_ gives the reason
  IssueStall refill_stall_ = IssueStall::no_instructions;
  Cycle barrier_until_ = 0, results_at_ = 0;
  Cycle units_free_ = 0;  ///< no unit delays an instruction from this cycle on
  Cycle branch_from_ = 0;
  Cycle jumped_ = activity::never;
  Cycle multiply_from_ = 0;  ///< first cycle in which the multiplier accepts an operation
  Cycle multiply_over_ = 0;  ///< no multiply is in flight from this cycle on
  std::array<Cycle, InOrderSettings::most_multiplies> multiply_ends_{};  ///< of the last multiplies
  unsigned multiply_next_ = 0;
  Cycle divide_ends_ = 0;
  std::array<Result, trace::alpha::register_count> results_{};
  std::array<Store, 2> stores_{};  ///< the last two stores
  unsigned store_next_ = 0;
  // of the present cycle
  bool loaded_ = false, stored_ = false;  ///< a load or a store has issued
  std::uint64_t missed_block_ = 0;        ///< block of a miss that has started, plus 1

  unsigned loads_ = 0;  ///< loads that missed and wait
  std::uint32_t tags_ = 0;
  struct MissedLoad {
    std::uint32_t tag;
    Instruction instruction;
  };
  std::vector<MissedLoad> missed_loads_;   ///< loads that use the Abox again when their data arrives (21064)
  std::vector<Instruction> load_replays_;  ///< ... whose data has arrived
  Cycle replayed_ = activity::never;       ///< cycle in which one of them uses the Abox

  // PALcode and interrupts
  bool in_flow_ = false;
  Flow flow_;
  std::optional<Flow> outer_flow_;  ///< the flow that this flow interrupts: its read of the page table missed
  Cycle flow_ends_ = 0;             ///< last cycle in PALmode
  std::uint16_t flow_trap_ = 0;     ///< detail of the trap at its end, 0: none
  unsigned flow_level_ = 0;
  bool flow_changes_modes_ = false;
  Cycle clock_stopped_until_ = 0, paused_until_ = 0;
  Own interrupt_ = Own::none;
  unsigned handler_length_ = 0, handler_done_ = 0;
};

}  // namespace pmusim::core::alpha

extern template class pmusim::core::SteppedCore<pmusim::core::alpha::InOrderCore>;
