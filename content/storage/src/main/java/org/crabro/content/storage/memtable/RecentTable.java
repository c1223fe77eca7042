package org.crabro.content.storage.memtable;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.block.key.RowKeyPrefix;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.dead.RecentRemovedGroups;
import org.crabro.content.storage.file.ReferenceCount;
import org.crabro.content.storage.run.RunWriter;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * The memtable of a partition: rows that were applied and are not in a run yet. They are encoded,
 * in native memory, and chained by group. One thread adds rows, any number of threads read.
 *
 * <p>There is no object per document. The memory of a row is its bytes, {@value RecentRows#HEADER}
 * more, the padding to eight, and a slot of eight bytes in an index that is between three eighths
 * and three quarters full. Each group has such a slot too. Blocks that readers made of the rows
 * also count.
 *
 * <p>A group tombstone is a row of its group. Its cost does not depend on the number of rows that
 * it removes. Readers skip those rows from then on; their memory is released with the table.
 *
 * <p>References are counted: the last release frees the memory.
 *
 * <p>Rows, the three indexes, the chains of groups and the counts change together, and {@link #end}
 * then publishes all of them to readers. {@link RecentRows}, {@link RecentIndex} and {@link
 * RecentBlocks} are the parts that do not need it.
 */
public final class RecentTable {
    /** The number of groups that are read in parallel when the table is written. */
    private static final int SIDE_BY_SIDE = 32;

    /** The number of rows whose lookups are prefetched together. */
    private static final int TOGETHER = 64;

    private final RecentBudget budget;
    private final StoredTypes types;
    private final Arena memory = Arena.ofShared();
    private final RecentRows rows;

    /** From id to its newest row. */
    private final RecentIndex newest = new RecentIndex(this::hasId);

    /** From the part of ids between the second and the fourth colon to the row added last. */
    private final RecentIndex groups = new RecentIndex(this::hasGroup);

    /** From the same part to the group tombstone added last. */
    private final RecentIndex removals = new RecentIndex(this::hasGroup);

    /** The blocks of the scopes that were read. */
    private final Map<RecentScope, RecentBlocks> blocks = new ConcurrentHashMap<>();

    private final ReferenceCount holders = new ReferenceCount();

    /** The address after the last visible row, written after all data of the row. */
    private volatile int end;

    private final RecentCounts counts;

    /** Only written, so that the JIT compiler does not remove the reads. */
    @SuppressWarnings("UnusedVariable")
    private int fetched;

    // The key hashes and group offsets of rows that are added together. Only for the writer.
    private final int[] idHashes = new int[TOGETHER];
    private final int[] groupHashes = new int[TOGETHER];
    private final int[] groupsFrom = new int[TOGETHER];
    private final int[] groupsTo = new int[TOGETHER];

    /** The memory of rows and index, in bytes. Only for the writer. */
    private long rowBytes;

    // The total memory, and whether the rows are in a run; guarded by the lock of accounts.
    private final Object accounts = new Object();
    private long bytes;
    private boolean isFlushed;

    /** The previous table, as long as readers may use both. Only for the writer. */
    private Optional<RecentTable> older;

    /**
     * @param older the previous table, which is frozen; this does not hold it
     * @param budget receives the changes of all memory of this table
     */
    public RecentTable(Optional<RecentTable> older, RecentBudget budget, StoredTypes types) {
        this.older = older;
        this.budget = budget;
        this.rows = new RecentRows(memory, budget.rowMemory());
        this.counts = new RecentCounts(rows);
        this.types = types;
    }

    /** Adds rows in their order. Only for the writing thread. */
    public void add(List<byte[]> added) {
        for (int from = 0; from < added.size(); from += TOGETHER) {
            List<byte[]> part = added.subList(from, Math.min(added.size(), from + TOGETHER));
            fetch(part);
            for (int i = 0; i < part.size(); i++) {
                add(part.get(i), i);
            }
        }
    }

    /**
     * Prefetches the memory that adding the rows will read, and keeps the hashes of their keys. The
     * rows of their groups and the rows that they replace are spread over memory. Many parallel
     * reads take little more time than one.
     */
    private void fetch(List<byte[]> added) {
        for (int i = 0; i < added.size(); i++) {
            byte[] row = added.get(i);
            int idTo = idTo(row);
            int groupFrom = behindColons(row, RowEncoding.ID_OFFSET, 2);
            int groupTo = behindColons(row, groupFrom, 2) - 1;
            groupsFrom[i] = groupFrom;
            groupsTo[i] = groupTo;
            idHashes[i] = RecentIndex.hash(row, RowEncoding.ID_OFFSET, idTo);
            groupHashes[i] = RecentIndex.hash(row, groupFrom, groupTo);
        }
        int sum = 0;
        for (int i = 0; i < added.size(); i++) {
            int ofGroup = groups.likely(groupHashes[i]);
            int ofId = newest.likely(idHashes[i]);
            sum += ofGroup == 0 ? 0 : rows.peekId(ofGroup);
            sum += ofId == 0 ? 0 : rows.peekId(ofId);
        }
        fetched = sum;
    }

    private static int idTo(byte[] row) {
        return RowEncoding.ID_OFFSET
                + (int) RowEncoding.idBytes(MemorySegment.ofArray(row)).byteSize();
    }

    /**
     * Adds a row.
     *
     * @param place the index of its prefetched hashes and offsets
     */
    private void add(byte[] row, int place) {
        int idFrom = RowEncoding.ID_OFFSET;
        int idTo = idTo(row);
        int groupFrom = groupsFrom[place];
        int groupTo = groupsTo[place];
        int next = rows.add(row, groups.locate(groupHashes[place], row, groupFrom, groupTo));
        groups.put(next);
        if (RowEncoding.isGroupTombstone(MemorySegment.ofArray(row))) {
            int before = removals.locate(groupHashes[place], row, groupFrom, groupTo);
            rows.setTombstoneBefore(next, before);
            removals.put(next);
            counts.removedGroup(next, before);
        } else {
            int before = newest.locate(idHashes[place], row, idFrom, idTo);
            if (before != 0) {
                rows.replace(before, next);
            } else {
                replaceInOlder(row, idFrom, idTo, next);
            }
            boolean isCounted = before > removal(row, groupFrom, groupTo);
            boolean isTombstone = RowEncoding.isTombstone(MemorySegment.ofArray(row));
            counts.added(isTombstone, isCounted ? before : 0);
            newest.put(next);
        }
        end = rows.end();
        long cost = rows.allocated() + newest.bytes() + groups.bytes() + removals.bytes();
        if (cost != rowBytes) {
            account(cost - rowBytes);
            rowBytes = cost;
        }
    }

    /** Returns the last tombstone of the group with this text, 0 for none. */
    private int removal(byte[] group, int from, int to) {
        return removals.size() == 0 ? 0 : removals.find(group, from, to);
    }

    /**
     * Records that a row replaces one of the previous table, as long as that table is held. This is
     * needed even if the replaced row is already in a run, because earlier readers use both tables.
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

    /** Ends adding rows. Only for the writing thread. */
    public void freeze() {
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

    /**
     * Returns the encoded newest version of a document, or the tombstone of its group if that is
     * newer; valid while the table is held.
     */
    public Optional<MemorySegment> find(DocumentId id) {
        byte[] key = id.toString().getBytes(UTF_8);
        int address = newest.find(key, 0, key.length);
        int groupFrom = behindColons(key, 0, 2);
        int newer = Math.max(address, removal(key, groupFrom, behindColons(key, groupFrom, 2) - 1));
        return newer == 0 ? Optional.empty() : Optional.of(rows.row(newer));
    }

    /**
     * Returns the newest tombstone of a group at a moment, 0 if there was none or the scope is not
     * a group.
     *
     * @param momentEnd the end of the rows at the moment
     */
    public int removal(RecentScope scope, int momentEnd) {
        if (removals.size() == 0) {
            return 0;
        }
        byte[] group = scope.group();
        return group.length == 0 ? 0 : before(momentEnd, removals.find(group, 0, group.length));
    }

    private int before(int momentEnd, int tombstone) {
        int at = tombstone;
        while (at >= momentEnd && at != 0) {
            at = rows.tombstoneBefore(at);
        }
        return at;
    }

    /** Returns the groups of a type that were removed at a moment. */
    public RecentRemovedGroups removals(String documentType, int momentEnd) {
        if (removals.size() == 0) {
            return RecentRemovedGroups.NONE;
        }
        var byBounds = new TreeMap<KeyBounds, Integer>();
        for (int last : removals.addresses()) {
            int tombstone = before(momentEnd, last);
            if (tombstone != 0) {
                GroupTombstone group = groupTombstone(tombstone);
                if (group.documentType().equals(documentType)) {
                    byBounds.put(group.bounds(), tombstone);
                }
            }
        }
        return RecentRemovedGroups.of(byBounds);
    }

    private GroupTombstone groupTombstone(int address) {
        MemorySegment row = rows.row(address);
        byte[] id = RowEncoding.idBytes(row).toArray(ValueLayout.JAVA_BYTE);
        int from = behindColons(id, 0, 2);
        String group = new String(id, from, id.length - 1 - from, UTF_8);
        return GroupTombstone.of(group, RowEncoding.timestamp(row));
    }

    /** Returns the current rows of a scope, empty if there are none; the caller releases them. */
    Optional<RecentBlocks.Moment> moment(RecentScope scope) {
        if (newestOf(scope) == 0) {
            return Optional.empty();
        }
        return Optional.of(
                blocks.computeIfAbsent(scope, _ -> new RecentBlocks(this, scope)).moment());
    }

    /**
     * Returns the row of a group that was added last, which may not be published yet. For a scope
     * without a group, returns the address before the end. 0 if there is none.
     */
    public int newestOf(RecentScope scope) {
        byte[] group = scope.group();
        return group.length == 0 ? Math.max(0, end - 1) : groups.find(group, 0, group.length);
    }

    /** Returns the address after the current rows. */
    public int end() {
        return end;
    }

    /**
     * Returns the addresses of the rows of a scope, ascending.
     *
     * @param from 0, or the address after a row
     * @param to an end that this table had
     */
    int[] addresses(RecentScope scope, int from, int to) {
        byte[] group = scope.group();
        return group.length == 0
                ? addresses(scope.documentType(), from, to)
                : addresses(groups.find(group, 0, group.length), from, to);
    }

    private int[] addresses(int last, int from, int to) {
        var addresses = new Addresses();
        for (int at = last; at != 0 && at >= from; at = rows.previous(at)) {
            if (at < to) {
                addresses.add(at);
            }
        }
        int[] falling = addresses.all();
        for (int i = 0; i < falling.length / 2; i++) {
            int other = falling[falling.length - 1 - i];
            falling[falling.length - 1 - i] = falling[i];
            falling[i] = other;
        }
        return falling;
    }

    private int[] addresses(String documentType, int from, int to) {
        var addresses = new Addresses();
        long fingerprint = 0;
        boolean hasFingerprint = false;
        boolean isOfType = false;
        for (int at = rows.firstFrom(from, to); at < to; at = rows.firstFrom(rows.behind(at), to)) {
            MemorySegment row = rows.row(at);
            if (RowEncoding.isGroupTombstone(row)) {
                continue;
            }
            long next = RowEncoding.fingerprint(row);
            if (!hasFingerprint || next != fingerprint) {
                hasFingerprint = true;
                fingerprint = next;
                isOfType = type(next).name().equals(documentType);
            }
            if (isOfType) {
                addresses.add(at);
            }
        }
        return addresses.all();
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

    public RecentRows rows() {
        return rows;
    }

    /** Returns memory that lives as long as the table. */
    public Arena memory() {
        return memory;
    }

    /** Returns the type of a row's fingerprint. */
    public DocumentType type(long fingerprint) {
        return types.type(fingerprint)
                .orElseThrow(() ->
                        new IllegalStateException(
                                "no type with fingerprint %016x".formatted(fingerprint)));
    }

    /** Returns how texts of a type are currently searched. */
    public SearchedTexts searchedTexts(DocumentType type) {
        return types.searchedTexts(type);
    }

    public boolean isEmpty() {
        return end == 0;
    }

    /**
     * Returns the number of documents whose newest row here is not a tombstone; only while the
     * table is held.
     */
    public int documentCount() {
        return counts.documents();
    }

    /** Returns the number of tombstones of documents and groups; only while the table is held. */
    public int tombstoneCount() {
        return counts.tombstones();
    }

    /** Returns the memory of the rows, their index and the blocks made of them, in bytes. */
    public long bytes() {
        synchronized (accounts) {
            return bytes;
        }
    }

    /** Counts {@code more} bytes, or fewer where negative. */
    public void account(long more) {
        synchronized (accounts) {
            bytes += more;
            if (isFlushed) {
                budget.addHeld(more);
            } else {
                budget.add(more);
            }
        }
    }

    /** Records that the rows are in a run: only readers still hold memory of the table. */
    public void flushed() {
        synchronized (accounts) {
            isFlushed = true;
            budget.subtract(bytes);
            budget.addHeld(bytes);
        }
    }

    /**
     * Writes the newest row of every document, including tombstones, except rows that were removed
     * with their group. Also writes the tombstones of groups. The table must be frozen.
     */
    public void writeTo(RunWriter run) throws IOException {
        for (int address : removals.addresses()) {
            run.remove(groupTombstone(address));
        }
        for (Map.Entry<Long, RowsInOrder> entry : newestByType().entrySet()) {
            run.begin(type(entry.getKey()));
            entry.getValue().writeTo(run);
        }
    }

    /** Collects the newest rows group by group, so that each group is hashed once. */
    private Map<Long, RowsInOrder> newestByType() {
        var byType = new TreeMap<Long, RowsInOrder>();
        var place = new RowKeyPrefix();
        long fingerprint = 0;
        RowsInOrder ofType = null;
        int[] last = groups.addresses();
        for (int from = 0; from < last.length; from += SIDE_BY_SIDE) {
            List<Addresses> chains = chains(last, from, Math.min(last.length, from + SIDE_BY_SIDE));
            for (int i = 0; i < chains.size(); i++) {
                for (int at : chains.get(i).all()) {
                    MemorySegment row = rows.row(at);
                    if (rows.isNewest(at) && !RowEncoding.isGroupTombstone(row)) {
                        place.set(row);
                        if (ofType == null || RowEncoding.fingerprint(row) != fingerprint) {
                            fingerprint = RowEncoding.fingerprint(row);
                            ofType =
                                    byType.computeIfAbsent(fingerprint, _ -> new RowsInOrder(rows));
                        }
                        ofType.add(at, from + i, place.place(), place.document());
                    }
                }
            }
        }
        return byType;
    }

    /**
     * Returns the rows of some groups in descending order, except rows that were removed with the
     * group. The address of the previous row is in the row itself, so each step waits for memory.
     * The groups are followed in parallel, and their reads overlap.
     */
    private List<Addresses> chains(int[] last, int from, int to) {
        List<Addresses> chains = new ArrayList<>();
        var at = Arrays.copyOfRange(last, from, to);
        var removed = new int[at.length];
        for (int i = 0; i < at.length; i++) {
            chains.add(new Addresses());
            removed[i] = removal(at[i]);
        }
        boolean isAny = true;
        while (isAny) {
            isAny = false;
            for (int i = 0; i < at.length; i++) {
                if (at[i] > removed[i]) {
                    chains.get(i).add(at[i]);
                    at[i] = rows.previous(at[i]);
                    isAny = true;
                }
            }
        }
        return chains;
    }

    /** Returns the last tombstone of the group of a row, 0 for none. */
    private int removal(int address) {
        if (removals.size() == 0) {
            return 0;
        }
        byte[] id = RowEncoding.idBytes(rows.row(address)).toArray(ValueLayout.JAVA_BYTE);
        int from = behindColons(id, 0, 2);
        return removal(id, from, behindColons(id, from, 2) - 1);
    }

    /** Increments the reference count; returns false if the table was already released. */
    public boolean tryHold() {
        return holders.tryHold();
    }

    public void release() {
        if (holders.release()) {
            blocks.values().forEach(RecentBlocks::close);
            memory.close();
            // The next table may refer to this one until its next write.
            newest.clear();
            groups.clear();
            removals.clear();
            blocks.clear();
            synchronized (accounts) {
                account(-bytes);
            }
        }
    }
}
