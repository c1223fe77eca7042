package org.crabro.document.select;

/** The values of one field in many documents of a type, as far as a selection looks at them. */
public sealed interface SelectedColumn {
    /** No document has a value. */
    record Unset() implements SelectedColumn {}

    /** Values that are only known document by document. */
    record Other() implements SelectedColumn {}

    /** Numbers; a bool is 0 or 1. */
    non-sealed interface Numbers extends SelectedColumn {
        boolean isSet(int row);

        /** Returns whether all are whole numbers. */
        boolean isWhole();

        /** Returns the number of a row that is set, of whole ones. */
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

        /** Returns how many distinct texts there are, 0 where they are not numbered. */
        int codeCount();

        /** Returns which of the distinct texts a row has that is set. */
        int code(int row);

        /** Returns one of the distinct texts. */
        String textOf(int code);
    }
}
