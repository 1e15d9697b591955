#include "keys.h"

namespace pmusim::trace {
namespace {

std::vector<Key> usual_order(const Annotations& annotations) {
  std::vector<Key> keys;
  for (const RegisterUse& use : annotations.registers) keys.push_back(use.write ? Key::wr : Key::rd);
  for (unsigned i = static_cast<unsigned>(Key::mispredict); i < key_names.size(); ++i) {
    const auto key = static_cast<Key>(i);
    if (key == Key::defer) keys.insert(keys.end(), annotations.deferrals.size(), key);
    visit_value(key, annotations, [&]<typename Value>(const Value& value) {
      if (value != Value{}) keys.push_back(key);
    });
  }
  return keys;
}

/// True if `order` is a permutation of the usual order that keeps the order of rd and wr.
bool is_order_of(const std::vector<Key>& order, const std::vector<Key>& usual) {
  if (order.size() != usual.size() || !std::is_permutation(order.begin(), order.end(), usual.begin())) return false;
  auto next = usual.begin();
  return std::all_of(order.begin(), order.end(), [&](Key key) { return key > Key::wr || key == *next++; });
}

}  // namespace

std::vector<Key> keys_of(const Annotations& annotations) {
  std::vector<Key> usual = usual_order(annotations);
  return is_order_of(annotations.order, usual) ? annotations.order : usual;
}

void set_order(Annotations& annotations, std::vector<Key> order) {
  annotations.order.clear();
  if (order != usual_order(annotations)) annotations.order = std::move(order);
}

}  // namespace pmusim::trace
