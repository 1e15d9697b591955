#include "testbench/tests/list_models/ppc750_program.h"

#include <fmt/format.h>

namespace pmusim::testbench::ppc750_lists {

namespace d = activity::detail;

namespace {

constexpr std::uint64_t octet = 8;

unsigned primary(std::uint32_t word) { return word >> 26; }
/// The extended opcode of an X-form instruction with primary opcode 31, or 0.
unsigned extended(std::uint32_t word) { return primary(word) == 31 ? word >> 1 & 1023 : 0; }
bool is_one_of(unsigned opcode, std::initializer_list<unsigned> list) {
  return std::find(list.begin(), list.end(), opcode) != list.end();
}
/// b; bc; bclr; bcctr.
enum class Branch { none, direct, conditional_direct, to_link, to_count };
Branch branch_of(std::uint32_t word) {
  if (primary(word) == 18) return Branch::direct;
  if (primary(word) == 16) return Branch::conditional_direct;
  if (primary(word) != 19) return Branch::none;
  const unsigned op = word >> 1 & 1023;
  return op == 16 ? Branch::to_link : op == 528 ? Branch::to_count : Branch::none;
}
/// BO 1z1zz: always.
bool is_conditional(std::uint32_t word) { return branch_of(word) != Branch::direct && (word >> 21 & 0x14) != 0x14; }
/// A branch that writes neither LR nor CTR leaves the instruction queue at once (UM 6.4.1.1).
bool folds(std::uint32_t word) {
  const bool counts = branch_of(word) != Branch::direct && (word & 4u << 21) == 0;
  return (word & 1) == 0 && !counts;
}
std::uint64_t target_of(std::uint32_t word, std::uint64_t pc) {
  const unsigned bits = primary(word) == 18 ? 26 : 16;
  std::int64_t offset = word & ((1u << bits) - 4);
  if ((offset >> (bits - 1) & 1) != 0) offset -= std::int64_t{1} << bits;
  const bool absolute = (word & 2) != 0;
  return static_cast<std::uint32_t>((absolute ? 0 : static_cast<std::int64_t>(pc)) + offset);
}
/// mtspr of this register.
bool moves_to(std::uint32_t word, unsigned spr) {
  return extended(word) == 467 && ((word >> 16 & 31) | (word >> 11 & 31) << 5) == spr;
}

}  // namespace

std::uint32_t word_of(const trace::Code& code) {
  return std::uint32_t{code.bytes[0]} << 24 | std::uint32_t{code.bytes[1]} << 16 | std::uint32_t{code.bytes[2]} << 8 |
         code.bytes[3];
}

std::vector<Piece> pieces_of(const trace::Instruction& instruction) {
  const std::uint32_t word = word_of(*instruction.code);
  const unsigned op = extended(word);
  const bool touch = is_one_of(op, {278, 246});
  std::vector<Piece> pieces;
  if (touch || is_one_of(op, {1014, 86, 54, 470, 982})) {
    if (instruction.accesses.empty()) return pieces;
    Piece piece;
    piece.address = instruction.accesses.front().address;
    piece.touch = touch;
    piece.operation = !touch;
    piece.kind = op == 1014  ? StoreKind::zero
                 : op == 86  ? StoreKind::flush
                 : op == 54  ? StoreKind::store_back
                 : op == 470 ? StoreKind::invalidate
                             : StoreKind::invalidate_instruction;
    return {piece};
  }
  const bool words = is_one_of(primary(word), {46, 47}) || is_one_of(op, {597, 533, 725, 661});
  for (const trace::Access& a : instruction.accesses) {
    if (a.size == 0 || (op == 150 && !a.store)) continue;  // of stwcx. only the store
    for (std::uint64_t at = a.address; at < a.address + a.size; at = words ? at + 4 : (at / octet + 1) * octet) {
      Piece piece;
      piece.address = at;
      piece.store = a.store;
      pieces.push_back(piece);
    }
  }
  return pieces;
}

// --- branches ----------------------------------------------------------------------------------------------

BranchModel::BranchModel(const models::Parameters& p, trace::Reader& program)
    : history_(number(p, "core.bht.entries"), {static_cast<unsigned>(p.get("core.bht.initial"))}),
      targets_(number(p, "core.btic.sets"), number(p, "core.btic.ways")),
      clears_(false) {
  for (trace::Item item; program.next(item);) {
    if (item.directive != nullptr) continue;
    const std::uint32_t word = word_of(*item.instruction.code);
    clears_ |= extended(word) == 982 || word == 0x4c000064;  // icbi, rfi
    facts_.push_back({word, item.instruction.taken, item.instruction.code->pc,
                      static_cast<std::uint32_t>(item.instruction.next_pc())});
  }
}

bool BranchModel::step(const CycleView& view) {
  for (const Occurrence& o : view.of(Signal::finish)) {
    const auto& record = view.instruction(o);
    if (!record.wrong_path && record.id < facts_.size() &&
        (moves_to(facts_[record.id].word, 8) || moves_to(facts_[record.id].word, 9)))
      finished_[record.id] = view.cycle;
  }
  for (const Occurrence& o : view.of(Signal::branch_handled)) handle(view, o);
  for (const Occurrence& o : view.of(Signal::branch_resolved)) resolve(view, o);
  for (const Signal signal : {Signal::retire, Signal::fold}) {
    for (const Occurrence& o : view.of(signal)) fetched(view.instruction(o));
  }
  return error_.empty();
}

void BranchModel::finish() {
  // The last instruction may go to where no other follows.
  expected_.erase(facts_.size());
  if (!expected_.empty() && error_.empty())
    error_ = fmt::format("instruction {} was never fetched after its branch", expected_.begin()->first);
}

void BranchModel::handle(const CycleView& view, const Occurrence& o) {
  const auto& r = view.instruction(o);
  const bool on_path = (o.detail & d::branch_wrong_path) == 0;
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 4; ++i) word = word << 8 | static_cast<unsigned>(r.encoding >> 8 * i & 0xff);
  const bool conditional = is_conditional(word), predicts = (o.detail & d::branch_predicted) != 0;
  const bool taken = (o.detail & d::branch_taken) != 0;
  const bool says = history(r.ip).upper_half();
  if (on_path && (r.id >= facts_.size() || facts_[r.id].pc != r.ip)) return fail(view.cycle, r, "not of the program");
  const bool actual = on_path && (facts_[r.id].taken || !conditional);
  const bool wanted = !conditional || (predicts || !on_path ? says : actual);
  if (predicts && !conditional) return fail(view.cycle, r, "an unconditional branch is predicted");
  if (taken != wanted)
    return fail(view.cycle, r, fmt::format("follows {}, wanted {}; counter {}", taken, wanted, history(r.ip).value));
  predicted += predicts ? 1 : 0;
  const Branch kind = branch_of(word);
  if (on_path && (kind == Branch::to_link || kind == Branch::to_count)) {
    // UM 6.4.1: the branch waits for the register that has its target.
    ++indirect;
    const Cycle from = ready(r.id, kind == Branch::to_link ? 8 : 9);
    if (view.cycle < from)
      return fail(view.cycle, r, fmt::format("does not wait for its target, which is there in cycle {}", from));
    waited += from != 0 && view.cycle == from ? 1 : 0;
  }
  if (taken) {
    const bool right = on_path && actual;
    const bool direct = kind == Branch::direct || kind == Branch::conditional_direct;
    if (right || direct) follow(view.cycle, right ? facts_[r.id].next : target_of(word, r.ip), right, r.id);
    if (right && !folds(word) && expected_.contains(r.id + 1)) expected_[r.id + 1].may_lack_room = true;
  }
  if (on_path && conditional && !predicts) history(r.ip).follow(actual);
}

void BranchModel::resolve(const CycleView& view, const Occurrence& o) {
  const auto& r = view.instruction(o);
  const bool taken = facts_[r.id].taken, said = (o.detail & d::branch_predicted_taken) != 0;
  const bool correct = (o.detail & d::branch_correct) != 0;
  if (((o.detail & d::branch_taken) != 0) != taken || correct != (said == taken))
    return fail(view.cycle, r, fmt::format("resolves with detail {:x}, wanted taken {}", o.detail, taken));
  wrong += correct ? 0 : 1;
  history(r.ip).follow(taken);
}

// The target's instruction comes from the BTIC in the cycle in which its branch is followed, from L1I later. After a
// branch that does not fold there may be no room in the instruction queue: then it is fetched later, too.
void BranchModel::follow(Cycle now, std::uint64_t target, bool right, std::uint64_t id) {
  if (clears_) return;
  const bool found = targets_.use(target / 4, target / 4);
  if (!found) targets_.add(target / 4, target / 4);
  (found ? targets_found : targets_missed) += 1;
  if (right) expected_[id + 1] = {now, found, false};
}

/// From when on the branch may use LR or CTR: the cycle after its youngest older writer has finished. What branches
/// write to them stays in the branch unit.
Cycle BranchModel::ready(std::uint64_t id, unsigned spr) const {
  constexpr std::uint64_t far_enough = 64;  // more than there may be in flight
  for (std::uint64_t i = id; i-- > 0 && i + far_enough > id;) {
    const std::uint32_t word = facts_[i].word;
    const Branch kind = branch_of(word);
    if (spr == 8 && kind != Branch::none && (word & 1) != 0) return 0;
    if (spr == 9 && kind != Branch::none && kind != Branch::direct && (word & 4u << 21) == 0) return 0;
    if (!moves_to(word, spr)) continue;
    const auto found = finished_.find(i);
    return found == finished_.end() ? activity::never : found->second + 1;
  }
  return 0;
}

void BranchModel::fetched(const activity::InstructionRecord& record) {
  if (record.wrong_path) return;
  const auto expected = expected_.find(record.id);
  if (expected == expected_.end()) return;
  const auto [followed, found, may_lack_room] = expected->second;
  expected_.erase(expected);
  if (found && may_lack_room && record.tagged > followed) return;
  at_once += record.tagged == followed ? 1 : 0;
  if ((record.tagged == followed) != found)
    fail(followed, record,
         fmt::format("was fetched in cycle {}, its branch followed in cycle {}; the BTIC {} it", record.tagged,
                     followed, found ? "has" : "does not have"));
}

void BranchModel::fail(Cycle cycle, const activity::InstructionRecord& record, const std::string& what) {
  if (error_.empty()) error_ = fmt::format("cycle {}, instruction {} at {:x}: {}", cycle, record.id, record.ip, what);
}

// --- order -------------------------------------------------------------------------------------------------

// The data TLB looks up each access in program order (UM 5.4.3: 64 sets of 2, LRU).
OrderModel::OrderModel(const models::Parameters& p, trace::Reader& program)
    : code_pages_(number(p, "core.tlb.sets"), number(p, "core.tlb.ways")) {
  UseLists pages(number(p, "core.tlb.sets"), number(p, "core.tlb.ways"));
  std::uint64_t count = 0;
  for (trace::Item item; program.next(item);) {
    if (item.directive != nullptr) continue;
    for (const Piece& piece : pieces_of(item.instruction)) {
      const std::uint64_t page = piece.address / page_bytes;
      if (!pages.use(page, page) && !piece.touch) {
        pages.add(page, page);
        walks_.push_back({count, piece.address});
      }
      ++count;
      if (!piece.store && !piece.operation && !piece.touch) loads_.push_back(piece);
    }
  }
}

bool OrderModel::step(const CycleView& view) {
  for (const Occurrence& o : view.of(Signal::translation)) {
    const std::uint64_t address = view.request(o).address;
    if ((o.detail & d::side_data) == 0) {
      searched_ = address / page_bytes;
      ++code_walks;
      continue;
    }
    ++data_walks;
    if (walks_.empty() || walks_.front().address != address) {
      fail(view.cycle,
           fmt::format("search for {:x}, wanted {:x} (access {})", address, walks_.empty() ? 0 : walks_.front().address,
                       walks_.empty() ? 0 : walks_.front().number));
      return false;
    }
    walks_.pop_front();
  }
  for (const Occurrence& o : view.of(Signal::dcache_lookup)) {
    const bool load = (o.detail & (d::access_load | d::access_walk | d::access_prefetch)) == d::access_load;
    if (!load) continue;
    const std::uint64_t address = view.request(o).address;
    ++loads;
    if (loads_.empty() || loads_.front().address != address) {
      fail(view.cycle,
           fmt::format("load {} of {:x}, wanted {:x}", loads, address, loads_.empty() ? 0 : loads_.front().address));
      return false;
    }
    loads_.pop_front();
  }
  for (const Occurrence& o : view.of(Signal::fetch)) {
    const std::uint64_t page = view.request(o).address / page_bytes;
    const bool found = code_pages_.use(page, page), searched = searched_ == page;
    searched_ = ~std::uint64_t{0};
    if (!found) code_pages_.add(page, page);
    if (found != searched) continue;
    fail(view.cycle,
         fmt::format("fetch from page {:x}: searched {}, in the list of the TLB {}", page, searched, found));
    return false;
  }
  return true;
}

void OrderModel::finish() {
  if (!loads_.empty()) fail(0, fmt::format("{} loads did not happen", loads_.size()));
  if (!walks_.empty()) fail(0, fmt::format("{} searches did not happen", walks_.size()));
}

void OrderModel::fail(Cycle cycle, const std::string& what) {
  if (error_.empty()) error_ = fmt::format("cycle {}: {}", cycle, what);
}

}  // namespace pmusim::testbench::ppc750_lists
