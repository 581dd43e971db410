# cmake -DKIND=installed|subproject -DSOURCE=... -DBINARY=... -DWORK=... -DCOMPILER=... -P run.cmake
# Configures, builds and runs one of the consumer projects in an empty folder.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${code}): ${command}")
  endif()
endfunction()
if(KIND STREQUAL "installed")
  run(${CMAKE_COMMAND} --install ${BINARY} --prefix ${WORK}/prefix)
endif()
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/consumer/${KIND} -B ${WORK}/build -DCMAKE_BUILD_TYPE=Debug
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
