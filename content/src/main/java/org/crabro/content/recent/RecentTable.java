package org.crabro.content.recent;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.run.KeyRange;
import org.crabro.content.run.RunWriter;
import org.crabro.content.run.SortKey;
import org.crabro.content.run.StoredTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.RowEncoding;

/**
 * Rows of a partition that were applied one after another and are not in a run yet: encoded, in
 * native memory, by group. One thread adds rows, any number reads.
 *
 * <p>Counted: memory lives until the last holder lets the table go.
 */
final class RecentTable {
    /** What a row costs besides its bytes: its id, and its places in maps and arrays; about. */
    static final int ROW_OVERHEAD = 256;

    private static final int FIRST_CHUNK_BYTES = 16 << 10;
    private static final int CHUNK_BYTES_MAX = 1 << 20;

    private final Arena memory = Arena.ofShared();
    private final Map<DocumentId, Place> newest = new ConcurrentHashMap<>();
    private final Map<GroupName, RecentGroup> groups = new ConcurrentHashMap<>();
    private final AtomicInteger holders = new AtomicInteger(1);
    private MemorySegment chunk = MemorySegment.NULL;
    private long chunkUsed;
    private final AtomicLong bytes = new AtomicLong();

    /** How many of the newest rows are tombstones; written by the writer alone. */
    private final AtomicInteger tombstones = new AtomicInteger();

    /** The table before this one, as long as somebody may look into both. Only for the writer. */
    private Optional<RecentTable> older;

    /**
     * @param older the table that takes no more rows from now on; not held by this
     */
    RecentTable(Optional<RecentTable> older) {
        this.older = older;
    }

    private record Place(RecentGroup group, int index) {}

    /**
     * Adds a row. Only for the thread that writes.
     *
     * @return the bytes that it costs
     */
    long add(DocumentId id, byte[] encoded) {
        RecentGroup group = groups.computeIfAbsent(GroupName.of(id), _ -> new RecentGroup());
        MemorySegment row = copy(encoded);
        Place before = newest.get(id);
        if (before != null) {
            tombstones.addAndGet(-tombstones(group.row(before.index())));
            group.replaceByNext(before.index());
        } else {
            replaceInOlder(id, group);
        }
        newest.put(id, new Place(group, group.add(row)));
        tombstones.addAndGet(tombstones(row));
        long cost = encoded.length + (long) ROW_OVERHEAD;
        bytes.addAndGet(cost);
        return cost;
    }

    /**
     * Says that the next row of {@code group} replaces a row of the older table, as long as anybody
     * holds that: also when it is in a run by now, readers that came before look into both tables.
     */
    private void replaceInOlder(DocumentId id, RecentGroup group) {
        if (older.isEmpty()) {
            return;
        }
        RecentTable table = older.get();
        if (!table.tryHold()) {
            older = Optional.empty();
            return;
        }
        try {
            Place replaced = table.newest.get(id);
            if (replaced != null) {
                replaced.group().replaceByYounger(replaced.index(), group.count());
            }
        } finally {
            table.release();
        }
    }

    /** Says that no more rows come. Only for the thread that writes. */
    void end() {
        older = Optional.empty();
    }

    private static int tombstones(MemorySegment row) {
        return RowEncoding.isTombstone(row) ? 1 : 0;
    }

    private MemorySegment copy(byte[] encoded) {
        if (chunkUsed + encoded.length > chunk.byteSize()) {
            long next = Math.clamp(2 * chunk.byteSize(), FIRST_CHUNK_BYTES, CHUNK_BYTES_MAX);
            chunk = memory.allocate(Math.max(next, encoded.length), Long.BYTES);
            chunkUsed = 0;
        }
        MemorySegment row = chunk.asSlice(chunkUsed, encoded.length);
        row.copyFrom(MemorySegment.ofArray(encoded));
        chunkUsed += (encoded.length + Long.BYTES - 1) & -Long.BYTES;
        return row.asReadOnly();
    }

    /** Returns the newest version of a document, encoded; valid while the table is held. */
    Optional<MemorySegment> find(DocumentId id) {
        Place place = newest.get(id);
        return place == null ? Optional.empty() : Optional.of(place.group().row(place.index()));
    }

    /** Returns the groups that have rows of a type in a range. */
    List<GroupName> groups(String documentType, KeyRange range) {
        Optional<LocationKey> key =
                switch (range) {
                    case KeyRange.Everything _ -> Optional.empty();
                    case KeyRange.Group(var name) -> Optional.of(new LocationKey.Group(name));
                    case KeyRange.Numbered(var value) ->
                            Optional.of(new LocationKey.Numbered(value));
                };
        if (key.isPresent()) {
            var name = new GroupName(documentType, key.get());
            return groups.containsKey(name) ? List.of(name) : List.of();
        }
        return groups.keySet().stream()
                .filter(name -> name.documentType().equals(documentType))
                .toList();
    }

    /** Returns the rows of a group as of now; the caller releases them. */
    Optional<RecentGroup.Moment> moment(GroupName name, StoredTypes types) {
        RecentGroup group = groups.get(name);
        return group == null ? Optional.empty() : Optional.of(group.moment(memory, types));
    }

    boolean isEmpty() {
        return newest.isEmpty();
    }

    /** Returns how many documents there are whose newest row here is no tombstone. */
    int documentCount() {
        return Math.max(0, newest.size() - tombstoneCount());
    }

    /** Returns of how many documents the newest row here is a tombstone. */
    int tombstoneCount() {
        return tombstones.get();
    }

    /** Returns what the rows cost in memory, about. */
    long bytes() {
        return bytes.get();
    }

    /** Writes the newest row of every document, tombstones too. Nothing may be added any more. */
    void writeTo(RunWriter run, StoredTypes types) throws IOException {
        var byType = new TreeMap<Long, List<Keyed>>();
        newest.forEach((id, place) -> {
            MemorySegment row = place.group().row(place.index());
            byType.computeIfAbsent(RowEncoding.fingerprint(row), _ -> new ArrayList<>())
                    .add(new Keyed(SortKey.of(id), row));
        });
        for (Map.Entry<Long, List<Keyed>> entry : byType.entrySet()) {
            DocumentType type = types.type(entry.getKey()).orElseThrow();
            List<Keyed> rows = entry.getValue();
            rows.sort(Comparator.comparing(Keyed::key));
            run.begin(type);
            for (Keyed keyed : rows) {
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
            groups.values().forEach(RecentGroup::close);
            memory.close();
        }
    }
}
