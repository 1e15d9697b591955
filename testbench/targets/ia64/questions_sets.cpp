// Combinations of events of an IA-64 processor: events of one set of the L1 or L2 caches, one event on the only counter
// that can count it, one setup of a capture unit.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "testbench/targets/ia64/questions.h"

namespace pmusim::testbench::questions::ia64 {
namespace {

/// Sets of the L1 caches (libpfm_itanium2(3), libpfm_montecito(3), and the tables after pfm_get_event_set()).
constexpr std::array l1_sets{
    OfOneSet{"L1DTLB_TRANSFER", "L2DTLB_MISSES"}, OfOneSet{"L1D_READS_SET1", "L1D_READ_MISSES_ALL"},
    OfOneSet{"BE_L1D_FPU_BUBBLE_ALL", "BE_L1D_FPU_BUBBLE_L1D"}, OfOneSet{"LOADS_RETIRED", "MISALIGNED_LOADS_RETIRED"},
    OfOneSet{"STORES_RETIRED", "MISALIGNED_STORES_RETIRED"}};
class Sets {
 public:
  Sets(const Family& family, std::vector<Question>& questions) : family_(family), questions_(questions) {
    for (const Check& row : rows_of(family.target)) names_.push_back(row.request.event);
  }

  /// Adds two events of the same set, which can be combined, and events of two sets, which cannot.
  void group(std::span<const OfOneSet> sets) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
      together({sets[i][0], sets[i][1]}, "");
      together({sets[i][1], "NOPS_RETIRED", sets[i][0]}, "");
      together({sets[i][0], sets[(i + 1) % sets.size()][1]}, "events of two sets of a cache");
    }
  }

  void together(const std::vector<std::string_view>& names, const char* why) {
    Question question;
    for (const std::string_view name : names) {
      if (std::find(names_.begin(), names_.end(), name) == names_.end()) return;  // an event of another processor
      question.group.checks.push_back(row_named(family_, std::string(name)));
    }
    question.illegal = why;
    questions_.push_back(std::move(question));
  }

 private:
  const Family& family_;
  std::vector<Question>& questions_;
  std::vector<std::string> names_;
};

}  // namespace

void add_sets(const Family& family, std::vector<Question>& questions) {
  Sets sets(family, questions);
  sets.group(l1_sets);
  constexpr const char* one_setup = "two setups of one register";
  sets.group(family.ia64->sets);
  for (const Together& one : family.ia64->together) sets.together(one.names, one.why);
  sets.together({"DATA_EAR_CACHE_LAT4", "DATA_EAR_CACHE_LAT8"}, one_setup);
  sets.together({"L1I_EAR_CACHE_LAT0", "L1I_EAR_TLB_ALL"}, one_setup);
  sets.together({"DATA_EAR_CACHE_LAT4", "L1I_EAR_CACHE_LAT0"}, "");
}

}  // namespace pmusim::testbench::questions::ia64
