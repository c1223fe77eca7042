package org.crabro.content.storage.integrity;

import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.crabro.content.storage.block.BlockContents;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.RunDeadRows;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.run.RunFile;
import org.crabro.content.storage.run.RunSection;
import org.crabro.document.DocumentId;

/**
 * Sums up the sizes of groups in all runs of a partition, group by group. Runs are sorted, so only
 * the keys of one block of each are in use at a time. Blocks with damaged keys are skipped and
 * reported.
 */
final class GroupMerge {
    private final LargestGroups groups;
    private final Consumer<Damage> damage;
    private final PriorityQueue<Cursor> cursors = new PriorityQueue<>();

    GroupMerge(LargestGroups groups, Consumer<Damage> damage) {
        this.groups = groups;
        this.damage = damage;
    }

    /** Adds a run. */
    void add(RunFile run, RunDeadRows dead) {
        for (RunSection section : run.sections()) {
            var cursor = new Cursor(run, section, dead);
            if (cursor.next()) {
                cursors.add(cursor);
            }
        }
    }

    /** Reports every group once. */
    void run(int partition) {
        while (!cursors.isEmpty()) {
            RowKey group = cursors.element().key();
            long rows = 0;
            long documents = 0;
            double bytes = 0;
            while (!cursors.isEmpty() && cursors.element().key().isOfSameGroup(group)) {
                Cursor cursor = cursors.remove();
                rows += cursor.to - cursor.from;
                documents += cursor.liveRows();
                bytes += cursor.bytes();
                if (cursor.next()) {
                    cursors.add(cursor);
                }
            }
            groups.add(
                    new GroupSummary(
                            partition,
                            group.id().key().text(),
                            documents,
                            rows,
                            Math.round(bytes)));
        }
    }

    /** The rows of the next group in a block, in one section of a run. */
    private final class Cursor implements Comparable<Cursor> {
        private final RunFile run;
        private final RunSection section;
        private final RunDeadRows dead;
        private Optional<KeyColumn> keys = Optional.empty();
        private Optional<RowKey> key = Optional.empty();
        private int block = -1;
        private int from;
        private int to;

        Cursor(RunFile run, RunSection section, RunDeadRows dead) {
            this.run = run;
            this.section = section;
            this.dead = dead;
        }

        RowKey key() {
            return key.orElseThrow();
        }

        /**
         * Moves to the next group, or to the same group in the next block; returns whether there is
         * one.
         */
        boolean next() {
            from = to;
            while (true) {
                if (keys.isPresent()) {
                    KeyColumn column = keys.get();
                    while (from < column.rows() && !column.isInGroup(from)) {
                        from++;
                    }
                    if (from < column.rows()) {
                        begin(column);
                        return true;
                    }
                }
                block++;
                if (block == section.blockCount()) {
                    return false;
                }
                keys = load();
                from = 0;
            }
        }

        private void begin(KeyColumn column) {
            key = Optional.of(RowKey.of(DocumentId.parse(column.id(from))));
            GroupColumn shared = column.groups();
            to = shared.firstRow(shared.groupOf(from) + 1);
        }

        private Optional<KeyColumn> load() {
            long offset = section.offset(block);
            try {
                BlockContents contents =
                        BlockContents.of(
                                run.mapped(offset, section.byteCount(block)),
                                section.type(),
                                section.fingerprint(),
                                section.rowCount(block),
                                run.path(),
                                offset);
                return contents.checkKeys(damage) ? Optional.of(contents.keys()) : Optional.empty();
            } catch (CorruptRunException e) {
                damage.accept(e.damage());
            } catch (InternalError e) {
                damage.accept(RunFile.unreadable(run.path(), e).damage());
            }
            return Optional.empty();
        }

        int liveRows() {
            return to - from - dead.count(section.firstBlock() + block, from, to);
        }

        double bytes() {
            return (double) section.byteCount(block) * (to - from) / section.rowCount(block);
        }

        @Override
        public int compareTo(Cursor that) {
            return key().compareTo(that.key());
        }
    }
}
