package org.crabro.content.storage.index;

import org.apache.lucene.util.BytesRef;

/** The kinds of terms in the index of predicates. The first byte of a term is its kind. */
enum PredicateTerm {
    /** An attribute has a value: followed by its name, a separator and the value. */
    VALUE('v'),

    /** A number in a part of a block: followed by the name, a separator, a sign and the block. */
    EDGE('e'),

    /** A number in a block: followed by the name, a separator, a sign, the level and the block. */
    BLOCK('b'),

    /** A number beyond a limit: followed by the name, a separator, a sign and the level. */
    BEYOND('l'),

    /** Intervals that are true unless an attribute makes them false. */
    UNLESS('u'),

    /** Rows whose predicates are too long for the index. */
    UNKNOWN('x');

    private final byte kind;

    PredicateTerm(char kind) {
        this.kind = (byte) kind;
    }

    byte kind() {
        return kind;
    }

    /** Returns the term that has only its kind. */
    BytesRef plain() {
        return new BytesRef(new byte[] {kind});
    }
}
