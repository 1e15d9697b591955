#include "testbench/support/only.h"

#include <gtest/gtest.h>

namespace pmusim::testbench {
namespace {

TEST(Only, NothingLetsEverythingIn) {
  EXPECT_TRUE(Only("").empty());
  EXPECT_TRUE(Only("").admits("ANY"));
}
TEST(Only, AWordIsTheBeginningInAnyCase) {
  const Only only("retired_in");
  EXPECT_TRUE(only.admits("RETIRED_INSTRUCTIONS:u"));
  EXPECT_FALSE(only.admits("RETIRED_UOPS"));
}
TEST(Only, StarsAndQuestionMarks) {
  EXPECT_TRUE(Only("*CACHE*MISSES").admits("DATA_CACHE_MISSES"));
  EXPECT_FALSE(Only("*CACHE*MISSES").admits("DATA_CACHE_MISSES:u"));
  EXPECT_TRUE(Only("L?_HITS").admits("L2_HITS"));
  EXPECT_FALSE(Only("L?_HITS").admits("L2X_HITS"));
}
TEST(Only, ListsAndExclusions) {
  const Only only("DATA_*,SNOOP*,!*REFILLS*");
  EXPECT_TRUE(only.admits("DATA_CACHE_MISSES"));
  EXPECT_TRUE(only.admits("SNOOP_HITS:DC"));
  EXPECT_FALSE(only.admits("DATA_CACHE_REFILLS:ALL"));
  EXPECT_FALSE(only.admits("RETIRED_UOPS"));
  EXPECT_TRUE(Only("!DATA_").admits("RETIRED_UOPS"));
  EXPECT_FALSE(Only("!DATA_").admits("DATA_CACHE_MISSES"));
}
TEST(Only, NamesThatContinue) {
  EXPECT_TRUE(Only("retired_instructions:u").may_admit_more_of("RETIRED_INSTRUCTIONS"));
  EXPECT_TRUE(Only("X,*TIONS:?:c=1").may_admit_more_of("RETIRED_INSTRUCTIONS"));
  EXPECT_TRUE(Only("!RETIRED_INSTRUCTIONS:u").may_admit_more_of("RETIRED_INSTRUCTIONS"));
  EXPECT_FALSE(Only("RETIRED_INSTRUCTION:u").may_admit_more_of("RETIRED_INSTRUCTIONS"));
  EXPECT_FALSE(Only("RETIRED_INSTRUCTIONS?u").may_admit_more_of("RETIRED_INSTRUCTIONS_ALL"));
  EXPECT_FALSE(Only("RETIRED_INSTRUCTIONS:u,!RETIRED").may_admit_more_of("RETIRED_INSTRUCTIONS"));
}
TEST(Only, TheWordForAHintHasNoWildcards) { EXPECT_EQ(Only("!X,*Cache?*").word(), "cache"); }

}  // namespace
}  // namespace pmusim::testbench
