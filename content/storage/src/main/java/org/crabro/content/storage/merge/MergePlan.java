package org.crabro.content.storage.merge;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.crabro.content.storage.manifest.PlaceRange;
import org.crabro.content.storage.manifest.RunBounds;
import org.crabro.content.storage.manifest.RunEntry;
import org.crabro.content.storage.run.RunPart;
import org.crabro.content.storage.run.RunSection;

/**
 * One step of a merge: a range of places of some runs becomes one run.
 *
 * @param inputs the valid parts of the runs that have rows in the range; from young to old
 * @param all all runs of the merge, including runs without rows in the range
 * @param older runs that are older than all inputs
 * @param first the first place of the range; order is unsigned
 * @param last the last place
 * @param tier of the new run
 */
public record MergePlan(
        List<RunPart> inputs,
        List<RunPart> all,
        List<RunPart> older,
        long first,
        long last,
        long tier) {

    private record Extent(long place, long bytes) {}

    /**
     * Returns the next step of merging {@code all}.
     *
     * @param published every run
     * @param bytes a step ends after this many bytes, at the start of the next place
     */
    public static MergePlan of(List<RunPart> all, List<RunPart> published, long bytes) {
        long oldest = all.stream().mapToLong(part -> part.entry().tier()).min().orElseThrow();
        long youngest = all.stream().mapToLong(part -> part.entry().tier()).max().orElseThrow();
        long first =
                all.stream()
                        .map(part -> part.places().first())
                        .min(Long::compareUnsigned)
                        .orElseThrow();
        long last = last(all, first, bytes);
        List<RunPart> inputs =
                all.stream()
                        .filter(part -> Long.compareUnsigned(part.places().first(), last) <= 0)
                        .toList();
        List<RunPart> older =
                published.stream().filter(part -> part.entry().tier() < oldest).toList();
        return new MergePlan(inputs, all, older, first, last, youngest);
    }

    /**
     * Returns the place at which about {@code bytes} end, according to the places of the first rows
     * of blocks.
     */
    private static long last(List<RunPart> parts, long first, long bytes) {
        var extents = new ArrayList<Extent>();
        for (RunPart part : parts) {
            for (int i = 0; i < part.run().sections().size(); i++) {
                RunSection section = part.run().sections().get(i);
                for (int block = part.firstBlock(i); block < part.endBlock(i); block++) {
                    // The first block may begin with rows that are not valid any more.
                    long place = section.firstPlace(block);
                    long counted = Long.compareUnsigned(place, first) < 0 ? first : place;
                    extents.add(new Extent(counted, section.byteCount(block)));
                }
            }
        }
        extents.sort(Comparator.comparing(Extent::place, Long::compareUnsigned));
        long sum = 0;
        for (int i = 0; i < extents.size(); i++) {
            if (sum >= bytes && extents.get(i).place() != extents.get(i - 1).place()) {
                return extents.get(i).place() - 1;
            }
            sum += extents.get(i).bytes();
        }
        return RunEntry.LAST;
    }

    /**
     * Returns the approximate size of the blocks in the range: the maximum size of the new file.
     */
    public long byteCount() {
        long bytes = 0;
        for (RunPart part : inputs) {
            for (int i = 0; i < part.run().sections().size(); i++) {
                RunSection section = part.run().sections().get(i);
                for (int block = part.firstBlock(i); block < part.endBlock(i); block++) {
                    boolean isIn = Long.compareUnsigned(section.firstPlace(block), last) <= 0;
                    bytes += isIn ? section.byteCount(block) : 0;
                }
            }
        }
        return bytes;
    }

    /** Returns the numbers of runs that are merged completely. */
    public List<Long> removed() {
        return inputs.stream()
                .map(RunPart::entry)
                .filter(entry -> Long.compareUnsigned(entry.last(), last) <= 0)
                .map(RunEntry::number)
                .toList();
    }

    /** Returns the remaining valid rows of the inputs that are not merged completely. */
    public List<RunBounds> bounded() {
        return inputs.stream()
                .map(RunPart::entry)
                .filter(entry -> Long.compareUnsigned(entry.last(), last) > 0)
                .map(entry ->
                        new RunBounds(
                                entry.number(), new PlaceRange(last + 1, entry.bounds().last())))
                .toList();
    }

    /** Returns whether this is the last step of the merge. */
    boolean isLast() {
        return removed().size() == all.size();
    }

    /** Returns whether a row of {@code place} is in the range. */
    boolean holds(long place) {
        return Long.compareUnsigned(place, first) >= 0 && Long.compareUnsigned(place, last) <= 0;
    }
}
