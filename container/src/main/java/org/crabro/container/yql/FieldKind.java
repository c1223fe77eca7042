package org.crabro.container.yql;

/** The kind of a name before a colon, for the simple query language. */
public enum FieldKind {
    /** No field and no fieldset: an ordinary word. */
    UNKNOWN,
    /** Text that is tokenized, or other values that are searched word by word. */
    WORDS,
    /** A field that is compared as a whole: the word ends at the next blank. */
    WHOLE
}
