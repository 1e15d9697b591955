// The promise of libpfm's manual pages, "never covers less", on random requests.
#pragma once

#include "promise.h"

namespace pmusim::encoder::test {

/// Random ranges of code and data are covered, or refused. `answer_to` calls the C API.
void expect_promise_kept(Json (*answer_to)(const Json&), const RangeHardware& hardware);
/// libpfm's own answers, under these quirks, do not always keep the promise; the same requests show this.
void expect_promise_broken(Json (*answer_to)(const Json&), const RangeHardware& hardware, const std::string& quirks);

}  // namespace pmusim::encoder::test
