package org.crabro.content.storage.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The graphs of the rows that were merged into those of a section, until the section has graphs of
 * its own. They stay mapped, although their files are deleted with the merged runs. So nothing of
 * them is left after a crash.
 */
public final class GraphSources implements AutoCloseable {
    /**
     * The most merged rows of a partition that wait until the graphs of the new rows are built. The
     * number of each of them takes 4 bytes. Graphs of more rows are not kept.
     */
    public static final int ROWS_MAX = 1 << 21;

    /** No graphs: those of the section are built from nothing. */
    public static final GraphSources NONE = new GraphSources(List.of());

    private final List<GraphSource> all;

    private GraphSources(List<GraphSource> all) {
        this.all = all;
        all.forEach(source -> source.graphs().hold());
    }

    /** Records where rows go while they are merged. For one thread. */
    public static final class Recorder {
        private final List<GraphSource> all = new ArrayList<>();
        private int room = ROWS_MAX;

        /**
         * Adds old rows, if they have graphs and there is room.
         *
         * @param rowCount of the old rows
         * @return receives the number of each old row among the new ones; empty if they are not
         *     added
         */
        public int[] add(SectionGraphs graphs, int rowCount) {
            if (graphs.isEmpty() || rowCount > room) {
                return new int[0];
            }
            room -= rowCount;
            var newRows = new int[rowCount];
            Arrays.fill(newRows, GraphSource.GONE);
            all.add(new GraphSource(graphs, newRows));
            return newRows;
        }

        /**
         * Returns the graphs that have enough of the old rows left. The old rows must still be
         * mapped; their graphs then stay mapped until the result is closed.
         *
         * @param rowsMax the most old rows; if there are more, none are returned
         */
        public GraphSources sources(long rowsMax) {
            List<GraphSource> useful =
                    all.stream().filter(source -> GraphJoin.isEnough(source.newRows())).toList();
            long rows = useful.stream().mapToLong(source -> source.newRows().length).sum();
            return rows > rowsMax ? NONE : new GraphSources(useful);
        }
    }

    /** Returns the number of old rows. */
    public long rowCount() {
        return all.stream().mapToLong(source -> source.newRows().length).sum();
    }

    /** Returns whether there are none. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    List<GraphSource> all() {
        return all;
    }

    @Override
    public void close() {
        all.forEach(source -> source.graphs().release());
    }
}
