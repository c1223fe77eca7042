package org.crabro.container.query;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.document.json.ValueForm;

/**
 * How a result is shown.
 *
 * @param values the form of field values
 * @param timing whether the result contains the time that its parts took
 * @param output the format of the whole result
 * @param showsEverything whether empty and hidden fields are shown, too
 * @param rawAsBase64 whether fields of bytes are shown as base64 instead of as text
 * @param tracedFrom the start of the times in the trace, on the scale of {@link System#nanoTime()};
 *     empty if trace lines contain no times
 */
public record Presentation(
        ValueForm values,
        boolean timing,
        Output output,
        boolean showsEverything,
        boolean rawAsBase64,
        OptionalLong tracedFrom) {
    /** The presentation of a request that sets none. */
    public static final Presentation DEFAULT =
            new Presentation(
                    ValueForm.DEFAULT,
                    false,
                    new Output(Format.JSON, Optional.empty(), StandardCharsets.UTF_8),
                    false,
                    true,
                    OptionalLong.empty());

    /** Returns the same presentation with another form of values. */
    public Presentation with(ValueForm others) {
        return new Presentation(others, timing, output, showsEverything, rawAsBase64, tracedFrom);
    }

    /** Returns the same presentation in JSON. */
    public Presentation asJson() {
        return new Presentation(
                values,
                timing,
                new Output(Format.JSON, Optional.empty(), output.xmlCharset(), output.showsIds()),
                showsEverything,
                rawAsBase64,
                tracedFrom);
    }

    /** Returns the same presentation with the time that the parts took. */
    public Presentation timed() {
        return new Presentation(values, true, output, showsEverything, rawAsBase64, tracedFrom);
    }

    /**
     * The format of a result.
     *
     * @param callback the function to which JSON is passed (JSONP), for scripts of other sites
     * @param xmlCharset the encoding of XML; that of JSON is always UTF-8
     * @param showsIds whether the id of each hit is that of its document, whatever its summary
     *     shows
     */
    public record Output(
            Format format, Optional<String> callback, Charset xmlCharset, boolean showsIds) {
        /** An output whose hits have the ids that their summaries show. */
        public Output(Format format, Optional<String> callback, Charset xmlCharset) {
            this(format, callback, xmlCharset, false);
        }
    }

    /** The language of a result. */
    public enum Format {
        JSON,
        CBOR,
        /** Server-sent events. */
        SSE,
        /** XML with the root {@code result}, for clients that read nothing else. */
        XML,
        /** XML with the root {@code page}, without a template. */
        PAGE
    }
}
