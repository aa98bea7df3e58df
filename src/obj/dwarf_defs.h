/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The numbers of the DWARF 5 standard that are used here; section 7. */
enum dwarf_line_op {
    DW_LNS_copy = 1,
    DW_LNS_advance_pc = 2,
    DW_LNS_advance_line = 3,
    DW_LNS_set_file = 4,
    DW_LNS_set_column = 5,
    DW_LNS_negate_stmt = 6,
    DW_LNS_set_basic_block = 7,
    DW_LNS_const_add_pc = 8,
    DW_LNS_fixed_advance_pc = 9,
    DW_LNS_set_prologue_end = 10,
    DW_LNS_set_epilogue_begin = 11,
    DW_LNS_set_isa = 12,
};

enum dwarf_line_extended_op {
    DW_LNE_end_sequence = 1,
    DW_LNE_set_address = 2,
    DW_LNE_define_file = 3,
    DW_LNE_set_discriminator = 4,
};

enum dwarf_content {
    DW_LNCT_path = 1,
    DW_LNCT_directory_index = 2,
    DW_LNCT_LLVM_source = 0x2001 /* LLVM's: the text of a file */
};

enum dwarf_form {
    DW_FORM_addr = 0x01,
    DW_FORM_block2 = 0x03,
    DW_FORM_block4 = 0x04,
    DW_FORM_data2 = 0x05,
    DW_FORM_data4 = 0x06,
    DW_FORM_data8 = 0x07,
    DW_FORM_string = 0x08,
    DW_FORM_block = 0x09,
    DW_FORM_block1 = 0x0a,
    DW_FORM_data1 = 0x0b,
    DW_FORM_strp = 0x0e,
    DW_FORM_udata = 0x0f,
    DW_FORM_sec_offset = 0x17,
    DW_FORM_data16 = 0x1e,
    DW_FORM_line_strp = 0x1f,
};

enum {
    DW_TAG_compile_unit = 0x11,
    DW_CHILDREN_no = 0,
    DW_AT_name = 0x03,
    DW_AT_stmt_list = 0x10,
    DW_AT_low_pc = 0x11,
    DW_AT_language = 0x13,
    DW_AT_comp_dir = 0x1b,
    DW_AT_producer = 0x25,
    DW_AT_ranges = 0x55,
    DW_UT_compile = 1,
    DW_RLE_end_of_list = 0,
    DW_RLE_start_length = 7,
    DW_LANG_Mips_Assembler = 0x8001,
};
