// Fetch and decode: fetch reads windows of code into the queue, decode forms dispatch lines from the queue. Fetch
// follows the predicted path; the trace gives the path of the program.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/core/athlon/branch_prediction.h"
#include "models/core/athlon/in_flight.h"
#include "models/core/athlon/memory_side.h"
#include "models/core/athlon/static_code.h"
#include "models/core/parts/program.h"

namespace pmusim::core::athlon {

class FrontEnd {
 public:
  FrontEnd(Machine& machine, InFlight& flight, MemorySide& memory, Program& program, DirectiveGate& gate);

  /// Start of a cycle: checks the gate again if fetch has stopped before directives.
  void poll_gate();
  void decode();
  void fetch();
  /// The line that dispatch may take in this cycle, or null.
  [[nodiscard]] DispatchLine* offered() {
    if (line_count_ == 0) return nullptr;
    if (lines_[0].ready <= agenda_.now()) return &lines_[0];
    agenda_.at(lines_[0].ready);
    return nullptr;
  }
  /// True if the decoder works on an instruction from which no line has come for dispatch in this cycle.
  [[nodiscard]] bool decodes() {
    if (works_until_ <= agenda_.now()) return false;
    const bool works = works_from_ <= agenda_.now();
    agenda_.at(works ? works_until_ : works_from_);
    return works;
  }
  void take_line() {
    lines_[0] = lines_[1];
    --line_count_;
  }

  /// Fetch continues with this trace line from cycle `resume` on.
  void redirect(std::uint64_t line, Cycle resume);
  /// Fetch continues with a handler of that many instructions.
  void enter_handler(unsigned instructions, Cycle resume);
  /// Nothing is fetched before cycle `resume`.
  void hold_until(Cycle resume) { resume_at_ = std::max(resume_at_, resume); }
  void kill(Sequence from);

  /// Next trace line to fetch on the correct path.
  [[nodiscard]] std::uint64_t line() const { return line_; }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] bool delivered() const { return delivered_; }
  BranchPrediction& prediction() { return prediction_; }
  /// False if no code in flight lies in this line; may be true otherwise.
  [[nodiscard]] bool may_hold_code(std::uint64_t address) const { return code_lines_.may_hold(address); }
  /// Removes a chunk that has retired or was killed.
  void forget(const Chunk& chunk) { code_lines_.remove(*chunk.code); }
  void flush_tlbs() {
    tlb_.clear();
    page_ = ~std::uint64_t{0};
  }

 private:
  enum class Source : std::uint8_t {
    trace,    ///< the correct path
    wrong,    ///< a path that the program does not take, with code from the trace's dictionary
    lost,     ///< the same with unknown code: windows are read, but give no instructions
    handler,  ///< code of take_interrupt()
    stopped,  ///< nothing to fetch until redirected
  };

  bool decode_microcode(DispatchLine& line, Sequence sequence, Chunk& chunk);
  void hold_decoder(const StaticCode& code);
  /// Counts again what the decoded lines need, after their parts have changed.
  void count_needs();
  /// The annotations of the next instruction of the program, if it is fetched; or null.
  [[nodiscard]] const trace::Annotations* notes() {
    return source_ == Source::trace ? program_.at(line_)->instruction.annotations : nullptr;
  }
  [[nodiscard]] bool has_request() const { return request_.record.size != 0 && request_.record.address == window_pc_; }
  void make_request();
  inline bool translate();
  inline bool fetch_window();
  void scan();
  [[gnu::always_inline]] inline bool scan_trace();
  bool scan_gate();
  inline void scan_wrong();
  bool scan_handler();
  [[gnu::always_inline]] inline Chunk& make(const StaticCode& code, bool wrong_path);
  inline void name(Chunk& chunk, std::uint64_t id);
  /// The address after a chunk; false: nothing more is scanned in this clock.
  bool follow(Chunk& chunk) {
    if (chunk.code->is_branch) return follow_branch(chunk);
    scan_pc_ = chunk.code->pc + chunk.code->length;
    return true;
  }
  bool follow_branch(Chunk& chunk);
  /// Whether the instruction at scan_pc_ has been read.
  [[nodiscard]] bool has_bytes(const unsigned length) {
    needs_window_ = scan_pc_ + length > fetched_end_;
    return !needs_window_;
  }
  void go_to(std::uint64_t pc) { scan_pc_ = window_pc_ = fetched_end_ = pc; }
  /// The code at this address, of the trace lines that fetch has reached. The reader knows more code if the next line
  /// has been read and waits for its bytes or for a directive.
  [[nodiscard]] const StaticCode* find_code(std::uint64_t pc) {
    const trace::Code* const found = program_.find(pc);
    if (found == nullptr) return nullptr;
    return found->id < std::max(codes_.count(), peeked_codes_) ? &codes_.of(*found) : codes_.latest(pc);
  }
  /// The code at scan_pc_, where a wrong path goes on after `code`.
  [[nodiscard]] const StaticCode* code_after(const StaticCode& code) {
    if (code.behind != nullptr && code.behind->pc == scan_pc_ && !codes_.changed()) return code.behind;
    const StaticCode* const found = find_code(scan_pc_);
    if (found != nullptr && found->id < codes_.count()) code.behind = found;
    return found;
  }

  Machine& machine_;
  const Settings& settings_ = machine_.settings;
  Agenda& agenda_ = machine_.agenda;
  InFlight& flight_;
  MemorySide& memory_;
  Program& program_;
  DirectiveGate& gate_;
  StaticCodes codes_;
  BranchPrediction prediction_;
  Translations tlb_;
  std::array<DispatchLine, decode_to_dispatch> lines_;  ///< decoded, not dispatched
  std::size_t line_count_ = 0;
  Cycle decode_free_ = 0;                   ///< the decoder works on one instruction until then
  bool odd_half_ = false;                   ///< half a clock of the decoder has been used
  Cycle works_from_ = 0, works_until_ = 0;  ///< from its last line to then, as dispatch sees it
  std::vector<StaticCode> handler_codes_;
  std::size_t handler_next_ = 0;
  CodeLines code_lines_;            ///< of the instructions in flight
  std::uint32_t peeked_codes_ = 0;  ///< id of the code after the last misprediction, plus 1

  Source source_ = Source::trace;
  std::uint64_t line_ = 0;
  std::uint64_t scan_pc_ = 0;               ///< start of the next instruction
  std::uint64_t window_pc_ = 0;             ///< next address to read
  std::uint64_t fetched_end_ = 0;           ///< bytes up to this address have been read
  std::uint64_t page_ = ~std::uint64_t{0};  ///< page that needs no new translation
  Cycle resume_at_ = 0;
  Cycle translated_at_ = 0;
  bool fill_due_ = false;  ///< the first-level TLB is filled when the translation is complete
  int waiting_fill_ = -1;
  unsigned queue_bytes_ = 0;
  unsigned lost_bytes_ = 0;  ///< bytes of unknown code: they stay in the queue until the redirect
  bool started_ = false, ended_ = false, delivered_ = false;
  bool at_closed_gate_ = false;
  bool needs_window_ = false;  ///< the next instruction ends behind the bytes that have been read
  bool repeating_ = false;     ///< the last chunk was an iteration, more follow
  std::uint64_t next_id_ = 0;  ///< of correct-path instructions
  std::uint64_t next_wrong_id_ = 0;
  std::uint64_t next_handler_id_ = 0;
  NamedRequest request_;
};

}  // namespace pmusim::core::athlon
