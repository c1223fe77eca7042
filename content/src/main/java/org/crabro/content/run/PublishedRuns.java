package org.crabro.content.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.crabro.content.file.CorruptRunException;
import org.crabro.content.journal.Damage;
import org.crabro.content.manifest.ManifestState;
import org.crabro.content.manifest.RunEntry;

/**
 * One moment of a partition's runs: which there are, and which of their rows are dead. Immutable,
 * but for the count of those who look at it; while there is one, every run stays mapped.
 */
public final class PublishedRuns {
    // Young to old.
    private final List<RunPart> parts;
    private final ReferenceCount holders = new ReferenceCount();

    private PublishedRuns(List<RunPart> parts) {
        this.parts = List.copyOf(parts);
        parts.forEach(part -> part.run().hold());
    }

    /** Returns no runs. The caller holds what is returned. */
    public static PublishedRuns none() {
        return new PublishedRuns(List.of());
    }

    /**
     * Returns these runs and one of a younger tier than all. The caller holds what is returned.
     *
     * @throws CorruptRunException if it replaces rows that cannot be there
     */
    public PublishedRuns with(RunPart younger) {
        var all = new ArrayList<RunPart>();
        all.add(younger);
        for (RunPart part : parts) {
            all.add(part.without(younger));
        }
        return new PublishedRuns(all);
    }

    /**
     * Returns the runs that {@code state} names. The caller holds what is returned.
     *
     * @param added those that are not among these: their rows replace nothing that is not replaced
     *     already
     */
    public PublishedRuns after(ManifestState state, List<RunPart> added) {
        Map<Long, RunPart> known = new HashMap<>();
        parts.forEach(part -> known.put(part.entry().number(), part));
        added.forEach(part -> known.put(part.entry().number(), part));
        var all = new ArrayList<RunPart>();
        for (RunEntry entry : state.runs().reversed()) {
            all.add(Objects.requireNonNull(known.get(entry.number())).within(entry));
        }
        return new PublishedRuns(all);
    }

    /** Returns the runs as far as they count, young to old. */
    public List<RunPart> parts() {
        return parts;
    }

    /** Returns how many rows are not dead. */
    long liveRowCount() {
        return parts.stream().mapToLong(RunPart::liveRowCount).sum();
    }

    /** Returns why parts of runs could not be read when they were opened. */
    public List<Damage> lost() {
        return parts.stream().flatMap(part -> part.run().lost().reasons().stream()).toList();
    }

    /** Holds this once more, and returns whether it was not let go of already. */
    public boolean tryHold() {
        return holders.tryHold();
    }

    /** Lets this go; its runs are let go when nobody holds it. */
    public void release() {
        if (holders.release()) {
            parts.forEach(part -> part.run().release());
        }
    }
}
