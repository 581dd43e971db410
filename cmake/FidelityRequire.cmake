# fidelity_require(Name debian-package): find_package, with a message that says what to install.
# A macro, because packages set variables (Catch2 its module path) that the caller needs.
macro(fidelity_require name debian_package)
  find_package(${name} QUIET GLOBAL)
  if(NOT ${name}_FOUND)
    message(FATAL_ERROR "fidelity needs ${name}. On Debian or Ubuntu: apt-get install ${debian_package}")
  endif()
endmacro()
