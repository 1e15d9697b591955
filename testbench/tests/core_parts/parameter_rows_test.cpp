// A row of parameters defines a parameter and the fields that it sets, in one place.
#include "models/common/parameter_rows.h"

#include <gtest/gtest.h>

namespace pmusim::models {
namespace {

enum class Pace : std::uint8_t { walk, trot, gallop };
struct Inner {
  unsigned depth = 99;
};
struct Settings {
  std::uint64_t bytes = 99;
  bool enabled = false, disabled = false;
  Pace pace = Pace::walk;
  Inner inner;
  unsigned only_second = 99;
  unsigned halved = 99;
};
using S = Settings;

constexpr unsigned first = 1, second = 2;

const ParameterRows<S>& rows() {
  static const ParameterRows<S> table = {
      {{"a.bytes", 64, 1, 4096, "bytes", "size", "a manual", true}, {field<&S::bytes>}},
      {{"a.enabled", 1, 0, 1, "", "in use", "a manual", true, off_on()}, {field<&S::enabled>, is<0, &S::disabled>}},
      {open_choice("a.pace", "how fast", "not stated", {{"trot", 1, ""}, {"walk", 0, ""}, {"gallop", 2, ""}}),
       {field<&S::pace>}},
      {{"a.depth", 3, 0, 9, "", "of an inner part", "a manual", true}, {field<&S::inner, &Inner::depth>}},
      {{"a.second", 5, 0, 9, "", "of the second alone", "a manual", true}, {field<&S::only_second>}, second},
      {{"a.twice", 8, 0, 9, "", "computed", "a manual", true},
       {[](S& s, std::int64_t value) { s.halved = static_cast<unsigned>(value / 2); }}},
      {{"a.elsewhere", 0, 0, 1, "", "read elsewhere", "a manual", true}},
  };
  return table;
}

TEST(ParameterRows, DefaultsReachTheirFields) {
  S settings;
  read_parameters(settings, rows(), parameters_of(rows()));
  EXPECT_EQ(settings.bytes, 64U);
  EXPECT_TRUE(settings.enabled);
  EXPECT_FALSE(settings.disabled);
  EXPECT_EQ(settings.pace, Pace::trot) << "the first choice is the default, whatever its number";
  EXPECT_EQ(settings.inner.depth, 3U);
  EXPECT_EQ(settings.only_second, 5U);
  EXPECT_EQ(settings.halved, 4U);
}

TEST(ParameterRows, ValuesReachTheirFields) {
  Parameters given = parameters_of(rows());
  given.set("a.bytes", "0x80");
  given.set("a.enabled", "off");
  given.set("a.pace", "gallop");
  given.set("a.depth", 7);
  S settings;
  read_parameters(settings, rows(), given);
  EXPECT_EQ(settings.bytes, 128U);
  EXPECT_FALSE(settings.enabled);
  EXPECT_TRUE(settings.disabled);
  EXPECT_EQ(settings.pace, Pace::gallop);
  EXPECT_EQ(settings.inner.depth, 7U);
}

TEST(ParameterRows, VariantHasItsOwnRowsAndThoseOfAll) {
  EXPECT_FALSE(parameters_of(rows(), first).has("a.second"));
  EXPECT_TRUE(parameters_of(rows(), second).has("a.second"));
  EXPECT_TRUE(parameters_of(rows(), first).has("a.bytes"));
  S settings;
  read_parameters(settings, rows(), parameters_of(rows(), first), first);
  EXPECT_EQ(settings.only_second, 99U) << "a field without a row keeps its value";
}

TEST(ParameterRows, MissingParameterHasItsDefault) {
  S settings;
  read_parameters(settings, rows(), Parameters());
  EXPECT_EQ(settings.bytes, 64U);
  EXPECT_EQ(settings.inner.depth, 3U);
}

TEST(ParameterRows, RangeOfAChoiceIsThatOfItsValues) {
  const Parameters all = parameters_of(rows());
  for (const ParameterInfo& info : all.infos()) {
    if (info.name != "a.pace") continue;
    EXPECT_EQ(info.default_value, 1);
    EXPECT_EQ(info.minimum, 0);
    EXPECT_EQ(info.maximum, 2);
    EXPECT_FALSE(info.confirmed);
  }
  Parameters given = all;
  EXPECT_THROW(given.set("a.pace", 3), ParameterError);
}

}  // namespace
}  // namespace pmusim::models
