# SPDX-License-Identifier: Apache-2.0
# What is installed besides programs and their files, which install
# themselves.  Nothing installed knows its prefix but the .icd file, which is
# written while installing: `cmake --install build/release --prefix ANYWHERE`.

# Public headers, written and generated.
install(DIRECTORY include/ventus ${PROJECT_BINARY_DIR}/include/ventus
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")

# What they declare, in one archive: those of the modules, put together.
set(archive ${PROJECT_BINARY_DIR}/lib/libventus.a)
set(script "CREATE ${archive}\n")
set(parts)
foreach(module IN ITEMS base abi isa obj asm sim pdes model dbg dev tile)
    string(APPEND script "ADDLIB $<TARGET_FILE:ventus_${module}>\n")
    list(APPEND parts ventus_${module})
endforeach()
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/libventus.mri
    CONTENT "${script}SAVE\nEND\n")
add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_AR} -M < ${PROJECT_BINARY_DIR}/libventus.mri
    DEPENDS ${parts} ${PROJECT_BINARY_DIR}/libventus.mri
    COMMENT "Putting together libventus.a" VERBATIM)
add_custom_target(archive ALL DEPENDS ${archive})
install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})

file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(PC_PREFIX \${pcfiledir}/${up})
configure_file(${PROJECT_SOURCE_DIR}/cmake/ventus.pc.in
    ${PROJECT_BINARY_DIR}/ventus.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ventus.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.1)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
