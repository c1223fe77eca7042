package org.crabro.document.select;

import com.google.re2j.Pattern;
import java.util.List;

/** A value while a selection is evaluated. */
sealed interface Value {
    Value NOTHING = new Nothing();
    Value INVALID = new Invalid();
    Value OPAQUE = new Opaque();

    /** A missing value. */
    record Nothing() implements Value {}

    /** What makes no sense for a document, or where values do not go together. */
    record Invalid() implements Value {}

    /** Something that is set and can be compared with nothing else: a struct, a tensor, bytes. */
    record Opaque() implements Value {}

    record Whole(long number) implements Value {}

    record Real(double number) implements Value {}

    record Text(String text) implements Value {}

    /** A pattern, which texts are looked through for. */
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
