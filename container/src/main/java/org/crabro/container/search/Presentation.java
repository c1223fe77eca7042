package org.crabro.container.search;

import org.crabro.document.json.TensorFormat;

/**
 * How a result is to be shown.
 *
 * @param timing whether it says how long its parts took
 */
public record Presentation(TensorFormat tensors, boolean timing) {
    /** What is shown unless a request says otherwise. */
    public static final Presentation DEFAULT = new Presentation(TensorFormat.SHORT, false);
}
