include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/fidelity)
install(TARGETS fidelity EXPORT fidelity FILE_SET HEADERS FILE_SET details)
install(TARGETS fidelity_report fidelity_mpi EXPORT fidelity FILE_SET HEADERS)
install(EXPORT fidelity NAMESPACE fidelity:: FILE fidelity-targets.cmake DESTINATION ${package_dir})
configure_package_config_file(cmake/fidelity-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/fidelity-config.cmake
                              INSTALL_DESTINATION ${package_dir})
# Headers only: any architecture may use them.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/fidelity-config-version.cmake
                                 COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/fidelity-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/fidelity-config-version.cmake DESTINATION ${package_dir})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
