package org.crabro.document.json;

/**
 * How values are written where JSON leaves a choice.
 *
 * @param tensors how tensors look
 * @param mapsAsObjects whether maps are objects; otherwise arrays of objects with {@code key} and
 *     {@code value}, but for a whole field whose keys are strings, which is an object always
 * @param setsAsObjects whether weighted sets are objects; otherwise arrays of objects with {@code
 *     item} and {@code weight}
 * @param longsAsTexts whether whole numbers of 64 bits are strings, for readers whose numbers have
 *     fewer
 */
public record ValueForm(
        TensorFormat tensors, boolean mapsAsObjects, boolean setsAsObjects, boolean longsAsTexts) {
    /** What documents and results look like unless said. */
    public static final ValueForm DEFAULT = of(TensorFormat.SHORT);

    /** Returns the usual form with {@code tensors}. */
    public static ValueForm of(TensorFormat tensors) {
        return new ValueForm(tensors, true, true, false);
    }
}
