// Parts of the questions that are specific to the Itanium 2.
#include "testbench/targets/ia64/questions.h"

namespace pmusim::testbench::targets::itanium2 {
namespace {

using questions::ia64::OfOneSet;
using questions::ia64::Placing;

/// Itanium 2 reference manual for software development and optimization, 10.3; libpfm_itanium2(3): events of the L1D
/// caches must be on PMC5, which selects their set, and one of the L2 events on PMC4.
std::vector<Placing> placings() {
  std::vector<Placing> placings;
  for (const std::string_view name :
       {"L2_BAD", "L2_BYPASS", "L2_DATA", "L2_FILLB", "L2_FORCE", "L2_GOT", "L2_IFET", "L2_ISSUED", "L2_L3ACCESS",
        "L2_OPS", "L2_OZDB", "L2_OZQ", "L2_REFERENCES", "L2_STORE", "L2_SYNTH", "L2_VICTIMB"})
    placings.push_back({name, {0}});
  return placings;
}

const questions::ia64::Rules rules{
    .placings = placings(),
    .sets = {OfOneSet{"L2_OZQ_ACQUIRE", "L2_OZQ_RELEASE"}, OfOneSet{"L2_REFERENCES", "L2_DATA_REFERENCES_L2_ALL"},
             OfOneSet{"L2_GOT_RECIRC_OZQ_ACC", "L2_ISSUED_RECIRC_OZQ_ACC"},
             OfOneSet{"L2_BAD_LINES_SELECTED_ANY", "L2_STORE_HIT_SHARED_ANY"},
             OfOneSet{"L2_GOT_RECIRC_IFETCH_ANY", "L2_ISSUED_RECIRC_IFETCH_ANY"},
             OfOneSet{"L2_FILLB_FULL_THIS", "L2_OZDB_FULL_THIS"}},
    .together = {{{"L2_FORCE_RECIRC_ANY", "L2_FORCE_RECIRC_L1W"}, questions::ia64::one_counter},
                 {{"DATA_EAR_TLB_ALL", "BRANCH_EVENT"}, "the data EAR for TLB misses needs the branch buffer off"},
                 {{"DATA_EAR_CACHE_LAT4", "BRANCH_EVENT"}, ""}}};

constexpr questions::DefectExcuse excuses[] = {
    {"swaps-PMC15.ibrp3_pmc9-ibrp2_pmc8,swaps-PMC15.ibrp2_pmc8-ibrp1_pmc9",
     "a load needs the tag of channel 0 beside that of its data range's channel, and it has the same opcode"}};

}  // namespace

extern const questions::Family questions =
    questions::ia64::make_family("itanium2", questions::numbered("PMD", 4, 7), "montecito", rules, excuses);

}  // namespace pmusim::testbench::targets::itanium2
