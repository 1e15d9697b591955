// Statistics of a trace, with the privilege level of its instructions as specified by its directives.
#include "statistics.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "pmusim/trace/instruction.h"
#include "pmusim/trace/numbering.h"
#include "pmusim/trace/text.h"
#include "standing_state.h"

namespace pmusim::trace::edit {

class Privilege {
 public:
  explicit Privilege(Isa isa) : isa_(isa) {}

  void observe(const Directive& directive) {
    if (directive.name == "cpl") {
      level_ = static_cast<unsigned>(std::stoul(directive.operands[0].second));
    } else if (directive.name == "msr") {
      for (const auto& [key, value] : directive.operands) {
        if (key == "pr") level_ = value == "1" ? 3 : 0;
      }
    } else if (directive.name == "mode" && isa_ == Isa::alpha) {
      pal_ = directive.operands[0].second == "pal";
    } else if (directive.name == "return" && !saved_.empty()) {
      level_ = saved_.back().level;
      pal_ = saved_.back().pal;
      saved_.pop_back();
    } else if (directive.name == "reset" || directive.name == "init") {
      level_ = 0;
      saved_.clear();
    } else if (const Meaning* const meaning = meaning_of(directive.name); meaning != nullptr && meaning->enters) {
      saved_.push_back({level_, pal_});
      level_ = 0;
    }
  }

  /// `user`, `supervisor`, `kernel`, `PALcode`, `level 3`, ...; `not told` before the first directive that specifies
  /// it.
  [[nodiscard]] std::string_view name() const {
    constexpr std::string_view levels[] = {"level 0", "level 1", "level 2", "level 3"};
    constexpr std::string_view modes[] = {"kernel", "executive", "supervisor", "user"};
    if (pal_) return "PALcode";
    if (level_ > 3) return "not told";
    if (isa_ == Isa::alpha) return modes[level_];
    if (isa_ == Isa::ppc) return level_ == 0 ? "supervisor" : "user";
    return levels[level_];
  }

 private:
  Isa isa_;
  unsigned level_ = untold;
  bool pal_ = false;
  struct Saved {
    unsigned level;
    bool pal;
  };
  std::vector<Saved> saved_;  // one entry for each handler that was entered
  static constexpr unsigned untold = ~0U;
};

namespace {

/// The accessed blocks with their kinds of access: bit 0 read, bit 1 written.
class Touched {
 public:
  explicit Touched(std::uint64_t size) : size_(size) {}
  void touch(std::uint64_t address, std::uint64_t bytes, unsigned how) {
    for (std::uint64_t block = address / size_, last = (address + bytes - 1) / size_; block <= last; ++block) {
      if (block == block_ && (how_ & how) == how) continue;  // the same block as in the last call: the common case
      how_ = blocks_[block] |= how;
      block_ = block;
    }
  }
  [[nodiscard]] std::uint64_t count(unsigned how) const {
    std::uint64_t sum = 0;
    for (const auto& [_, touched] : blocks_) sum += (touched & how) != 0;
    return sum;
  }

 private:
  std::uint64_t size_;
  std::unordered_map<std::uint64_t, unsigned> blocks_;
  std::uint64_t block_ = ~std::uint64_t{0};
  unsigned how_ = 0;
};

constexpr unsigned reading = 1, writing = 2;

struct Known {
  std::vector<Work> works;
  std::array<std::uint64_t, 3> executed{};  // by slot
  bool branched = false;                    // a branch was executed here
};

class Counting {
 public:
  Counting(Isa isa, std::uint64_t line_bytes, std::uint64_t page_bytes)
      : isa_(isa),
        privilege_(isa),
        numbering_(isa),
        code_lines_(line_bytes),
        code_pages_(page_bytes),
        data_lines_(line_bytes),
        data_pages_(page_bytes) {}

  void take(const Directive& directive) {
    ++result_.directives[directive.name];
    privilege_.observe(directive);
    at_ = nullptr;
  }

  void take(const Instruction& instruction) {
    const Code& code = *instruction.code;
    if (code.id >= known_.size()) known_.resize(code.id + 1U);
    Known& known = known_[code.id];
    if (known.works.empty()) {
      known.works = works_of(isa_, code);
      result_.code_bytes += code.length;
      code_lines_.touch(code.pc, code.length, reading);
      code_pages_.touch(code.pc, code.length, reading);
    }
    const std::uint64_t number = numbering_.take(instruction);
    const bool ends = numbering_.instructions() > number;
    if (at_ == nullptr) at_ = &result_.privilege[std::string(privilege_.name())];
    const unsigned last = instruction.taken && isa_ == Isa::ia64 ? taken_slot(instruction.mask) : 0;
    for (unsigned slot = 0; slot < known.works.size(); ++slot) {
      if (isa_ == Isa::ia64 && instruction.mask[slot] != 'x') {
        const bool off = instruction.mask[slot] == 'p';
        result_.predicated_off += off;
        if (off && known.works[slot].kind == Class::branch) branch(known, known.works[slot], false);
        continue;
      }
      if (!ends) continue;
      ++known.executed[slot];
      ++result_.instructions;
      ++at_->instructions;
      const Work& work = known.works[slot];
      ++result_.classes[static_cast<std::size_t>(work.kind)];
      if (work.kind == Class::branch) branch(known, work, instruction.taken && slot == last);
    }
    for (const Access& access : instruction.accesses) {
      ++(access.store ? result_.stores : result_.loads);
      ++(access.store ? at_->stores : at_->loads);
      (access.store ? result_.store_bytes : result_.load_bytes) += access.size;
      data_lines_.touch(access.address, access.size, access.store ? writing : reading);
      data_pages_.touch(access.address, access.size, access.store ? writing : reading);
    }
  }

  Statistics finish() {
    for (const Known& known : known_) {
      result_.branch_places += known.branched;
      for (std::size_t slot = 0; slot < known.works.size(); ++slot) {
        if (known.executed[slot] > 0) result_.mnemonics[known.works[slot].mnemonic] += known.executed[slot];
      }
    }
    result_.lines = numbering_.lines();
    result_.code = {code_lines_.count(reading), code_pages_.count(reading)};
    result_.read = {data_lines_.count(reading), data_pages_.count(reading)};
    result_.written = {data_lines_.count(writing), data_pages_.count(writing)};
    result_.data = {data_lines_.count(reading | writing), data_pages_.count(reading | writing)};
    return std::move(result_);
  }

 private:
  void branch(Known& known, const Work& work, bool taken) {
    known.branched = true;
    ++result_.branches;
    ++at_->branches;
    result_.taken += taken;
    at_->taken += taken;
    result_.conditional += work.conditional;
    result_.conditional_taken += work.conditional && taken;
    result_.calls += work.call && taken;
    result_.returns += work.returns && taken;
    result_.indirect += work.indirect && taken;
  }

  Isa isa_;
  Privilege privilege_;
  Numbering numbering_;
  Touched code_lines_, code_pages_, data_lines_, data_pages_;
  std::vector<Known> known_;  // by id of the code
  AtPrivilege* at_ = nullptr;
  Statistics result_;
};

}  // namespace

Statistics statistics_of(Reader& reader, std::uint64_t line_bytes, std::uint64_t page_bytes) {
  Counting counting(reader.info().isa, line_bytes, page_bytes);
  for (Item item; reader.next(item);) {
    if (item.directive != nullptr) {
      counting.take(*item.directive);
    } else {
      counting.take(item.instruction);
    }
  }
  return counting.finish();
}

}  // namespace pmusim::trace::edit
