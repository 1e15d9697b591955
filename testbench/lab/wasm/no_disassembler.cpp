// Explanations identify instructions by address; the page has its own listings.
#include "testbench/explain/code_text.h"

namespace pmusim::testbench {

void add_code_text(trace::Reader&, std::map<Culprit, std::string>&) {}

}  // namespace pmusim::testbench
