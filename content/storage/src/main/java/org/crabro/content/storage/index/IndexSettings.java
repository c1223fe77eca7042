package org.crabro.content.storage.index;

/**
 * When rows of types in mode {@code index} get an index, and how much memory that takes.
 *
 * @param isAutomatic whether a node makes indexes itself; otherwise it only does so on request
 * @param rowsMin the least rows of a type in a run for an index; fewer rows are scanned
 * @param buildBytes the memory for the words of rows, until they are written to a file; divided
 *     among all builds that run at once
 * @param graphBytes the memory for the graphs of neighbors that are built at once; more vectors of
 *     a run are divided among graphs
 * @param threads the builds that may run at once; if there are fewer, the others help to build
 *     graphs
 */
public record IndexSettings(
        boolean isAutomatic, int rowsMin, long buildBytes, long graphBytes, int threads) {
    /** The default settings of a node. */
    public static final IndexSettings DEFAULT =
            new IndexSettings(
                    true,
                    2_000,
                    48L << 20,
                    128L << 20,
                    Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, 4));

    /** No indexes. */
    public static final IndexSettings NONE =
            new IndexSettings(
                    false, Integer.MAX_VALUE, DEFAULT.buildBytes(), DEFAULT.graphBytes(), 1);

    public IndexSettings {
        if (rowsMin < 1 || buildBytes < 1 << 20 || graphBytes < 1 << 20 || threads < 1) {
            throw new IllegalArgumentException(
                    "indexes of %d rows, made with %d bytes on %d threads, graphs with %d bytes"
                            .formatted(rowsMin, buildBytes, threads, graphBytes));
        }
    }

    /** Returns the memory for the words of one build, in bytes. */
    long threadBytes() {
        return Math.max(1 << 20, buildBytes / threads);
    }
}
