package org.crabro.content.storage.block.key;

/** A contiguous range of keys of one document type. */
public sealed interface KeyRange {
    /** Every key. */
    record Everything() implements KeyRange {}

    /** The documents whose id has {@code g=name}. */
    record Group(String name) implements KeyRange {}

    /** The documents whose id has {@code n=value}, an unsigned 64-bit number. */
    record Numbered(long value) implements KeyRange {}
}
