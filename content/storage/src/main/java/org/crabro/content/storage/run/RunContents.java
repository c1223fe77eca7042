package org.crabro.content.storage.run;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.dead.GroupTombstones;
import org.crabro.content.storage.dead.RemovedRows;
import org.crabro.content.storage.dead.SupersededRows;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.manifest.RunEntry;

/**
 * The metadata of a run, read when it is opened. Each part has its own checksum. An unreadable part
 * is empty here, and the others are used without it.
 */
final class RunContents {
    private static final DeadRows[] NO_ROWS = new DeadRows[0];

    private final RunBytes bytes;
    private final RunEntry entry;
    private Optional<RunReader> reader = Optional.empty();
    private List<RunSection> sections = List.of();
    private DeadRows[] tombstones = NO_ROWS;
    private long tombstoneCount;
    private SupersededRows superseded = SupersededRows.NONE;
    private RemovedRows removed = RemovedRows.NONE;
    private GroupTombstones groupTombstones = GroupTombstones.NONE;
    private long firstRemoval = Long.MAX_VALUE;
    private LostParts lost = LostParts.NONE;

    private RunContents(RunBytes bytes, RunEntry entry) {
        this.bytes = bytes;
        this.entry = entry;
    }

    /**
     * Reads all parts.
     *
     * @param entry the run's entry in the manifest
     * @param arena allocates the data that stays in memory
     * @throws CorruptRunException if the file {@linkplain CorruptRunException#isOfWholeFile is
     *     intact}, and this program cannot read it
     */
    static RunContents read(RunBytes bytes, RunEntry entry, StoredTypes types, Arena arena) {
        var contents = new RunContents(bytes, entry);
        Optional<Damage> reason =
                contents.tryTo(
                        () -> new RunReader(bytes, entry.number()),
                        reader -> contents.read(reader, types, arena));
        reason.ifPresent(contents::loseAll);
        return contents;
    }

    private void read(RunReader of, StoredTypes types, Arena arena) {
        if (bytes.bytes().byteSize() != entry.byteCount() || of.rowCount() != entry.rowCount()) {
            throw new CorruptRunException(
                    bytes.file(),
                    0,
                    "%d rows in %d bytes, as in the manifest"
                            .formatted(entry.rowCount(), entry.byteCount()),
                    "%d rows in %d bytes".formatted(of.rowCount(), bytes.bytes().byteSize()));
        }
        reader = Optional.of(of);
        firstRemoval = of.firstRemoval();
        Optional<Damage> noRows =
                tryTo(() -> of.sections(types, arena), value -> sections = value)
                        .or(() -> tryTo(of::tombstones, this::setTombstones));
        Optional<Damage> notReplaced =
                tryTo(of::superseded, value -> superseded = value)
                        .or(() -> tryTo(of::removed, value -> removed = value));
        Optional<Damage> noGroups =
                tryTo(() -> of.groupTombstones().copy(arena), value -> groupTombstones = value);
        lost = new LostParts(noRows, notReplaced, noGroups);
        if (noRows.isPresent()) {
            sections = List.of();
        }
        if (noRows.isEmpty() && noGroups.isEmpty()) {
            checkFirstPlace();
        }
    }

    private void setTombstones(long[] addresses) {
        tombstones = byBlock(addresses);
        tombstoneCount = addresses.length;
    }

    /**
     * Returns an empty array if there is no address, so that a run without tombstones needs no
     * memory per block.
     */
    private DeadRows[] byBlock(long[] addresses) {
        if (addresses.length == 0) {
            return NO_ROWS;
        }
        var dead = new DeadRows[blockCount()];
        int from = 0;
        for (int block = 0; block < dead.length; block++) {
            int to = from;
            while (to < addresses.length && RunLayout.block(addresses[to]) == block) {
                to++;
            }
            dead[block] = DeadRows.of(addresses, from, to);
            from = to;
        }
        return dead;
    }

    /** A run of another partition may have the same number, length and row count. */
    private void checkFirstPlace() {
        long first = groupTombstones.isEmpty() ? RunEntry.LAST : groupTombstones.place(0);
        for (RunSection section : sections) {
            long place = section.firstPlace(0);
            first = Long.compareUnsigned(place, first) < 0 ? place : first;
        }
        long expected = entry.stored().first();
        if (first != expected) {
            throw new CorruptRunException(
                    bytes.file(),
                    0,
                    "rows from place %016x, as in the manifest".formatted(expected),
                    "rows from %016x".formatted(first));
        }
    }

    private void loseAll(Damage reason) {
        reader = Optional.empty();
        sections = List.of();
        tombstones = NO_ROWS;
        tombstoneCount = 0;
        superseded = SupersededRows.NONE;
        removed = RemovedRows.NONE;
        groupTombstones = GroupTombstones.NONE;
        firstRemoval = Long.MAX_VALUE;
        lost = LostParts.all(reason);
    }

    /** Reads a part; returns the reason if it could not be read. */
    private <T> Optional<Damage> tryTo(Supplier<T> read, Consumer<T> use) {
        try {
            use.accept(read.get());
            return Optional.empty();
        } catch (CorruptRunException e) {
            if (e.isOfWholeFile()) {
                throw e;
            }
            return Optional.of(e.damage());
        } catch (InternalError e) {
            return Optional.of(RunFile.unreadable(bytes.file(), e).damage());
        }
    }

    /** Returns the reader of the parts that are read later; empty if the footer is damaged. */
    Optional<RunReader> reader() {
        return reader;
    }

    /** Returns the sections of the run, one per type. */
    List<RunSection> sections() {
        return sections;
    }

    int blockCount() {
        return sections.stream().mapToInt(RunSection::blockCount).sum();
    }

    /** Returns the tombstones of each block, or an empty array; not to be modified. */
    DeadRows[] tombstones() {
        return tombstones;
    }

    long tombstoneCount() {
        return tombstoneCount;
    }

    SupersededRows superseded() {
        return superseded;
    }

    RemovedRows removed() {
        return removed;
    }

    GroupTombstones groupTombstones() {
        return groupTombstones;
    }

    long firstRemoval() {
        return firstRemoval;
    }

    /** Returns the parts that could not be read. */
    LostParts lost() {
        return lost;
    }
}
