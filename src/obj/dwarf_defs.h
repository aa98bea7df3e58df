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
    DW_FORM_sdata = 0x0d,
    DW_FORM_strp = 0x0e,
    DW_FORM_udata = 0x0f,
    DW_FORM_ref4 = 0x13,
    DW_FORM_sec_offset = 0x17,
    DW_FORM_exprloc = 0x18,
    DW_FORM_flag_present = 0x19,
    DW_FORM_data16 = 0x1e,
    DW_FORM_line_strp = 0x1f,
};

enum dwarf_tag {
    DW_TAG_array_type = 0x01,
    DW_TAG_enumeration_type = 0x04,
    DW_TAG_formal_parameter = 0x05,
    DW_TAG_lexical_block = 0x0b,
    DW_TAG_member = 0x0d,
    DW_TAG_pointer_type = 0x0f,
    DW_TAG_compile_unit = 0x11,
    DW_TAG_structure_type = 0x13,
    DW_TAG_typedef = 0x16,
    DW_TAG_union_type = 0x17,
    DW_TAG_inlined_subroutine = 0x1d,
    DW_TAG_subrange_type = 0x21,
    DW_TAG_base_type = 0x24,
    DW_TAG_enumerator = 0x28,
    DW_TAG_subprogram = 0x2e,
    DW_TAG_variable = 0x34,
    DW_CHILDREN_no = 0,
    DW_CHILDREN_yes = 1,
};

enum dwarf_at {
    DW_AT_location = 0x02,
    DW_AT_name = 0x03,
    DW_AT_byte_size = 0x0b,
    DW_AT_stmt_list = 0x10,
    DW_AT_low_pc = 0x11,
    DW_AT_high_pc = 0x12,
    DW_AT_language = 0x13,
    DW_AT_comp_dir = 0x1b,
    DW_AT_const_value = 0x1c,
    DW_AT_inline = 0x20,
    DW_AT_producer = 0x25,
    DW_AT_prototyped = 0x27,
    DW_AT_abstract_origin = 0x31,
    DW_AT_address_class = 0x33,
    DW_AT_calling_convention = 0x36,
    DW_AT_count = 0x37,
    DW_AT_data_member_location = 0x38,
    DW_AT_decl_file = 0x3a,
    DW_AT_decl_line = 0x3b,
    DW_AT_declaration = 0x3c,
    DW_AT_encoding = 0x3e,
    DW_AT_external = 0x3f,
    DW_AT_frame_base = 0x40,
    DW_AT_type = 0x49,
    DW_AT_ranges = 0x55,
    DW_AT_call_column = 0x57,
    DW_AT_call_file = 0x58,
    DW_AT_call_line = 0x59,
    DW_AT_alignment = 0x88,
    DW_AT_GNU_vector = 0x2107, /* GNU's: the array is a vector */
};

enum dwarf_op {
    DW_OP_addr = 0x03,
    DW_OP_deref = 0x06,
    DW_OP_const4u = 0x0c,
    DW_OP_constu = 0x10,
    DW_OP_consts = 0x11,
    DW_OP_and = 0x1a,
    DW_OP_minus = 0x1c,
    DW_OP_mul = 0x1e,
    DW_OP_neg = 0x1f,
    DW_OP_not = 0x20,
    DW_OP_or = 0x21,
    DW_OP_plus = 0x22,
    DW_OP_plus_uconst = 0x23,
    DW_OP_shl = 0x24,
    DW_OP_shr = 0x25,
    DW_OP_shra = 0x26,
    DW_OP_xor = 0x27,
    DW_OP_reg0 = 0x50,
    DW_OP_breg0 = 0x70,
    DW_OP_regx = 0x90,
    DW_OP_bregx = 0x92,
    DW_OP_piece = 0x93,
    DW_OP_call_frame_cfa = 0x9c,
    DW_OP_implicit_value = 0x9e,
    DW_OP_stack_value = 0x9f,
};

enum dwarf_cfa {
    DW_CFA_nop = 0x00,
    DW_CFA_undefined = 0x07,
    DW_CFA_same_value = 0x08,
    DW_CFA_def_cfa = 0x0c,
    DW_CFA_def_cfa_offset = 0x0e,
    DW_CFA_advance_loc4 = 0x04,
    DW_CFA_offset = 0x80, /* + the register */
};

enum {
    DW_INL_inlined = 1,
    DW_CC_nocall = 3,
    DW_UT_compile = 1,
    DW_RLE_end_of_list = 0,
    DW_RLE_offset_pair = 4,
    DW_RLE_base_address = 5,
    DW_RLE_start_length = 7,
    DW_LLE_end_of_list = 0,
    DW_LLE_offset_pair = 4,
    DW_LLE_base_address = 6,
    DW_LANG_C99 = 0x0c,
    DW_LANG_Mips_Assembler = 0x8001,
};
