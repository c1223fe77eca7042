package org.crabro.content.search.visit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.key.KeyArea;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.file.ScanStoppedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.RowReads;
import org.crabro.content.storage.run.OrderedView;
import org.crabro.content.storage.run.RowCursor;
import org.crabro.document.select.BatchSelection;
import org.crabro.document.select.Selection;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.jspecify.annotations.Nullable;

/**
 * One page of a visit. It merges the rows of runs and of recent documents by their keys, from the
 * end of the previous page until the page is full or time is short. Of the rows of a document it
 * reads only the youngest. For one thread.
 */
final class PageVisit {
    /**
     * The page ends when an eighth of its time is left, or {@link #LEFT_MAX} if that is shorter.
     */
    private static final int SHARE_LEFT = 8;

    private static final Duration LEFT_MAX = Duration.ofMillis(250);

    private final VisitRequest request;
    private final Selection selection;
    private final boolean isSelective;
    private final long now;
    private final Collection<VisitedType> types;
    private final VisitAreas areas;
    private final WantedBlocks wanted;
    private final RowReads reads;
    private final LongSupplier nanoTime;
    private final BooleanSupplier isStopping;
    private final WorkMeter work = new WorkMeter();
    private final long stopNanos;
    private final boolean hasTimes;
    private final PageContents contents;
    private final int[] batch = new int[BatchSelection.ROWS_MAX];
    private final PriorityQueue<VisitedRows> next = new PriorityQueue<>(VisitedRows::compareTo);

    // The last row that was read.
    private @Nullable EncodedBlock lastBlock;
    private int lastRow;
    private boolean isLate;

    /**
     * The number of rows that the selection tests at once. It grows while batches take little work.
     */
    private int batchRows = 1;

    /**
     * @param reads reads blocks into memory
     */
    PageVisit(
            VisitRequest request,
            Selection selection,
            VisitTime time,
            Collection<VisitedType> types,
            VisitAreas areas,
            RowReads reads) {
        this.request = request;
        this.selection = selection;
        this.isSelective = !selection.toString().isBlank();
        this.now = time.now();
        this.types = types;
        this.areas = areas;
        this.wanted = new WantedBlocks(request, selection, time.now(), work);
        this.reads = reads;
        this.nanoTime = time.nanoTime();
        this.isStopping = time.isStopping();
        long end = request.header().deadline().nanos();
        long left = Math.max(0, end - time.nanoTime().getAsLong());
        this.stopNanos = end - Math.min(left / SHARE_LEFT, LEFT_MAX.toNanos());
        this.hasTimes =
                request.scope().fromTimestamp() > 0
                        || request.scope().toTimestamp() < Long.MAX_VALUE;
        work.begin(this::isOver);
        this.contents =
                switch (request.form()) {
                    case VisitForm.Json form -> new JsonPage(form, request.limits().bytesMax());
                    case VisitForm.Documents() -> new DocumentsPage(true);
                    case VisitForm.Ids() -> new DocumentsPage(false);
                    case VisitForm.Groups(var kind) ->
                            kind == VisitForm.GroupKind.PLAIN
                                    ? new PlainDocumentsPage()
                                    : new GroupsPage(kind);
                };
    }

    /** Returns the page, or a timeout. */
    VisitReply run(OrderedView view) {
        lookAtClock();
        if (isLate) {
            return new VisitReply.TimedOut();
        }
        try {
            return pageOf(view);
        } catch (ScanStoppedException e) {
            // Time was up during the search for blocks, so the end of the page is not known.
            return new VisitReply.TimedOut();
        }
    }

    private VisitReply pageOf(OrderedView view) {
        Optional<RowKey> after = request.scope().after().map(RowKey::of);
        int first = after.map(areas::indexBehind).orElse(0);
        for (int i = first; i < areas.areas().size(); i++) {
            Optional<RowKey> end =
                    visit(view, areas.areas().get(i), i == first ? after : Optional.empty());
            if (end.isPresent()) {
                Optional<RowKey> last = contents.end(end.get());
                return last.isPresent() ? page(last) : new VisitReply.TimedOut();
            }
        }
        return page(Optional.empty());
    }

    private VisitReply page(Optional<RowKey> last) {
        VisitReply.Contents finished = contents.finish();
        return new VisitReply.Page(
                finished,
                contents.count(),
                last.map(RowKey::id),
                last.map(areas::share).orElse(1.0));
    }

    private void lookAtClock() {
        isLate |= isOver();
    }

    private boolean isOver() {
        return stopNanos - nanoTime.getAsLong() <= 0
                || request.header().deadline().cancellation().isCancelled()
                || isStopping.getAsBoolean();
    }

    /**
     * Visits the rest of an area. Returns the key at which the page ends; empty if the area is
     * finished.
     */
    private Optional<RowKey> visit(OrderedView view, KeyArea area, Optional<RowKey> after) {
        next.clear();
        for (VisitedType type : types) {
            List<RowCursor> cursors = view.cursors(wanted.of(type, area), after, reads);
            for (int age = 0; age < cursors.size(); age++) {
                next.add(new VisitedRows(cursors.get(age), type, age));
            }
        }
        VisitedRows rows = next.poll();
        while (rows != null) {
            if (isLate || isFull()) {
                Optional<RowKey> done = done(rows).filter(key -> isBehind(key, after));
                if (done.isPresent()) {
                    return done;
                }
                if (work.isStopped()) {
                    // The first rows took all of the time.
                    throw new ScanStoppedException();
                }
            }
            RowCursor cursor = rows.cursor();
            if (!cursor.isOpen()) {
                cursor.open();
                lookAtClock();
            } else {
                VisitedRows other = next.peek();
                int end = other == null ? cursor.end() : cursor.firstNotBefore(other.cursor());
                if (end > cursor.row()) {
                    cursor.advance(visit(rows, cursor.row(), end));
                } else {
                    visitYoungest(rows);
                }
            }
            if (!cursor.isAtEnd()) {
                next.add(rows);
            }
            rows = next.poll();
        }
        return Optional.empty();
    }

    private static boolean isBehind(RowKey key, Optional<RowKey> after) {
        return after.isEmpty() || key.compareTo(after.get()) > 0;
    }

    /** Returns the last document, read or skipped, before the next row. */
    private Optional<RowKey> done(VisitedRows head) {
        Optional<RowKey> done =
                Optional.ofNullable(lastBlock).map(block -> RowKey.of(block.id(lastRow)));
        var all = new ArrayList<>(next);
        all.add(head);
        for (VisitedRows rows : all) {
            Optional<RowKey> passed = rows.cursor().passedBefore(head.cursor()).map(RowKey::of);
            if (passed.isPresent() && (done.isEmpty() || passed.get().compareTo(done.get()) > 0)) {
                done = passed;
            }
        }
        return done;
    }

    /** Visits a document with several rows. */
    private void visitYoungest(VisitedRows youngest) {
        RowCursor cursor = youngest.cursor();
        VisitedRows older = next.peek();
        while (older != null && older.cursor().compareKeys(cursor) == 0) {
            // Unopened cursors sort first, so all of these are open.
            next.poll();
            older.cursor().advance(older.cursor().row() + 1);
            if (!older.cursor().isAtEnd()) {
                next.add(older);
            }
            older = next.peek();
        }
        cursor.advance(visit(youngest, cursor.row(), cursor.row() + 1));
    }

    /** Visits rows of one block until the page ends, and returns the next row. */
    private int visit(VisitedRows rows, int from, int to) {
        int row = from;
        while (row < to && !isFull()) {
            if (isSelective) {
                int end = Math.min(to, row + batchRows);
                long spent = work.spent();
                try {
                    row = visitSelected(rows, row, end);
                } catch (ScanStoppedException e) {
                    // No row of the batch was added; the next page starts with this batch.
                    isLate = true;
                    break;
                }
                if (work.spent() - spent < WorkMeter.UNITS) {
                    batchRows = Math.min(batch.length, 2 * batchRows);
                }
            } else {
                row = visitAll(rows, row, Math.min(to, row + batch.length));
            }
            lookAtClock();
            if (isLate) {
                break;
            }
        }
        return row;
    }

    private int visitAll(VisitedRows rows, int from, int to) {
        RowCursor cursor = rows.cursor();
        EncodedBlock block = cursor.block();
        int row = from;
        while (row < to && !isFull()) {
            if (!cursor.isGone(row)) {
                if (block.isTombstone(row)) {
                    remove(rows, block, row);
                } else if (!hasTimes || isInTime(block, row)) {
                    contents.add(rows, row);
                }
            }
            lastBlock = block;
            lastRow = row;
            row++;
        }
        return row;
    }

    /** Visits the rows that the selection selects. */
    private int visitSelected(VisitedRows rows, int from, int to) {
        RowCursor cursor = rows.cursor();
        EncodedBlock block = cursor.block();
        int alive = 0;
        for (int row = from; row < to; row++) {
            if (!cursor.isGone(row)
                    && !block.isTombstone(row)
                    && (!hasTimes || isInTime(block, row))) {
                batch[alive++] = row;
            }
        }
        int meant = alive == 0 ? 0 : rows.batches(selection, now, work).select(batch, alive);
        int next = 0;
        for (int row = from; row < to; row++) {
            if (isFull()) {
                return row;
            }
            if (next < meant && batch[next] == row) {
                contents.add(rows, row);
                next++;
            } else if (block.hasTombstones() && !cursor.isGone(row) && block.isTombstone(row)) {
                remove(rows, block, row);
            }
            lastBlock = block;
            lastRow = row;
        }
        return to;
    }

    private boolean isFull() {
        return contents.count() >= request.limits().documentsMax()
                || contents.size() >= request.limits().bytesMax();
    }

    private boolean isInTime(EncodedBlock block, int row) {
        long timestamp = block.timestamp(row);
        return timestamp >= request.scope().fromTimestamp()
                && timestamp < request.scope().toTimestamp();
    }

    private void remove(VisitedRows rows, EncodedBlock block, int row) {
        if (request.withRemoves()
                && (!hasTimes || isInTime(block, row))
                && (!isSelective || selection.mayMean(block.id(row), now, work))) {
            contents.remove(rows, row);
        }
    }
}
