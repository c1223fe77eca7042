package org.crabro.content.sidecar;

/**
 * When rows of types in mode {@code index} get an index, and how much memory that takes.
 *
 * @param isAutomatic whether a node makes indexes itself; otherwise it only does so on request
 * @param rowsMin the least rows of a type in a run for an index; fewer rows are scanned
 * @param buildBytes the memory for the words of rows, until they are written to a file
 * @param graphBytes the memory for a graph of neighbors; more vectors are divided among graphs
 */
public record IndexSettings(boolean isAutomatic, int rowsMin, long buildBytes, long graphBytes) {
    /** The default settings of a node. */
    public static final IndexSettings DEFAULT =
            new IndexSettings(true, 2_000, 48L << 20, 128L << 20);

    /** No indexes. */
    public static final IndexSettings NONE =
            new IndexSettings(false, Integer.MAX_VALUE, DEFAULT.buildBytes(), DEFAULT.graphBytes());

    public IndexSettings {
        if (rowsMin < 1 || buildBytes < 1 << 20 || graphBytes < 1 << 20) {
            throw new IllegalArgumentException(
                    "indexes of %d rows, made with %d bytes, graphs with %d"
                            .formatted(rowsMin, buildBytes, graphBytes));
        }
    }
}
