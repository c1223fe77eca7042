package org.crabro.document.json;

/**
 * The options for writing values as JSON.
 *
 * @param tensors the format of tensors
 * @param mapsAsObjects whether maps are objects. Otherwise they are arrays of objects with {@code
 *     key} and {@code value}, except for a whole field with string keys, which is always an object
 * @param setsAsObjects whether weighted sets are objects; otherwise arrays of objects with {@code
 *     item} and {@code weight}
 * @param longsAsTexts whether 64-bit numbers are strings, for readers with less precise numbers
 */
public record ValueForm(
        TensorFormat tensors, boolean mapsAsObjects, boolean setsAsObjects, boolean longsAsTexts) {
    /** The default form of documents and results. */
    public static final ValueForm DEFAULT = of(TensorFormat.SHORT);

    /** Returns the default form with another format of tensors. */
    public static ValueForm of(TensorFormat tensors) {
        return new ValueForm(tensors, true, true, false);
    }
}
