# cmake -DCOMPILER=... -DINCLUDE=... -DEIGEN=... -P size.cmake
# The umbrella header may cost a user at most twice the preprocessed lines of Eigen/Core: unlike seconds, lines do not
# depend on the machine.
function(count_lines header result)
  execute_process(COMMAND ${COMPILER} -std=c++20 -I${INCLUDE} -isystem ${EIGEN} -E -P -x c++ -include ${header} /dev/null
                  OUTPUT_VARIABLE text RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "cannot preprocess ${header}")
  endif()
  string(REGEX REPLACE "[^\n]" "" newlines "${text}")
  string(LENGTH "${newlines}" lines)
  set(${result} ${lines} PARENT_SCOPE)
endfunction()
count_lines(Eigen/Core eigen)
count_lines(fidelity/fidelity.hpp umbrella)
math(EXPR limit "2 * ${eigen}")
message(STATUS "Eigen/Core: ${eigen} lines, fidelity/fidelity.hpp: ${umbrella} lines, limit ${limit}")
if(eigen LESS 10000 OR umbrella LESS ${eigen} OR umbrella GREATER ${limit})
  message(FATAL_ERROR "the umbrella header is too large, or the count is wrong")
endif()
