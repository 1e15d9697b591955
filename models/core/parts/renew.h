// Resets an object in place.
#pragma once

#include <new>

namespace pmusim::core {

/// Resets the object to its default member initialisers. Unlike `object = {}` this makes no temporary, whose copy would
/// have to wait for the single stores that made it. It is meant for the records of every instruction and every access.
/// Members without an initialiser keep their values.
template <class Object>
Object& renew(Object& object) {
  return *new (&object) Object;
}

}  // namespace pmusim::core
