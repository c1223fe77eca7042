package org.crabro.content.storage.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.layout.AddressRange;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.RunLayout;

/**
 * Collects the group tombstones of a new run, and the rows of older runs that they remove. It finds
 * the rows as ranges, by the index of an older run and the keys of at most two blocks, so the cost
 * does not depend on the size of a group.
 */
final class GroupTombstoneWriter {
    private record Removed(long run, AddressRange rows) {}

    private record Group(long place, String text) {}

    private static final Comparator<Group> ORDER =
            Comparator.comparing(Group::place, Long::compareUnsigned)
                    .thenComparing(Group::text, GroupTombstoneWriter::compareTexts);

    private final Collection<RunPart> older;
    private final ReplacedRowFinder replaced;
    private final TreeMap<Group, Long> timestamps = new TreeMap<>(ORDER);
    private final List<Removed> removed = new ArrayList<>();

    /**
     * @param older the runs that are searched for groups
     * @param replaced receives the blocks whose keys cannot be read, so that it is unknown whether
     *     they have rows of a group
     */
    GroupTombstoneWriter(Collection<RunPart> older, ReplacedRowFinder replaced) {
        this.older = older;
        this.replaced = replaced;
    }

    private static int compareTexts(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8));
    }

    /** Adds a tombstone; of two tombstones of one group, the newer is used. */
    void add(GroupTombstone tombstone) {
        KeyBounds bounds = tombstone.bounds();
        var group = new Group(bounds.place(), tombstone.text());
        timestamps.merge(group, tombstone.timestamp(), Math::max);
        for (RunPart part : older) {
            long run = part.run().number();
            part.forEachRange(
                    tombstone.documentType(),
                    bounds,
                    rows -> addRows(run, rows),
                    (reason, block) -> replaced.addUnknown(run, block, reason));
        }
    }

    /** Adds rows of an older run that an earlier run already removed. */
    void addRows(long run, AddressRange rows) {
        removed.add(new Removed(run, rows));
    }

    boolean isEmpty() {
        return timestamps.isEmpty();
    }

    /** Returns the number of groups. */
    int count() {
        return timestamps.size();
    }

    /** Returns the number of ranges. */
    int rangeCount() {
        return removed.size();
    }

    /** Returns the tombstones in the layout of {@link RunLayout}. */
    BlockBytes tombstones() {
        int texts = 0;
        List<byte[]> all = new ArrayList<>();
        for (Group group : timestamps.keySet()) {
            all.add(group.text().getBytes(UTF_8));
            texts += all.getLast().length;
        }
        int at = RunLayout.GROUP_SIZE * all.size();
        var out = new BlockBytes(at + texts);
        int index = 0;
        for (var entry : timestamps.entrySet()) {
            int length = all.get(index).length;
            out.putLong(entry.getKey().place());
            out.putLong(entry.getValue());
            out.putInt(at);
            out.putInt(length);
            at += length;
            index++;
        }
        all.forEach(out::put);
        return out;
    }

    /** Returns the ranges in the layout of {@link RunLayout}. */
    BlockBytes ranges() {
        removed.sort(
                Comparator.comparingLong(Removed::run)
                        .thenComparingLong(range -> range.rows().from())
                        .thenComparingLong(range -> range.rows().to()));
        var out = new BlockBytes(RunLayout.REMOVED_SIZE * removed.size());
        for (Removed range : removed) {
            out.putLong(range.run());
            putAddress(out, range.rows().from());
            putAddress(out, range.rows().to());
        }
        return out;
    }

    private static void putAddress(BlockBytes out, long address) {
        out.putInt(RunLayout.block(address));
        out.putInt(RunLayout.row(address));
    }
}
