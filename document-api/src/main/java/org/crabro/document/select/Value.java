package org.crabro.document.select;

import com.google.re2j.Pattern;
import java.util.List;

/** A value during the evaluation of a selection. */
sealed interface Value {
    Value NOTHING = new Nothing();
    Value INVALID = new Invalid();
    Value OPAQUE = new Opaque();

    /** A missing value. */
    record Nothing() implements Value {}

    /** A value that is not valid for the document, or the result of incompatible operands. */
    record Invalid() implements Value {}

    /** A value that is set but cannot be compared: a struct, a tensor, or bytes. */
    record Opaque() implements Value {}

    record Whole(long number) implements Value {}

    record Real(double number) implements Value {}

    record Text(String text) implements Value {}

    /** A pattern that is searched in texts. */
    record Regex(Pattern pattern) implements Value {}

    /** The smallest bucket that contains a document. */
    record InBucket(long bucket) implements Value {}

    /** The elements of a collection, at least one. */
    record Many(List<Value> elements) implements Value {
        public Many {
            elements = List.copyOf(elements);
        }
    }
}
