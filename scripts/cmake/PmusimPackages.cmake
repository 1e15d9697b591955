# `cpack` makes a Debian package of each component. prepare.cmake adds files that the installed tree lacks (compressed
# manual pages, copyright, changelog), and sets times to SOURCE_DATE_EPOCH.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pmusim)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
# The maintainer of the packages, required by Debian's tools. The default is the address of the project's commits.
set(contact "pmusim maintainers <maintainers@users.noreply.a-seed-ee8145b9.example>")
if(DEFINED ENV{DEBEMAIL})
  set(contact "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(PMUSIM_MAINTAINER "${contact}" CACHE STRING "maintainer of the Debian packages: NAME <ADDRESS>")
set(CPACK_PACKAGE_CONTACT "${PMUSIM_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # it would precede each package's own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/scripts/packages/prepare.cmake")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_COMPONENTS_ALL pmusim libpmuencoder1 libpmuencoder_dev libpmusim_dev pmusim_doc)
if(TARGET pmusim-python)
  list(APPEND CPACK_COMPONENTS_ALL python3_pmusim)
endif()

# pmusim_package(COMPONENT SECTION SUMMARY TEXT [DEPENDS ...] [RECOMMENDS ...] [SUGGESTS ...])
function(pmusim_package component section summary text)
  cmake_parse_arguments(P "" "ARCHITECTURE;SHLIBDEPS" "DEPENDS;RECOMMENDS;SUGGESTS" ${ARGN})
  string(TOUPPER ${component} upper)
  string(REPLACE "_" "-" name ${component})
  set(prefix CPACK_DEBIAN_${upper}_PACKAGE)
  set(${prefix}_NAME ${name} PARENT_SCOPE)
  set(${prefix}_SECTION ${section} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  foreach(relation DEPENDS RECOMMENDS SUGGESTS)
    list(JOIN P_${relation} ", " packages)
    set(${prefix}_${relation} "${packages}" PARENT_SCOPE)
  endforeach()
  if(P_ARCHITECTURE)
    set(${prefix}_ARCHITECTURE ${P_ARCHITECTURE} PARENT_SCOPE)
    set(${prefix}_SHLIBDEPS OFF PARENT_SCOPE)
  endif()
endfunction()
set(same "(= ${PROJECT_VERSION})")
pmusim_package(pmusim devel "cycle-level simulator of performance monitoring units"
  "Models the performance monitoring units of the AMD Athlon, PowerPC 750GX,
Itanium 2, Montecito and several Alpha processors, drives them with recorded
instruction traces, and judges encoders: do these register values count what
their event name promises?"
  DEPENDS python3:any  # of the adapters
  SUGGESTS pmusim-doc xdg-utils qemu-user gcc-powerpc-linux-gnu gcc-i686-linux-gnu gcc-alpha-linux-gnu binutils-ia64-linux-gnu
           bubblewrap)
pmusim_package(libpmuencoder1 libs "event names to PMU register values - shared library"
  "Turns event names into the register values of performance monitoring units,
and register values back into words. Has the C API of libpfm 3 and a C++ API.")
pmusim_package(libpmuencoder_dev libdevel "event names to PMU register values - development files"
  "Headers, the static library, and files for pkg-config and CMake."
  DEPENDS "libpmuencoder1 ${same}" libfmt-dev)
pmusim_package(libpmusim_dev libdevel "models of performance monitoring units - development files"
  "Static libraries and headers of the trace formats, the timing cores, the PMU
models and their SystemC modules, for find_package(pmusim) of CMake."
  DEPENDS "libpmuencoder-dev ${same}" libsystemc-dev libfmt-dev libzydis-dev libzstd-dev zlib1g-dev pkgconf)
pmusim_package(pmusim_doc doc "simulator of performance monitoring units - documentation"
  "Pages on targets, encoders, traces and validation, tutorials, and notebooks."
  ARCHITECTURE all)
if(TARGET pmusim-python)
  math(EXPR next "${PMUSIM_PYTHON_MINOR} + 1")
  pmusim_package(python3_pmusim python "simulator of performance monitoring units - Python module"
    "The commands of pmusim as functions, traces and activity as NumPy arrays,
monitors to be stepped cycle by cycle, and encoders written in Python."
    DEPENDS "pmusim ${same}" "python3 (>= 3.${PMUSIM_PYTHON_MINOR}~)" "python3 (<< 3.${next}~)" python3-numpy
    SUGGESTS python3-matplotlib)
endif()
# Control files of the shared library: its name, its symbols, and a trigger of ldconfig.
set(control "${PROJECT_SOURCE_DIR}/scripts/packages/libpmuencoder1")
set(CPACK_DEBIAN_LIBPMUENCODER1_PACKAGE_CONTROL_EXTRA "${control}/shlibs;${control}/symbols;${control}/triggers")
set(CPACK_DEBIAN_LIBPMUENCODER1_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
