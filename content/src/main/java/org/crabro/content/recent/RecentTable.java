package org.crabro.content.recent;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.run.RunWriter;
import org.crabro.content.run.SortKey;
import org.crabro.content.run.StoredTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * Rows of a partition that were applied one after another and are not in a run yet: encoded, in
 * native memory, chained by group. One thread adds rows, any number reads.
 *
 * <p>There is no object per document. A row costs its bytes, {@value RecentRows#HEADER} more, the
 * padding to eight, and a slot of eight bytes in an index that is between three eighths and three
 * quarters full; a group costs such a slot too. What readers made of the rows is counted with them.
 *
 * <p>Counted: memory lives until the last holder lets the table go.
 */
final class RecentTable {
    private final RecentBudget budget;
    private final StoredTypes types;
    private final Arena memory = Arena.ofShared();
    private final RecentRows rows = new RecentRows(memory);

    /** By id: its newest row. */
    private final RecentIndex newest = new RecentIndex(this::hasId);

    /** By what ids have between their second and fourth colon: the row added last. */
    private final RecentIndex groups = new RecentIndex(this::hasGroup);

    /** What was read before. */
    private final Map<RecentScope, RecentBlocks> blocks = new ConcurrentHashMap<>();

    private final AtomicInteger holders = new AtomicInteger(1);

    /** Behind the last row that readers may see, written when all that concerns it is. */
    private volatile int end;

    private final AtomicInteger tombstones = new AtomicInteger();

    /** What rows and index cost. Only for the writer. */
    private long rowBytes;

    // What everything costs, and whether the rows are in a run; guarded by the lock of accounts.
    private final Object accounts = new Object();
    private long bytes;
    private boolean isFlushed;

    /** The table before this one, as long as somebody may look into both. Only for the writer. */
    private Optional<RecentTable> older;

    /**
     * @param older the table that takes no more rows from now on; not held by this
     * @param budget told of all memory that this takes
     */
    RecentTable(Optional<RecentTable> older, RecentBudget budget, StoredTypes types) {
        this.older = older;
        this.budget = budget;
        this.types = types;
    }

    /** Adds a row. Only for the thread that writes. */
    void add(byte[] row) {
        int idFrom = RowEncoding.ID_OFFSET;
        int idTo = idFrom + (int) RowEncoding.idBytes(MemorySegment.ofArray(row)).byteSize();
        int groupFrom = behindColons(row, idFrom, 2);
        int groupTo = behindColons(row, groupFrom, 2) - 1;
        int next = rows.add(row, groups.locate(row, groupFrom, groupTo));
        groups.put(next);
        int before = newest.locate(row, idFrom, idTo);
        int removed = RowEncoding.isTombstone(MemorySegment.ofArray(row)) ? 1 : 0;
        if (before != 0) {
            rows.replace(before, next);
            removed -= isTombstone(before) ? 1 : 0;
        } else {
            replaceInOlder(row, idFrom, idTo, next);
        }
        if (removed != 0) {
            tombstones.addAndGet(removed);
        }
        newest.put(next);
        end = rows.end();
        long cost = rows.allocated() + newest.bytes() + groups.bytes();
        if (cost != rowBytes) {
            account(cost - rowBytes);
            rowBytes = cost;
        }
    }

    private boolean isTombstone(int address) {
        return RowEncoding.isTombstone(rows.row(address));
    }

    /**
     * Says that a row replaces one of the older table, as long as anybody holds that: also when it
     * is in a run by now, readers that came before look into both tables.
     */
    private void replaceInOlder(byte[] key, int from, int to, int by) {
        if (older.isEmpty()) {
            return;
        }
        RecentTable table = older.get();
        if (!table.tryHold()) {
            older = Optional.empty();
            return;
        }
        try {
            int replaced = table.newest.find(key, from, to);
            if (replaced != 0) {
                table.rows.replaceByYounger(replaced, by);
            }
        } finally {
            table.release();
        }
    }

    /** Says that no more rows come. Only for the thread that writes. */
    void freeze() {
        older = Optional.empty();
    }

    private boolean hasId(int address, byte[] key, int from, int to) {
        MemorySegment id = RowEncoding.idBytes(rows.row(address));
        MemorySegment wanted = MemorySegment.ofArray(key);
        return MemorySegment.mismatch(id, 0, id.byteSize(), wanted, from, to) < 0;
    }

    private boolean hasGroup(int address, byte[] key, int from, int to) {
        MemorySegment id = RowEncoding.idBytes(rows.row(address));
        long start = 0;
        for (int colons = 0; colons < 2; start++) {
            if (id.get(ValueLayout.JAVA_BYTE, start) == ':') {
                colons++;
            }
        }
        long length = (long) to - from;
        return start + length < id.byteSize()
                && id.get(ValueLayout.JAVA_BYTE, start + length) == ':'
                && MemorySegment.mismatch(
                                id, start, start + length, MemorySegment.ofArray(key), from, to)
                        < 0;
    }

    private static int behindColons(byte[] id, int from, int count) {
        int at = from;
        for (int colons = 0; colons < count; at++) {
            if (id[at] == ':') {
                colons++;
            }
        }
        return at;
    }

    /** Returns the newest version of a document, encoded; valid while the table is held. */
    Optional<MemorySegment> find(DocumentId id) {
        byte[] key = id.toString().getBytes(UTF_8);
        int address = newest.find(key, 0, key.length);
        return address == 0 ? Optional.empty() : Optional.of(rows.row(address));
    }

    /**
     * Returns the rows of a scope as of now, nothing where there are none; the caller releases
     * them.
     */
    Optional<RecentBlocks.Moment> moment(RecentScope scope) {
        if (newestOf(scope) == 0) {
            return Optional.empty();
        }
        return Optional.of(
                blocks.computeIfAbsent(scope, _ -> new RecentBlocks(this, scope)).moment());
    }

    /**
     * Returns the row of a group that was added last, which may not be published yet, or what is
     * just before the end where the scope is everything; 0 where there is none.
     */
    int newestOf(RecentScope scope) {
        byte[] group = scope.group();
        return group.length == 0 ? Math.max(0, end - 1) : groups.find(group, 0, group.length);
    }

    /** Returns the address behind the rows that there are now. */
    int end() {
        return end;
    }

    /**
     * Returns the addresses of the rows of a scope, rising.
     *
     * @param from 0, or the address behind a row
     * @param to an end that this table had
     */
    int[] addresses(RecentScope scope, int from, int to) {
        byte[] group = scope.group();
        return group.length == 0
                ? addresses(scope.documentType(), from, to)
                : addresses(groups.find(group, 0, group.length), from, to);
    }

    private int[] addresses(int last, int from, int to) {
        var found = new Addresses();
        for (int at = last; at != 0 && at >= from; at = rows.previous(at)) {
            if (at < to) {
                found.add(at);
            }
        }
        int[] falling = found.all();
        for (int i = 0; i < falling.length / 2; i++) {
            int other = falling[falling.length - 1 - i];
            falling[falling.length - 1 - i] = falling[i];
            falling[i] = other;
        }
        return falling;
    }

    private int[] addresses(String documentType, int from, int to) {
        var found = new Addresses();
        long fingerprint = 0;
        boolean isKnown = false;
        boolean isOfType = false;
        for (int at = rows.firstFrom(from, to); at < to; at = rows.firstFrom(rows.behind(at), to)) {
            long next = RowEncoding.fingerprint(rows.row(at));
            if (!isKnown || next != fingerprint) {
                isKnown = true;
                fingerprint = next;
                isOfType = type(next).name().equals(documentType);
            }
            if (isOfType) {
                found.add(at);
            }
        }
        return found.all();
    }

    private static final class Addresses {
        private int[] values = new int[16];
        private int count;

        void add(int address) {
            if (count == values.length) {
                values = Arrays.copyOf(values, 2 * count);
            }
            values[count++] = address;
        }

        int[] all() {
            return Arrays.copyOf(values, count);
        }
    }

    RecentRows rows() {
        return rows;
    }

    /** Returns memory that lives as long as the table. */
    Arena memory() {
        return memory;
    }

    /** Returns the type with {@code fingerprint}, which a row has. */
    DocumentType type(long fingerprint) {
        return types.type(fingerprint)
                .orElseThrow(() ->
                        new IllegalStateException(
                                "no type with fingerprint %016x".formatted(fingerprint)));
    }

    boolean isEmpty() {
        return end == 0;
    }

    /** Returns how many documents have a newest row here that is no tombstone. */
    int documentCount() {
        return Math.max(0, newest.size() - tombstones.get());
    }

    /** Returns of how many documents the newest row here is a tombstone. */
    int tombstoneCount() {
        return tombstones.get();
    }

    /** Returns what the rows, their index and what readers made of them cost in memory. */
    long bytes() {
        synchronized (accounts) {
            return bytes;
        }
    }

    /** Counts {@code more} bytes, or fewer where negative. */
    void account(long more) {
        synchronized (accounts) {
            bytes += more;
            if (isFlushed) {
                budget.addHeld(more);
            } else {
                budget.add(more);
            }
        }
    }

    /** Says that the rows are in a run: what is left of the table is what readers hold. */
    void flushed() {
        synchronized (accounts) {
            isFlushed = true;
            budget.subtract(bytes);
            budget.addHeld(bytes);
        }
    }

    /** Writes the newest row of every document, tombstones too. Nothing may be added any more. */
    void writeTo(RunWriter run) throws IOException {
        var byType = new TreeMap<Long, List<Keyed>>();
        for (int address : newest.addresses()) {
            MemorySegment row = rows.row(address);
            byType.computeIfAbsent(RowEncoding.fingerprint(row), _ -> new ArrayList<>())
                    .add(new Keyed(SortKey.of(RowEncoding.id(row)), row));
        }
        for (Map.Entry<Long, List<Keyed>> entry : byType.entrySet()) {
            DocumentType type = type(entry.getKey());
            List<Keyed> sorted = entry.getValue();
            sorted.sort(Comparator.comparing(Keyed::key));
            run.begin(type);
            for (Keyed keyed : sorted) {
                run.add(keyed.key(), keyed.row());
            }
        }
    }

    private record Keyed(SortKey key, MemorySegment row) {}

    /** Holds the table once more, and returns whether it was not let go of already. */
    boolean tryHold() {
        int count = holders.get();
        while (count > 0) {
            int found = holders.compareAndExchange(count, count + 1);
            if (found == count) {
                return true;
            }
            count = found;
        }
        return false;
    }

    void release() {
        int left = holders.decrementAndGet();
        assert left >= 0;
        if (left == 0) {
            blocks.values().forEach(RecentBlocks::close);
            memory.close();
            // The next table may know this one until it is written to.
            newest.clear();
            groups.clear();
            blocks.clear();
            synchronized (accounts) {
                account(-bytes);
            }
        }
    }
}
