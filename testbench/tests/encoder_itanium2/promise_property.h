// The promise of libpfm's manual pages, "never covers less", on drawn requests.
#pragma once

#include "promise.h"

namespace pmusim::encoder::test {

/// Drawn ranges of code and data are covered, or refused. `answer_to` asks the C API.
void expect_promise_kept(Json (*answer_to)(const Json&), const RangeHardware& hardware);
/// libpfm's own answers, under these quirks, do not always keep it: the same requests show that.
void expect_promise_broken(Json (*answer_to)(const Json&), const RangeHardware& hardware, const std::string& quirks);

}  // namespace pmusim::encoder::test
