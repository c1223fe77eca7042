package org.crabro.content.storage.merge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.dead.GroupTombstones;
import org.crabro.content.storage.dead.RemovedRows;
import org.crabro.content.storage.dead.SupersededRows;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.graph.GraphSources;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.run.RunPart;
import org.crabro.content.storage.run.RunSection;
import org.crabro.content.storage.run.RunWriter;

/**
 * Writes the rows of one step of a merge: the rows that are not replaced, by type and in key order,
 * and the references to rows that they replace in other runs. Rows are copied from block to block
 * without decoding.
 *
 * <p>A tombstone is dropped if it is old enough and no older run has a row of its document or
 * group, dead or not: otherwise that row would reappear.
 */
public final class RunMerge {
    private final MergePlan plan;
    private final List<RunPart> others;
    private final long tombstonesUntil;

    /** By the fingerprint of the type of the rows. */
    private final Map<Long, GraphSources.Recorder> graphs = new HashMap<>();

    private long rowsWritten;
    private long rowsPassed;
    private long bytesRead;

    /**
     * @param published every run
     * @param tombstonesUntil tombstones with a timestamp up to this may be dropped
     */
    public RunMerge(MergePlan plan, List<RunPart> published, long tombstonesUntil) {
        this.plan = plan;
        this.tombstonesUntil = tombstonesUntil;
        Set<Long> merged =
                plan.all().stream().map(part -> part.run().number()).collect(Collectors.toSet());
        this.others =
                published.stream().filter(part -> !merged.contains(part.run().number())).toList();
    }

    /** Writes all rows; called once. */
    public void writeTo(RunWriter run) throws IOException {
        var byType = new TreeMap<Long, List<MergeCursor>>();
        for (RunPart part : plan.inputs()) {
            List<RunSection> sections = part.run().sections();
            for (int i = 0; i < sections.size(); i++) {
                byType.computeIfAbsent(sections.get(i).fingerprint(), _ -> new ArrayList<>())
                        .add(new MergeCursor(part, i, plan.last()));
            }
        }
        for (List<MergeCursor> cursors : byType.values()) {
            run.begin(cursors.getFirst().section().type());
            merge(cursors, run);
            for (MergeCursor cursor : cursors) {
                rowsPassed += cursor.rowsPassed();
                bytesRead += cursor.bytesRead();
            }
        }
        for (RunPart part : plan.inputs()) {
            part.run().checkOlder();
            carry(part.run().superseded(), run);
            carry(part.run().removed(), run);
            carryTombstones(part, run);
        }
    }

    private void merge(List<MergeCursor> cursors, RunWriter run) throws IOException {
        var recorder = new GraphSources.Recorder();
        graphs.put(cursors.getFirst().section().fingerprint(), recorder);
        Map<MergeCursor, int[]> newRows = new HashMap<>();
        for (MergeCursor cursor : cursors) {
            RunSection section = cursor.section();
            newRows.put(cursor, recorder.add(section.graphs(), section.rowTotal()));
        }
        int written = 0;
        var queue = new PriorityQueue<MergeCursor>();
        cursors.stream().filter(MergeCursor::hasRow).forEach(queue::add);
        while (!queue.isEmpty()) {
            MergeCursor first = queue.poll();
            MergeCursor next = queue.peek();
            int[] newRowsOfFirst = Objects.requireNonNull(newRows.get(first));
            do {
                if (!first.isTombstone() || isKept(first)) {
                    run.copy(first.key(), first.block(), first.row());
                    if (newRowsOfFirst.length > 0) {
                        newRowsOfFirst[first.sectionRow()] = written;
                    }
                    written++;
                }
                first.advance();
            } while (first.hasRow() && (next == null || first.compareTo(next) < 0));
            if (first.hasRow()) {
                queue.add(first);
            }
        }
        rowsWritten += written;
    }

    /**
     * Returns the graphs of the rows that were written of a type; while the inputs are mapped. They
     * are to be closed.
     *
     * @param rowsMax the most rows of inputs; if there are more, none are returned
     */
    public GraphSources graphs(long fingerprint, long rowsMax) {
        return Objects.requireNonNull(graphs.get(fingerprint)).sources(rowsMax);
    }

    private boolean isKept(MergeCursor tombstone) {
        if (tombstone.block().timestamp(tombstone.row()) > tombstonesUntil) {
            return true;
        }
        KeyColumn keys = tombstone.block().keys();
        String type = tombstone.section().type().name();
        return plan.older().stream()
                .anyMatch(part -> isOrUnreadable(() -> part.has(type, keys, tombstone.row())));
    }

    /** Returns true also if an older run cannot be read: it may have the row. */
    private static boolean isOrUnreadable(BooleanSupplier isThere) {
        try {
            return isThere.getAsBoolean();
        } catch (CorruptRunException _) {
            return true;
        }
    }

    /** Copies the references to rows in the range of other runs. */
    private void carry(SupersededRows rows, RunWriter run) {
        for (RunPart part : others) {
            long number = part.run().number();
            for (int i = rows.from(number); i < rows.count() && rows.run(i) == number; i++) {
                if (isInRange(part, rows.address(i))) {
                    run.replaces(number, rows.address(i));
                }
            }
        }
    }

    /** Copies the references to ranges of rows: each range is in one group, which has one place. */
    private void carry(RemovedRows ranges, RunWriter run) {
        for (RunPart part : others) {
            long number = part.run().number();
            for (int i = ranges.from(number); i < ranges.count() && ranges.run(i) == number; i++) {
                if (isInRange(part, ranges.rows(i).from())) {
                    run.removes(number, ranges.rows(i));
                }
            }
        }
    }

    /**
     * Keeps a group tombstone under the same conditions as that of a document: while it is young,
     * or an older run has a row of the group.
     */
    private void carryTombstones(RunPart part, RunWriter run) {
        GroupTombstones tombstones = part.run().groupTombstones();
        for (int i = 0; i < tombstones.count(); i++) {
            long place = tombstones.place(i);
            if (plan.holds(place) && part.places().contains(place)) {
                GroupTombstone tombstone = tombstones.get(i);
                if (isKept(tombstone)) {
                    run.remove(tombstone);
                }
            }
        }
    }

    private boolean isKept(GroupTombstone tombstone) {
        KeyBounds group = tombstone.bounds();
        return tombstone.timestamp() > tombstonesUntil
                || plan.older().stream()
                        .anyMatch(part ->
                                isOrUnreadable(
                                        () -> part.hasRows(tombstone.documentType(), group)));
    }

    /**
     * Returns whether a row is in the range. Reads the key only if the index does not decide. If
     * keys or the index cannot be read, now or when the reference was written, the row counts as in
     * the range.
     */
    private boolean isInRange(RunPart part, long address) {
        if (RunLayout.row(address) == RunLayout.ANY_ROW || part.run().lost().rows().isPresent()) {
            return true;
        }
        RunSection section = part.run().sectionOf(RunLayout.block(address));
        int block = RunLayout.block(address) - section.firstBlock();
        if (plan.holds(section.firstPlace(block))
                && block + 1 < section.blockCount()
                && plan.holds(section.firstPlace(block + 1))) {
            return true;
        }
        return isOrUnreadable(() -> {
            GroupColumn groups = section.block(block).groups();
            return plan.holds(groups.place(groups.groupOf(RunLayout.row(address))));
        });
    }

    public long bytesRead() {
        return bytesRead;
    }

    public long rowsDropped() {
        return rowsPassed - rowsWritten;
    }
}
