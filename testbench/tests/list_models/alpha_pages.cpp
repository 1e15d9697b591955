#include "testbench/tests/list_models/alpha_pages.h"

#include <fmt/format.h>

#include <utility>

namespace pmusim::testbench::alpha::lists {

namespace d = activity::detail;
using act::Trap;

namespace {

constexpr std::uint64_t not_of_program = std::uint64_t{1} << 63;

bool is_trap(const Seen& seen, Trap trap) {
  return seen.signal == Signal::pal_entry && seen.detail == static_cast<std::uint16_t>(trap);
}

}  // namespace

bool Pages::walk(std::uint64_t page) {
  constexpr std::uint64_t entries_of_a_page = 1024, tables = std::uint64_t{1} << 60;
  const std::uint64_t table = tables + page / entries_of_a_page;
  const bool doubly = !use(table);
  if (doubly) put(table);
  put(page);
  return doubly;
}

void Itb::see(Cycle now, std::span<const Seen> seen) {
  for (const Seen& s : seen) {
    if (is_trap(s, Trap::itb_miss)) {
      const auto missed = misses_.find(s.instruction->ip);
      if (missed == misses_.end()) {
        differs(at(now) + fmt::format("PALcode for {:x}, which has not missed the ITB", s.instruction->ip));
      } else {
        misses_.erase(missed);
      }
    }
    const unsigned without_page = in_order_ ? d::lookup_hit | d::lookup_pending : d::lookup_hit;
    if (s.signal == Signal::fetch && (s.detail & without_page) == 0 && !s.request->wrong_path) {
      if (!use(page_of(s.request->address))) {
        differs(at(now) + fmt::format("fetch of {:x} without its page in the ITB", s.request->address));
      }
    }
    if (s.signal != Signal::translation || (s.detail & d::side_data) != 0) continue;
    if (use(page_of(s.request->address))) {
      differs(at(now) + fmt::format("the ITB has the page of {:x}", s.request->address));
    } else {
      put(page_of(s.request->address));
    }
    misses_.insert(s.request->address);
  }
}

void Itb::end() {
  if (!misses_.empty()) differs(fmt::format("{:x} has missed the ITB, and PALcode was not entered", *misses_.begin()));
}

// --- in order ------------------------------------------------------------------------------------------------------

InOrderDtb::InOrderDtb(const models::Parameters& parameters, const Program& program, bool has_bwx)
    : Pages(parameters, "core.dtb_entries"), program_(program), has_bwx_(has_bwx) {
  find_next();
}

void InOrderDtb::find_next() {
  access_ = nullptr;
  for (; next_ != program_.steps.size(); ++next_) {
    access_ = program_.executed_access(program_.steps[next_], has_bwx_);
    if (access_ != nullptr) return;
  }
}

// A cycle has several accesses. One whose translation misses is the last of its cycle, and does not probe the Dcache.
void InOrderDtb::see(Cycle now, std::span<const Seen> seen) {
  for (const Signal signal : {Signal::dcache_lookup, Signal::translation}) {
    for (const Seen& s : seen) {
      if (s.signal != signal || (signal == Signal::translation && (s.detail & d::side_data) == 0)) continue;
      access(now, s);
      if (failed()) return;
    }
  }
  // PALcode is entered in the cycle of the miss, and reads the page table later.
  for (const Seen& s : seen) {
    for (auto& [trap, coming] : {std::pair{Trap::dtb_single, &singles_}, {Trap::dtb_double_3, &doubles_}}) {
      if (!is_trap(s, trap)) continue;
      if (*coming == 0) return differs(at(now) + "PALcode for a miss of the DTB that is none");
      --*coming;
    }
  }
}

void InOrderDtb::access(Cycle now, const Seen& seen) {
  const std::uint64_t address = seen.request->address, page = page_of(address);
  if (access_ == nullptr || address != access_->address || seen.request->instruction != next_) {
    return differs(at(now) + fmt::format("access of {:x} by instruction {}; the next one is of {}", address,
                                         seen.request->instruction, next_));
  }
  const bool there = use(page);
  if (seen.signal == Signal::dcache_lookup) {
    if (!there) differs(at(now) + fmt::format("instruction {}: the DTB has no page of {:x}", next_, address));
    ++next_;
    return find_next();
  }
  if (there) return differs(at(now) + fmt::format("instruction {}: the DTB has the page of {:x}", next_, address));
  ++singles_;
  if (walk(page)) ++doubles_;
}

void InOrderDtb::end() {
  if (access_ != nullptr) differs(fmt::format("instruction {} has made no access", next_));
  if (singles_ != 0 || doubles_ != 0) differs("a miss of the DTB without its flow of PALcode");
}

// --- out of order --------------------------------------------------------------------------------------------------

void OutOfOrderDtb::issued(Cycle now, std::span<const Seen> seen, const activity::InstructionRecord& instruction) {
  const std::uint64_t id = instruction.id;
  if (id >= not_of_program) return;
  const Program::Step& step = program_.steps.at(id);
  const trace::Access* const access = program_.access_of(step);
  if (access == nullptr) return;
  bool missed = false;
  for (const Seen& s : seen) {
    missed |= s.signal == Signal::translation && (s.detail & d::side_data) != 0 && s.request->instruction == id;
  }
  const std::uint64_t page = page_of(access->address);
  const auto told = [&](const char* what) {
    return at(now) + fmt::format("instruction {}: the DTB {} the page of {:x}", id, what, access->address);
  };
  if (doubtful_.contains(id)) return differs(doubtful_[id]);
  if (use(page)) {
    if (missed) differs(told("has"));
  } else if (missed) {
    walks_[id] = walk(page);
  } else {
    doubtful_[id] = told("does not have");
  }
}

void OutOfOrderDtb::see(Cycle now, std::span<const Seen> seen) {
  std::size_t misses = 0;
  for (const Seen& s : seen) {
    if (is_trap(s, Trap::dtb_single) && s.instruction->id < not_of_program) {
      const std::uint64_t id = s.instruction->id;
      // The page may have left the buffer again before the trap of a miss that an older instruction has overtaken.
      const auto walked = walks_.find(id);
      double_comes_ = walked != walks_.end() && walked->second;
      if (walks_.erase(id) + doubtful_.erase(id) == 0) {
        differs(at(now) + fmt::format("instruction {} traps and has not missed the DTB", id));
      }
    }
    if (is_trap(s, Trap::dtb_double_3) && !std::exchange(double_comes_, false)) {
      return differs(at(now) + "PALcode for a double miss of the DTB that is none");
    }
    if (s.signal == Signal::kill && s.instruction != nullptr) doubtful_.erase(s.instruction->id);
    if (s.signal == Signal::retire && doubtful_.contains(s.instruction->id)) {
      return differs(doubtful_[s.instruction->id]);
    }
  }
  const std::size_t before = walks_.size();
  for (const Seen& s : seen) {
    misses += s.signal == Signal::translation && (s.detail & d::side_data) != 0 ? 1 : 0;
    if (s.signal == Signal::issue) issued(now, seen, *s.instruction);
  }
  if (walks_.size() - before != misses && !failed()) differs(at(now) + "a miss of no instruction that issues");
}

void OutOfOrderDtb::end() {
  if (double_comes_) differs("a double miss of the DTB without its flow of PALcode");
  if (!doubtful_.empty()) differs(doubtful_.begin()->second);
}

}  // namespace pmusim::testbench::alpha::lists
