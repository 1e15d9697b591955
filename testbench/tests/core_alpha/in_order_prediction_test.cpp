// The return stack of the in-order chips.
#include <gtest/gtest.h>

#include "models/core/alpha/alpha.h"
#include "models/core/alpha/in_order/core.h"

namespace pmusim::core::alpha {
namespace {

// One call more than the stack has entries, all from one address. The last return goes to the same address as the
// others, but every entry has been used by then.
TEST(InOrderReturnStack, AnEntryIsUsedOnce) {
  const InOrderSettings settings(Chip::ev5, alpha_ev5_parameters());
  Prediction prediction(settings);
  StaticCode call{}, back{};
  call.pc = 0x1004;
  call.branch = StaticCode::Branch::subroutine;
  back.pc = 0x1008;
  back.branch = StaticCode::Branch::subroutine_return;
  for (std::size_t i = 0; i <= settings.return_stack; ++i) EXPECT_TRUE(prediction.predict(call, true, 0x1000).right);
  for (std::size_t i = 0; i < settings.return_stack; ++i) EXPECT_TRUE(prediction.predict(back, true, 0x1008).right);
  EXPECT_FALSE(prediction.predict(back, true, 0x1008).right);
}

}  // namespace
}  // namespace pmusim::core::alpha
