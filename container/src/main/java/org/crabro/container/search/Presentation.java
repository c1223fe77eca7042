package org.crabro.container.search;

import java.util.Optional;
import org.crabro.document.json.TensorFormat;

/**
 * How a result is to be shown.
 *
 * @param timing whether it says how long its parts took
 * @param callback the function that JSON is handed to, for scripts of other sites
 */
public record Presentation(
        TensorFormat tensors, boolean timing, Format format, Optional<String> callback) {
    /** What is shown unless a request says otherwise. */
    public static final Presentation DEFAULT = new Presentation(TensorFormat.SHORT, false);

    /** JSON. */
    public Presentation(TensorFormat tensors, boolean timing) {
        this(tensors, timing, Format.JSON, Optional.empty());
    }

    /** What a result is written as. */
    public enum Format {
        JSON,
        CBOR
    }
}
