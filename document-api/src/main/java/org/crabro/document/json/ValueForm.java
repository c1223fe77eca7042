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
 * @param timesAsTexts whether numbers that are times are texts; whoever knows the schema replaces
 *     the values before they are written
 */
public record ValueForm(
        TensorFormat tensors,
        boolean mapsAsObjects,
        boolean setsAsObjects,
        boolean longsAsTexts,
        boolean timesAsTexts) {
    /** The default form of documents and results. */
    public static final ValueForm DEFAULT = of(TensorFormat.SHORT);

    /** Returns the default form with another format of tensors. */
    public static ValueForm of(TensorFormat tensors) {
        return new ValueForm(tensors, true, true, false);
    }

    /** A form in which times are numbers. */
    public ValueForm(
            TensorFormat tensors,
            boolean mapsAsObjects,
            boolean setsAsObjects,
            boolean longsAsTexts) {
        this(tensors, mapsAsObjects, setsAsObjects, longsAsTexts, false);
    }
}
