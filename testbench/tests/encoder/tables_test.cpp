// Consistency checks for every row of the event tables. The figures themselves are compared in the suite `sources`.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>

#include "athlon/backend.h"
#include "athlon/registers.h"
#include "engine.h"
#include "ppc750gx/registers.h"
#include "testbench/tests/target_name.h"

namespace pmusim::encoder {
namespace {

bool is_name(std::string_view text) {
  for (const char c : text)
    if (!(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && c != '_') return false;
  return !text.empty();
}

class EveryTarget : public ::testing::TestWithParam<const Backend*> {
 protected:
  [[nodiscard]] const Backend& backend() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Tables, EveryTarget, ::testing::ValuesIn(backends().begin(), backends().end()),
                         [](const auto& info) { return test_name(std::string(info.param->info().name)); });

TEST_P(EveryTarget, IsFoundByItsName) { EXPECT_EQ(find_backend(backend().info().name), &backend()); }

TEST_P(EveryTarget, EventNamesAreUniqueAndWellFormed) {
  std::set<std::string> names;
  for (const auto* list : {&backend().events(), &backend().reserved_events()})
    for (const Event& event : *list) {
      EXPECT_TRUE(is_name(event.name)) << event.name;
      EXPECT_TRUE(names.insert(event.name).second) << event.name << " is there twice";
    }
}

TEST_P(EveryTarget, NoNameIsARawForm) {
  for (const Event& event : backend().events()) EXPECT_FALSE(backend().raw_event(event.name)) << event.name;
}

TEST_P(EveryTarget, EveryEventHasDescriptionSourceAndCodes) {
  for (const Event& event : backend().events()) {
    EXPECT_GE(event.description.size(), 8u) << event.name;
    EXPECT_FALSE(event.source.empty()) << event.name;
    ASSERT_FALSE(event.codes.empty()) << event.name;
    for (std::size_t i = 0; i < event.codes.size(); ++i) {
      EXPECT_LT(event.codes[i].counter, backend().info().counters) << event.name;
      if (i > 0) {
        EXPECT_GT(event.codes[i].counter, event.codes[i - 1].counter) << event.name;
      }
    }
  }
}

// An event is distinguished by its code, by a separate unit mask, or by the set-up of a further register. An event that
// is not names the earlier event that it equals on the counters that both have.
TEST_P(EveryTarget, CounterAndSelectorNameOneEvent) {
  std::map<std::array<std::uint32_t, 4>, std::string> seen;
  for (const auto* list : {&backend().events(), &backend().reserved_events()})
    for (const Event& event : *list) {
      bool shared = false;
      for (const CounterCode& entry : event.codes) {
        const std::array<std::uint32_t, 4> selector{entry.counter, entry.code, event.fixed_mask, event.companion};
        const auto [place, fresh] = seen.try_emplace(selector, event.name);
        if (fresh) continue;
        shared = true;
        EXPECT_EQ(event.same_as, place->second)
            << event.name << " and " << place->second << " share counter " << entry.counter << " code " << entry.code;
      }
      EXPECT_EQ(event.same_as.empty(), !shared) << event.name;
    }
}

TEST_P(EveryTarget, DescriptionsAreTheirOwn) {
  std::map<std::string, std::string> seen;
  for (const Event& event : backend().events()) {
    const auto [place, fresh] = seen.try_emplace(event.description, event.name);
    EXPECT_TRUE(fresh) << event.name << " is described as " << place->second;
  }
}

TEST_P(EveryTarget, UnitMasksAreDisjointBitsAndAllIsTheirSum) {
  for (const Event& event : backend().events()) {
    if (event.unit_masks.empty()) continue;
    std::uint32_t sum = 0;
    unsigned defaults = 0;
    const UnitMask* all = nullptr;
    std::set<std::string_view> names;
    for (const UnitMask& mask : event.unit_masks) {
      EXPECT_TRUE(is_name(mask.name)) << event.name;
      EXPECT_TRUE(names.insert(mask.name).second) << event.name << ':' << mask.name;
      EXPECT_GE(mask.description.size(), 8u) << event.name << ':' << mask.name;
      defaults += mask.is_default ? 1 : 0;
      if (mask.name == "ALL") {
        all = &mask;
        continue;
      }
      EXPECT_EQ(std::popcount(event.bits(mask)), 1) << event.name << ':' << mask.name;
      EXPECT_EQ(sum & event.bits(mask), 0u) << event.name << ':' << mask.name << " shares a bit";
      sum |= event.bits(mask);
    }
    if (event.masks_are_places) {  // line states of montecito, as in libpfm: no default
      EXPECT_EQ(defaults, 0u) << event.name;
      EXPECT_EQ(sum, 0xfu) << event.name;
      continue;
    }
    EXPECT_EQ(defaults, 1u) << event.name;
    ASSERT_NE(all, nullptr) << event.name;
    EXPECT_EQ(all->code, sum) << event.name;
    EXPECT_TRUE(all->is_default) << event.name;
  }
}

TEST_P(EveryTarget, NoUnitMaskHidesAnAttribute) {
  for (const Event& event : backend().events())
    for (const UnitMask& mask : event.unit_masks)
      for (const Attribute& attribute : backend().attributes()) EXPECT_NE(mask.name, attribute.name) << event.name;
}

TEST_P(EveryTarget, RegisterFieldsCoverEachBitOnce) {
  for (const Register& reg : backend().registers()) {
    std::uint64_t covered = 0;
    for (const Field& field : reg.fields) {
      const std::uint64_t bits = field.put(field.limit());
      EXPECT_EQ(covered & bits, 0u) << reg.name << ' ' << field.name;
      covered |= bits;
      EXPECT_FALSE(field.meaning.of(0).empty());
      EXPECT_FALSE(field.meaning.of(field.limit()).empty());
    }
    const std::uint64_t whole = reg.width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << reg.width) - 1;
    EXPECT_EQ(covered, whole) << reg.name;
  }
}

TEST_P(EveryTarget, AttributesHaveLimitsAndMeaning) {
  std::set<std::string_view> names;
  for (const Attribute& attribute : backend().attributes()) {
    EXPECT_TRUE(names.insert(attribute.name).second) << attribute.name;
    EXPECT_LT(attribute.minimum, attribute.maximum) << attribute.name;
    EXPECT_FALSE(attribute.meaning.empty()) << attribute.name;
    if (attribute.flag) {
      EXPECT_EQ(attribute.maximum, 1u) << attribute.name;
    }
  }
  for (const ForeignAttribute& foreign : backend().foreign_attributes())
    EXPECT_TRUE(names.insert(foreign.name).second) << foreign.name << " is an attribute of this target";
}

// 57 codes; the rows of an event with masks are ALL and one per bit, an event without masks has one row.
TEST(AthlonTable, HasItsRows) {
  EXPECT_EQ(athlon::table().size(), 57u);
  std::size_t rows = 0;
  std::uint8_t before = 0;
  for (const athlon::Row& row : athlon::table()) {
    rows += row.unit_masks.empty() ? 1 : row.unit_masks.size();
    EXPECT_GT(row.code, before) << row.name << ": not in order of codes";
    before = row.code;
    EXPECT_GE(row.max_per_cycle, 1u) << row.name;
    EXPECT_LE(row.max_per_cycle, 3u) << row.name << ": three operations retire in a cycle at most";
    for (const UnitMask& mask : row.unit_masks) EXPECT_LE(mask.code, athlon::field::unit_mask.limit());
  }
  // By event: 20h 8, 42h 43h 44h 65h 6 each, 73h 4, 74h 3, 75h 5, 79h 9.
  const std::size_t masked = 8 + 4 * 6 + 4 + 3 + 5 + 9;
  EXPECT_EQ(rows, masked + (57 - 9));
}

TEST(Ppc750Tables, EverySelectorIsDefinedOrReserved) {
  for (const ppc750gx::CounterTable& table : ppc750gx::tables()) {
    const std::uint64_t limit = ppc750gx::kSelectors[table.counter].bits.limit();
    std::vector<unsigned> times(limit + 1);
    for (const ppc750gx::Row& row : table.rows) ++times.at(row.select);
    for (const ppc750gx::ReservedRange& range : table.reserved)
      for (unsigned select = range.first; select <= range.last; ++select) ++times.at(select);
    for (unsigned select = 0; select <= limit; ++select)
      EXPECT_EQ(times[select], 1u) << "PMC" << table.counter + 1 << " selector " << select;
  }
}

TEST(Ppc750Tables, HaveAsManyEventsAsTheManual) {
  const std::array<std::size_t, 4> defined{13, 16, 16, 13};
  for (const ppc750gx::CounterTable& table : ppc750gx::tables())
    EXPECT_EQ(table.rows.size(), defined[table.counter]) << "PMC" << table.counter + 1;
}

TEST(Ppc750Tables, TheFirstFiveSelectorsAreCommon) {
  const auto& first = ppc750gx::tables()[0].rows;
  for (const ppc750gx::CounterTable& table : ppc750gx::tables())
    for (unsigned select = 0; select < table.rows.size(); ++select) {
      const ppc750gx::Row& row = table.rows[select];
      if (select < 5) {
        EXPECT_EQ(row.name, first[select].name);
        EXPECT_EQ(row.description, first[select].description);
        EXPECT_EQ(row.max_per_cycle, first[select].max_per_cycle);
        EXPECT_EQ(row.select, select);
        continue;
      }
      for (const ppc750gx::CounterTable& other : ppc750gx::tables()) {
        if (other.counter == table.counter) continue;
        for (const ppc750gx::Row& twin : other.rows) EXPECT_NE(row.name, twin.name);
      }
    }
}

TEST(Ppc750Tables, OnlyTheDoubtfulEventIsUnconfirmed) {
  for (const ppc750gx::CounterTable& table : ppc750gx::tables())
    for (const ppc750gx::Row& row : table.rows)
      EXPECT_EQ(row.confirmed, !(table.counter == 3 && row.select == 8)) << row.name;
}

}  // namespace
}  // namespace pmusim::encoder
