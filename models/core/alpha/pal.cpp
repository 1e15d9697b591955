#include "models/core/alpha/pal.h"

#include <algorithm>

namespace pmusim::core::alpha {

using act::Trap;

namespace {

constexpr std::uint64_t pal_base = 0x10000;
constexpr std::uint32_t hw_rei = 0x7bff0000 | 0x8000;  ///< opcode 1Eh
constexpr std::uint32_t hw_mfpr = 0x64000000;          ///< opcode 19h
constexpr std::uint32_t hw_ld = 0x6c000000;            ///< opcode 1Bh

/// What a cause of a flow makes of it: its start address in the entry table of each generation, its time, and what
/// follows.
struct FlowRow {
  Trap cause;
  std::uint16_t ev4, ev5, ev6;
  unsigned Settings::*cycles = &Settings::trap_flow;
  bool enters_system = true, repeats = false;
};
constexpr FlowRow flows[] = {
    {Trap::reset, 0x0000, 0x0000, 0x0780, &Settings::trap_flow, false},
    {Trap::machine_check, 0x0020, 0x0400, 0x0500},
    {Trap::arithmetic, 0x0060, 0x0500, 0x0600},
    {Trap::interrupt, 0x00e0, 0x0100, 0x0680, &Settings::interrupt_flow},
    {Trap::dstream_fault, 0x01e0, 0x0380, 0x0380},
    {Trap::itb_miss, 0x03e0, 0x0180, 0x0580, &Settings::tb_flow, false, true},
    {Trap::istream_access, 0x07e0, 0x0080, 0x0480},
    {Trap::dtb_single, 0x08e0, 0x0200, 0x0300, &Settings::tb_flow, false, true},
    {Trap::dtb_double_3, 0x09e0, 0x0280, 0x0100, &Settings::tb_double_flow, false, true},
    {Trap::dtb_double_4, 0x09e0, 0x0280, 0x0180, &Settings::tb_double_flow, false, true},
    {Trap::unaligned, 0x11e0, 0x0300, 0x0280},
    {Trap::opcdec, 0x13e0, 0x0480, 0x0400},
    {Trap::fp_disabled, 0x17e0, 0x0580, 0x0200},
    {Trap::mt_fpcr, 0x0060, 0x0500, 0x0700, &Settings::call_pal_flow, false},
};
/// call_pal: 2000h, privileged functions in steps of 64 bytes, the others (80h on) 1000h after.
std::uint64_t call_entry(std::uint32_t function) {
  return pal_base + 0x2000 + ((function & 0x80) != 0 ? 0x1000 : 0) + std::uint64_t{function & 0x3f} * 64;
}

}  // namespace

// --- modes ---------------------------------------------------------------------------------------------------------

void Modes::start() {
  AlphaRecorder& recorder = machine_.recorder;
  recorder.set(State::clock, 1);
  recorder.set(State::cpl, cpl_);
  recorder.set(State::ipl, ipl_);
}

void Modes::enter_system(std::uint16_t trap_detail, unsigned level) {
  machine_.recorder.occur(Signal::trap, trap_detail);
  saved_.push_back({cpl_, ipl_});
  set_cpl(0);
  set_ipl(std::max(ipl_, level));
}

bool Modes::leave_system() {
  if (saved_.empty()) return false;
  set_cpl(saved_.back().cpl);
  set_ipl(saved_.back().ipl);
  saved_.pop_back();
  return true;
}

// --- flows ---------------------------------------------------------------------------------------------------------

Flow flow_of(const Settings& settings, Trap cause, std::uint32_t function) {
  Flow flow{.cause = cause, .entry = call_entry(function), .cycles = settings.call_pal_flow};
  for (const FlowRow& row : flows) {
    if (row.cause != cause) continue;
    flow.entry = pal_base + (settings.chip == Chip::ev4                                   ? row.ev4
                             : settings.chip == Chip::ev5 || settings.chip == Chip::pca56 ? row.ev5
                                                                                          : row.ev6);
    flow.cycles = settings.*row.cycles;
    flow.enters_system = row.enters_system;
    flow.repeats = row.repeats;
  }
  flow.instructions = std::min(settings.pal_instructions, flow.cycles);
  return flow;
}

void make_pal_instruction(Machine& machine, Instruction& instruction, const Flow& flow, unsigned position) {
  const bool last = position + 1 == flow.instructions;
  instruction = Instruction{};
  activity::InstructionRecord& record = instruction.record;
  record.id = machine.own_id();
  record.ip = flow.entry + 4 * std::uint64_t{position};
  record.next_ip = record.ip + 4;
  const bool reads_table = position == 0 && flow.cause == Trap::dtb_single;
  record.encoding = last ? hw_rei : reads_table ? hw_ld : hw_mfpr;
  record.length = 4;
  record.tagged = machine.agenda.now();
  instruction.more.pal = true;
  instruction.more.kinds = last ? act::bit(act::Kind::pal_return) : 0;
}

namespace d = activity::detail;

namespace {

/// The page of the linear virtual page table that has the entry of `page`: 1024 entries of 8 bytes per page.
constexpr std::uint64_t table_page(std::uint64_t page) { return (std::uint64_t{1} << 36) | page / (page_bytes / 8); }

}  // namespace

Translation::Translation(Machine& machine)
    : machine_(machine), itb_(1, machine.settings.itb_entries), dtb_(1, machine.settings.dtb_entries) {}

Translated Translation::data(NamedRequest& request, trace::TlbOutcome forced) {
  using trace::TlbOutcome;
  const std::uint64_t page = request.record.address / page_bytes;
  if (forced == TlbOutcome::fault) return Translated::fault;
  if (forced == TlbOutcome::hit) return Translated::hit;
  // Most accesses are to the page of the previous access, which is in the buffer and already the most recently used.
  const bool again = page == last_page_;
  const bool there = again || finds(dtb_, page);
  last_page_ = page;
  if (forced == TlbOutcome::unset && there) return Translated::hit;
  machine_.recorder.occur(Signal::translation, request, d::side_data | d::tlb_walk);
  const bool table_there = finds(dtb_, table_page(page));
  if (!table_there) dtb_.fill(table_page(page), space_);
  if (!there) dtb_.fill(page, space_);
  last_page_ = none;
  return table_there ? Translated::miss : Translated::double_miss;
}

Translated Translation::code(NamedRequest& request, trace::TlbOutcome forced) {
  using trace::TlbOutcome;
  const std::uint64_t page = request.record.address / page_bytes;
  if (forced == TlbOutcome::fault) return Translated::fault;
  if (forced == TlbOutcome::hit) return Translated::hit;
  const bool there = finds(itb_, page);
  if (forced == TlbOutcome::unset && there) return Translated::hit;
  machine_.recorder.occur(Signal::translation, request, d::tlb_walk);
  if (!there) itb_.fill(page, space_);
  return Translated::miss;
}

}  // namespace pmusim::core::alpha
