package org.crabro.container.query;

import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.document.json.ValueForm;

/**
 * How a result is to be shown.
 *
 * @param values how values of fields look
 * @param timing whether it says how long its parts took
 * @param callback the function that JSON is handed to, for scripts of other sites
 * @param showsEverything whether empty and hidden fields are shown, too
 * @param rawAsBase64 whether fields of bytes are base64, and not the text that they may be
 * @param tracedFrom from when on lines of the trace are timed, on the scale of {@link
 *     System#nanoTime()}; nothing where they are not
 */
public record Presentation(
        ValueForm values,
        boolean timing,
        Format format,
        Optional<String> callback,
        boolean showsEverything,
        boolean rawAsBase64,
        OptionalLong tracedFrom) {
    /** What is shown unless a request says otherwise. */
    public static final Presentation DEFAULT =
            new Presentation(
                    ValueForm.DEFAULT,
                    false,
                    Format.JSON,
                    Optional.empty(),
                    false,
                    true,
                    OptionalLong.empty());

    /** Returns the same, with values that look otherwise. */
    public Presentation with(ValueForm others) {
        return new Presentation(
                others, timing, format, callback, showsEverything, rawAsBase64, tracedFrom);
    }

    /** Returns the same, which says how long it took. */
    public Presentation timed() {
        return new Presentation(
                values, true, format, callback, showsEverything, rawAsBase64, tracedFrom);
    }

    /** What a result is written as. */
    public enum Format {
        JSON,
        CBOR,
        /** A {@code result}; for clients that know nothing else. */
        XML,
        /** A {@code page}, without a template. */
        PAGE
    }
}
