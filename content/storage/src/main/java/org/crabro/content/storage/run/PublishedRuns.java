package org.crabro.content.storage.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReferenceCount;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.manifest.ManifestState;
import org.crabro.content.storage.manifest.RunEntry;

/**
 * A snapshot of a partition's runs and of their dead rows. Immutable except for its reference
 * count; every run stays mapped while the snapshot is referenced.
 */
public final class PublishedRuns {
    private static final AtomicLong VERSIONS = new AtomicLong();

    // From newest to oldest.
    private final List<RunPart> parts;
    private final ReferenceCount holders = new ReferenceCount();

    private final long version = VERSIONS.incrementAndGet();

    private PublishedRuns(List<RunPart> parts) {
        this.parts = List.copyOf(parts);
        parts.forEach(part -> part.run().hold());
    }

    /** Returns a snapshot without runs, with one reference for the caller. */
    public static PublishedRuns none() {
        return new PublishedRuns(List.of());
    }

    /**
     * Returns these runs and one that is newer than all, with one reference for the caller.
     *
     * @throws CorruptRunException if it replaces rows that these runs cannot have
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
     * Returns the runs in {@code state}, with one reference for the caller.
     *
     * @param added the runs that are not among these: they replace only rows that are already
     *     replaced
     */
    public PublishedRuns after(ManifestState state, List<RunPart> added) {
        Map<Long, RunPart> previous = new HashMap<>();
        parts.forEach(part -> previous.put(part.entry().number(), part));
        added.forEach(part -> previous.put(part.entry().number(), part));
        var all = new ArrayList<RunPart>();
        for (RunEntry entry : state.runs().reversed()) {
            all.add(Objects.requireNonNull(previous.get(entry.number())).within(entry));
        }
        return new PublishedRuns(all);
    }

    /** Returns the valid parts of the runs, from newest to oldest. */
    public List<RunPart> parts() {
        return parts;
    }

    /** Returns a number that no other snapshot of this process has. */
    long version() {
        return version;
    }

    /** Returns the number of rows that are not dead. */
    long liveRowCount() {
        return parts.stream().mapToLong(RunPart::liveRowCount).sum();
    }

    /** Returns why parts of runs could not be read when they were opened. */
    public List<Damage> lost() {
        return parts.stream().flatMap(part -> part.run().lost().reasons().stream()).toList();
    }

    /** Increments the reference count; returns false if this was already released. */
    public boolean tryHold() {
        return holders.tryHold();
    }

    /** Decrements the reference count; the last release releases the runs. */
    public void release() {
        if (holders.release()) {
            parts.forEach(part -> part.run().release());
        }
    }
}
