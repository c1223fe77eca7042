package org.crabro.document.select;

/** The result of a selection for a document. */
public enum Truth {
    TRUE,
    FALSE,
    /**
     * The selection is not valid for the document, for example because it reads a field of another
     * type.
     */
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
     * Returns the result for any of many elements: true if one is true, else false if one is false.
     */
    Truth orAny(Truth other) {
        if (this == TRUE || other == TRUE) {
            return TRUE;
        }
        return this == FALSE || other == FALSE ? FALSE : INVALID;
    }
}
