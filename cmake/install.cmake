# SPDX-License-Identifier: Apache-2.0
# What is installed besides programs and their files, which install
# themselves.  Nothing installed knows its prefix but the .icd file, which is
# written while installing: `cmake --install build/release --prefix ANYWHERE`.

# Public headers, written and generated.
install(DIRECTORY include/ventus ${PROJECT_BINARY_DIR}/include/ventus
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.h")

# What they declare, as a shared library and as an archive of one object.  Other
# names of the modules are in neither: they are hidden (-fvisibility=hidden), in
# the archive made local.  tests/dev/symbols.py looks.
set(parts base abi isa obj asm sim native sanitize gdb pdes model dbg recording dev tile)
list(TRANSFORM parts PREPEND ventus_)
list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
set(out ${PROJECT_BINARY_DIR}/lib)
set(archive ${out}/libventus.a)
add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_LINKER} -r --whole-archive ${files} -o ${out}/ventus.o
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${out}/ventus.o
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND ${CMAKE_AR} qcs ${archive} ${out}/ventus.o
    COMMAND ${CMAKE_COMMAND} -E rm ${out}/ventus.o
    DEPENDS ${parts} COMMENT "Putting together libventus.a" VERBATIM)
add_custom_target(archive ALL DEPENDS ${archive})
install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR})

file(WRITE ${PROJECT_BINARY_DIR}/empty.c "/* the modules are archives */\n")
add_library(ventus_shared SHARED ${PROJECT_BINARY_DIR}/empty.c)
# While the major number is 0, a minor one may change what programs rely on.
set(soname ${PROJECT_VERSION_MAJOR})
if(soname EQUAL 0)
    set(soname 0.${PROJECT_VERSION_MINOR})
endif()
set_target_properties(ventus_shared PROPERTIES OUTPUT_NAME ventus
    VERSION ${PROJECT_VERSION} SOVERSION ${soname}
    LIBRARY_OUTPUT_DIRECTORY ${out})
find_package(Threads REQUIRED)
target_link_libraries(ventus_shared PRIVATE
    -Wl,--whole-archive ${files} -Wl,--no-whole-archive -Wl,-Bsymbolic
    -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/ventus.map
    ${INIH_LIBRARY} ${ZSTD_LIBRARY} m ${CMAKE_DL_LIBS} Threads::Threads)
add_dependencies(ventus_shared ${parts})
if(NOT VENTUS_SANITIZE)
    target_link_libraries(ventus_shared PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(ventus_shared PROPERTIES
    LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/ventus.map;${files}")
install(TARGETS ventus_shared)

file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(PC_PREFIX \${pcfiledir}/${up})
configure_file(${PROJECT_SOURCE_DIR}/cmake/ventus.pc.in
    ${PROJECT_BINARY_DIR}/ventus.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/ventus.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Ventus)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/VentusConfig.cmake.in
    ${PROJECT_BINARY_DIR}/VentusConfig.cmake INSTALL_DESTINATION ${package}
    PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_DATADIR
        CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/VentusConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/VentusConfig.cmake
    ${PROJECT_BINARY_DIR}/VentusConfigVersion.cmake DESTINATION ${package})

# The Python package, where Debian's Python looks if the prefix is /usr.
file(GLOB python_files CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/python/ventus/*.py)
install(FILES ${python_files} ${PROJECT_SOURCE_DIR}/python/ventus/py.typed
    DESTINATION lib/python3/dist-packages/ventus)

file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/man/*.1)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Each shell looks for completions by the name of the command.
set(completions ${PROJECT_SOURCE_DIR}/cmake/completions)
install(FILES ${completions}/ventus.bash RENAME ventus
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completions}/_ventus
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completions}/ventus.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# The CMakeLists.txt of the OpenCL programs belongs to this build.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples
    DESTINATION ${CMAKE_INSTALL_DOCDIR}
    REGEX "/opencl/CMakeLists.txt$" EXCLUDE)

# The manual beside them, as its links are; as a book if `make docs` has made it.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs
    DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.svg"
    PATTERN "man" EXCLUDE PATTERN "book" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/CHANGELOG.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/examples
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/python FILES_MATCHING PATTERN "*.py")
# The pages of the reference that programs know.
install(CODE "
    execute_process(COMMAND ${Python3_EXECUTABLE}
        ${PROJECT_SOURCE_DIR}/docs/book/generate.py $<TARGET_FILE:ventus>
        ${PROJECT_SOURCE_DIR}/include/ventus ${PROJECT_BINARY_DIR}/docs/reference
        COMMAND_ERROR_IS_FATAL ANY)")
install(DIRECTORY ${PROJECT_BINARY_DIR}/docs/reference
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY ${PROJECT_BINARY_DIR}/docs/html
    DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
