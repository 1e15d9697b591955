#include "keys.h"

#include <algorithm>

namespace pmusim::trace {
namespace {

std::vector<Key> usual_order(const Annotations& annotations) {
  std::vector<Key> keys;
  for (const RegisterUse& use : annotations.registers) keys.push_back(use.write ? Key::wr : Key::rd);
  if (annotations.mispredict != Mispredict::unset) keys.push_back(Key::mispredict);
  if (annotations.latency) keys.push_back(Key::lat);
  if (annotations.data != Level::unset) keys.push_back(Key::data);
  if (annotations.dtlb != TlbOutcome::unset) keys.push_back(Key::dtlb);
  if (annotations.fetch != Level::unset) keys.push_back(Key::fetch);
  if (annotations.itlb != TlbOutcome::unset) keys.push_back(Key::itlb);
  if (annotations.cfm) keys.push_back(Key::cfm);
  if (annotations.bsp) keys.push_back(Key::bsp);
  if (annotations.loadrs) keys.push_back(Key::loadrs);
  keys.insert(keys.end(), annotations.deferrals.size(), Key::defer);
  if (annotations.flushed) keys.push_back(Key::ftz);
  if (annotations.trap != Trap::unset) keys.push_back(Key::trap);
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
