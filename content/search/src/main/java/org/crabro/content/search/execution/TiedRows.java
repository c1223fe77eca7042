package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.List;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.file.CorruptRunException;

/**
 * The rows with the lowest ids among those of several sections that have the last of the best
 * scores. Each section has its rows in the order of ids, so most of these ids are never read. For
 * one thread.
 */
final class TiedRows {
    /** For more rows than this, the order of those that are kept takes longer than it saves. */
    private static final int MOST = 1_000;

    private final int most;

    /** The lowest id first. */
    private final List<Tied> lowest = new ArrayList<>();

    private record Tied(int section, EncodedBlock block, int row) {
        int compareTo(EncodedBlock other, int otherRow) {
            return block.compareIds(row, other, otherRow);
        }
    }

    private TiedRows(int most) {
        this.most = most;
    }

    /**
     * Drops rows of sections that cannot be among the best, because enough others have lower ids.
     *
     * @param most how many of the best have the last score
     * @throws CorruptRunException if ids are damaged
     */
    static void drop(List<ScoredSection> sections, int most) {
        if (most > MOST) {
            return;
        }
        var tied = new TiedRows(most);
        for (int i = 0; i < sections.size(); i++) {
            tied.add(i, sections.get(i));
        }
        var retained = new int[sections.size()];
        for (Tied each : tied.lowest) {
            retained[each.section()]++;
        }
        for (int i = 0; i < retained.length; i++) {
            if (retained[i] < sections.get(i).tied().length) {
                sections.get(i).keepTied(retained[i]);
            }
        }
    }

    /** Adds the rows of a section, until one is not among the lowest. */
    private void add(int number, ScoredSection section) {
        for (int row : section.tied()) {
            EncodedBlock block = section.block(row);
            int inBlock = section.rowInBlock(row);
            int place = place(block, inBlock);
            if (place == most) {
                return;
            }
            lowest.add(place, new Tied(number, block, inBlock));
            if (lowest.size() > most) {
                lowest.removeLast();
            }
        }
    }

    /** Returns how many of the lowest are lower than a row. */
    private int place(EncodedBlock block, int row) {
        int low = 0;
        int high = lowest.size();
        if (high == most && lowest.getLast().compareTo(block, row) < 0) {
            return most;
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (lowest.get(middle).compareTo(block, row) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
