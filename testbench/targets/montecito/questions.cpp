// Parts of the questions that are specific to the Montecito.
#include "testbench/targets/ia64/questions.h"

namespace pmusim::testbench::targets::montecito {
namespace {

const questions::ia64::Rules rules{
    .sets = {},
    .together = {
        {{"L2D_BYPASS_L2_DATA1", "L2D_REFERENCES_ALL", "L2D_STORE_HIT_SHARED_ANY"}, "events of three sets of L2"},
        {{"L2D_REFERENCES_ALL", "L2D_REFERENCES_READS"}, ""},
        {{"L2D_REFERENCES_READS", "L2D_STORE_HIT_SHARED_ANY"}, ""}}};

}  // namespace

extern const questions::Family questions =
    questions::ia64::make_family("montecito", questions::numbered("PMD", 4, 15), "itanium2", rules, {});

}  // namespace pmusim::testbench::targets::montecito
