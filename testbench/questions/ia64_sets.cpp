// Which events of an IA-64 processor can be counted together: those of one set of the L1 or L2 caches, one event on a
// counter that is its only one, one setup of a capture unit.
#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "testbench/questions/ia64.h"

namespace pmusim::testbench::questions::ia64 {
namespace {

/// Two events each of the sets of a group, of which one set can be chosen at a time (libpfm_itanium2(3),
/// libpfm_montecito(3), and the tables after pfm_get_event_set()).
using Pair = std::array<std::string_view, 2>;
constexpr std::array l1_sets{Pair{"L1DTLB_TRANSFER", "L2DTLB_MISSES"}, Pair{"L1D_READS_SET1", "L1D_READ_MISSES_ALL"},
                             Pair{"BE_L1D_FPU_BUBBLE_ALL", "BE_L1D_FPU_BUBBLE_L1D"},
                             Pair{"LOADS_RETIRED", "MISALIGNED_LOADS_RETIRED"},
                             Pair{"STORES_RETIRED", "MISALIGNED_STORES_RETIRED"}};
constexpr std::array l2_sets_itanium2{Pair{"L2_OZQ_ACQUIRE", "L2_OZQ_RELEASE"},
                                      Pair{"L2_REFERENCES", "L2_DATA_REFERENCES_L2_ALL"},
                                      Pair{"L2_GOT_RECIRC_OZQ_ACC", "L2_ISSUED_RECIRC_OZQ_ACC"},
                                      Pair{"L2_BAD_LINES_SELECTED_ANY", "L2_STORE_HIT_SHARED_ANY"},
                                      Pair{"L2_GOT_RECIRC_IFETCH_ANY", "L2_ISSUED_RECIRC_IFETCH_ANY"},
                                      Pair{"L2_FILLB_FULL_THIS", "L2_OZDB_FULL_THIS"}};

class Sets {
 public:
  Sets(const Family& family, std::vector<Question>& questions) : family_(family), questions_(questions) {
    for (const Check& row : rows_of(family.target)) names_.push_back(row.request.event);
  }

  /// Two of one set go together, one each of two sets do not.
  void group(std::span<const Pair> sets) {
    for (std::size_t i = 0; i < sets.size(); ++i) {
      together({sets[i][0], sets[i][1]}, "");
      together({sets[i][1], "NOPS_RETIRED", sets[i][0]}, "");
      together({sets[i][0], sets[(i + 1) % sets.size()][1]}, "events of two sets of a cache");
    }
  }

  void together(std::initializer_list<std::string_view> names, const char* why) {
    Question question;
    for (const std::string_view name : names) {
      if (std::find(names_.begin(), names_.end(), name) == names_.end()) return;  // the other processor's
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
  constexpr const char *one_counter = "two events of one counter", *one_setup = "two setups of one register";
  if (family.target == "itanium2") {
    sets.group(l2_sets_itanium2);
    sets.together({"L2_FORCE_RECIRC_ANY", "L2_FORCE_RECIRC_L1W"}, one_counter);
    sets.together({"DATA_EAR_TLB_ALL", "BRANCH_EVENT"}, "the data EAR for TLB misses needs the branch buffer off");
    sets.together({"DATA_EAR_CACHE_LAT4", "BRANCH_EVENT"}, "");
  } else {
    sets.together({"L2D_BYPASS_L2_DATA1", "L2D_REFERENCES_ALL", "L2D_STORE_HIT_SHARED_ANY"},
                  "events of three sets of L2");
    sets.together({"L2D_REFERENCES_ALL", "L2D_REFERENCES_READS"}, "");
    sets.together({"L2D_REFERENCES_READS", "L2D_STORE_HIT_SHARED_ANY"}, "");
  }
  sets.together({"DATA_EAR_CACHE_LAT4", "DATA_EAR_CACHE_LAT8"}, one_setup);
  sets.together({"L1I_EAR_CACHE_LAT0", "L1I_EAR_TLB_ALL"}, one_setup);
  sets.together({"DATA_EAR_CACHE_LAT4", "L1I_EAR_CACHE_LAT0"}, "");
}

}  // namespace pmusim::testbench::questions::ia64
