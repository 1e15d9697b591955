// Parts of the questions that are specific to the Itanium 2.
#include "testbench/targets/ia64/questions.h"

namespace pmusim::testbench::targets::itanium2 {
namespace {

using questions::ia64::OfOneSet;

const questions::ia64::Rules rules{
    .sets = {OfOneSet{"L2_OZQ_ACQUIRE", "L2_OZQ_RELEASE"}, OfOneSet{"L2_REFERENCES", "L2_DATA_REFERENCES_L2_ALL"},
             OfOneSet{"L2_GOT_RECIRC_OZQ_ACC", "L2_ISSUED_RECIRC_OZQ_ACC"},
             OfOneSet{"L2_BAD_LINES_SELECTED_ANY", "L2_STORE_HIT_SHARED_ANY"},
             OfOneSet{"L2_GOT_RECIRC_IFETCH_ANY", "L2_ISSUED_RECIRC_IFETCH_ANY"},
             OfOneSet{"L2_FILLB_FULL_THIS", "L2_OZDB_FULL_THIS"}},
    .together = {{{"L2_FORCE_RECIRC_ANY", "L2_FORCE_RECIRC_L1W"}, questions::ia64::one_counter},
                 {{"DATA_EAR_TLB_ALL", "BRANCH_EVENT"}, "the data EAR for TLB misses needs the branch buffer off"},
                 {{"DATA_EAR_CACHE_LAT4", "BRANCH_EVENT"}, ""}}};

constexpr questions::Excuse excuses[] = {
    {"swaps-PMC15.ibrp3_pmc9-ibrp2_pmc8,swaps-PMC15.ibrp2_pmc8-ibrp1_pmc9",
     "a load needs the tag of channel 0 beside that of its data range's channel, and it has the same opcode"}};

}  // namespace

extern const questions::Family questions =
    questions::ia64::make_family("itanium2", questions::numbered("PMD", 4, 7), "montecito", rules, excuses);

}  // namespace pmusim::testbench::targets::itanium2
