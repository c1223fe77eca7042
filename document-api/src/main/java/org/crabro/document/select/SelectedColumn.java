package org.crabro.document.select;

/** The values of one field in many documents of a type, in the form that a selection reads. */
public sealed interface SelectedColumn {
    /** No document has a value. */
    record Unset() implements SelectedColumn {}

    /** Values that can only be read document by document. */
    record Other() implements SelectedColumn {}

    /** Numbers; a bool is 0 or 1. */
    non-sealed interface Numbers extends SelectedColumn {
        boolean isSet(int row);

        /** Returns whether all are whole numbers. */
        boolean isWhole();

        /** Returns the number of a row that is set, if all are whole. */
        long whole(int row);

        /** Returns the number of a row that is set. */
        double real(int row);
    }

    /** Texts. */
    non-sealed interface Texts extends SelectedColumn {
        boolean isSet(int row);

        /** Returns the text of a row that is set. */
        String text(int row);

        /** Compares the text of a row that is set with another, both in UTF-8. */
        int compare(int row, byte[] text);

        /** Returns the number of distinct texts; 0 if they are not numbered. */
        int codeCount();

        /** Returns the number of the distinct text of a row that is set. */
        int code(int row);

        /** Returns the distinct text with a number. */
        String textOf(int code);
    }
}
