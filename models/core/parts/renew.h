// Starting an object again where it is.
#pragma once

#include <new>

namespace pmusim::core {

/// The object begins a new life with its default member initialisers. Unlike `object = {}` this makes no
/// temporary, whose copy would have to wait for the single stores it was made by: it is meant for the records of
/// every instruction and every access. Members without initialiser are left as they are found.
template <class Object>
Object& renew(Object& object) {
  return *new (&object) Object;
}

}  // namespace pmusim::core
