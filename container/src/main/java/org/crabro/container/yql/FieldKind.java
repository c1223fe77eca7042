package org.crabro.container.yql;

/** What the simple language has to know of a name before a colon. */
public enum FieldKind {
    /** No field and no fieldset: an ordinary word. */
    UNKNOWN,
    /** Text that is cut into words, or anything else that is looked for word by word. */
    WORDS,
    /** A field compared as a whole: what is looked for goes up to the next blank, uncut. */
    WHOLE
}
