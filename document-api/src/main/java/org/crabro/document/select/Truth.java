package org.crabro.document.select;

/** The result of a selection for a document. */
public enum Truth {
    TRUE,
    FALSE,
    /** The question makes no sense for the document, such as one about a field of another type. */
    INVALID;

    static Truth of(boolean value) {
        return value ? TRUE : FALSE;
    }

    Truth and(Truth other) {
        if (this == FALSE || other == FALSE) {
            return FALSE;
        }
        return this == TRUE ? other : INVALID;
    }

    Truth or(Truth other) {
        if (this == TRUE || other == TRUE) {
            return TRUE;
        }
        return this == FALSE ? other : INVALID;
    }

    Truth not() {
        return switch (this) {
            case TRUE -> FALSE;
            case FALSE -> TRUE;
            case INVALID -> INVALID;
        };
    }

    /**
     * Returns what holds for any of many: true where one is true, else false where one is false.
     */
    Truth orAny(Truth other) {
        if (this == TRUE || other == TRUE) {
            return TRUE;
        }
        return this == FALSE || other == FALSE ? FALSE : INVALID;
    }
}
