package org.crabro.content.storage.integrity;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.function.Consumer;
import org.crabro.content.storage.block.BlockContents;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.run.RunFile;
import org.crabro.content.storage.run.RunSection;

/**
 * Iterates over all blocks of a run, and optionally verifies it: every checksum of the bytes on the
 * device, the order of keys, the first key of each block in the index, and the row counts. Errors
 * are reported, and the check continues. For one thread.
 */
final class RunCheck {
    /** Limits the rate of the reads. */
    @FunctionalInterface
    interface Pace {
        /** No limit. */
        Pace UNBOUNDED = _ -> true;

        /** Waits if necessary after {@code bytes} were read; returns whether to continue. */
        boolean next(long bytes);
    }

    /** Receives the blocks with an intact header. */
    @FunctionalInterface
    interface Blocks {
        /**
         * Receives a block.
         *
         * @param index of the block in its section
         * @param contents valid until this returns
         */
        void block(RunSection section, int index, BlockContents contents);
    }

    private final RunFile run;
    private final boolean verifies;
    private final Consumer<Damage> damage;
    private final Pace pace;
    private final Blocks blocks;

    private long paced;
    private Optional<KeyColumn> before = Optional.empty();

    /**
     * @param verifies whether all bytes are checked; otherwise only headers of blocks are read
     */
    RunCheck(RunFile run, boolean verifies, Consumer<Damage> damage, Pace pace, Blocks blocks) {
        this.run = run;
        this.verifies = verifies;
        this.damage = damage;
        this.pace = pace;
        this.blocks = blocks;
    }

    /** Returns whether the check was completed. */
    boolean run() {
        try {
            return check();
        } catch (CorruptRunException e) {
            damage.accept(e.damage());
        } catch (InternalError e) {
            damage.accept(RunFile.unreadable(run.path(), e).damage());
        }
        return true;
    }

    private boolean check() {
        long at = 0;
        long rows = 0;
        for (RunSection section : run.sections()) {
            before = Optional.empty();
            for (int i = 0; i < section.blockCount(); i++) {
                long offset = section.offset(i);
                int length = section.byteCount(i);
                if (offset < at || length < 0 || offset > run.byteCount() - length) {
                    throw new CorruptRunException(
                            run.path(),
                            at,
                            "block %d of type '%s' at or after this byte, inside the file"
                                    .formatted(i, section.type().name()),
                            "%d bytes at %d".formatted(length, offset));
                }
                if (!checkAround(at, offset)) {
                    return false;
                }
                check(section, i);
                if (!mayGoOn()) {
                    return false;
                }
                rows += section.rowCount(i);
                at = offset + length;
            }
        }
        if (rows != run.reader().rowCount()) {
            damage.accept(
                    new Damage(
                            run.path(),
                            run.byteCount() - RunLayout.FOOTER_SIZE,
                            rows + " rows, as all blocks together",
                            run.reader().rowCount() + " rows"));
        }
        if (verifies) {
            run.reader().filter(new ReadContext());
        }
        return checkAround(at, run.byteCount());
    }

    private boolean mayGoOn() {
        long read = run.bytesRead();
        boolean goesOn = pace.next(read - paced);
        paced = read;
        return goesOn;
    }

    /**
     * Compares the bytes between blocks with the bytes that were checked when the file was mapped.
     */
    private boolean checkAround(long from, long to) {
        for (long at = from; verifies && at < to; ) {
            int length = (int) Math.min(to - at, 1 << 20);
            MemorySegment onDevice = run.onDevice(at, length);
            long different = onDevice.mismatch(run.mapped(at, length));
            if (different >= 0) {
                damage.accept(
                        new Damage(
                                run.path(),
                                at + different,
                                "%02x, as in the page cache"
                                        .formatted(
                                                run.mapped(at + different, 1)
                                                        .get(ValueLayout.JAVA_BYTE, 0)),
                                "%02x".formatted(onDevice.get(ValueLayout.JAVA_BYTE, different))));
                return true;
            }
            at += length;
            if (!mayGoOn()) {
                return false;
            }
        }
        return true;
    }

    private void check(RunSection section, int index) {
        long offset = section.offset(index);
        int length = section.byteCount(index);
        try {
            BlockContents contents =
                    BlockContents.of(
                            verifies ? run.onDevice(offset, length) : run.mapped(offset, length),
                            section.type(),
                            section.fingerprint(),
                            section.rowCount(index),
                            run.path(),
                            offset);
            if (verifies) {
                boolean isWhole = contents.check(damage);
                if (isWhole) {
                    checkOrder(section, index, contents);
                } else {
                    before = Optional.empty();
                }
            }
            blocks.block(section, index, contents);
        } catch (CorruptRunException e) {
            damage.accept(e.damage());
            before = Optional.empty();
        }
    }

    private void checkOrder(RunSection section, int index, BlockContents contents) {
        KeyColumn keys = contents.keys();
        if (keys.compare(0, section.firstKeys(), index) != 0) {
            tellKeys(contents, "the first key of the block in the index", "another key");
        }
        if (before.isPresent() && before.get().compare(before.get().rows() - 1, keys, 0) >= 0) {
            tellKeys(
                    contents,
                    "keys after those of the previous block",
                    "a key that is not after them");
        }
        for (int row = 1; row < keys.rows(); row++) {
            if (keys.compare(row - 1, keys, row) >= 0) {
                tellKeys(
                        contents,
                        "ascending keys",
                        "row %d not after the previous row".formatted(row));
                break;
            }
        }
        GroupColumn groups = keys.groups();
        if (section.hasSeveralGroups(index) != groups.count() > 1) {
            tellKeys(contents, "as many groups as in the index", groups.count() + " groups");
        }
        boolean goesOn = before.isPresent() && isOfLastGroup(before.get().groups(), groups);
        if (before.isPresent() && section.goesOn(index) != goesOn) {
            tellKeys(
                    contents,
                    "a first group as in the index",
                    "continues the last group of the previous block: " + goesOn);
        }
        before = Optional.of(keys.copy());
    }

    private static boolean isOfLastGroup(GroupColumn before, GroupColumn groups) {
        return before.compare(before.count() - 1, groups, 0) == 0;
    }

    private void tellKeys(BlockContents contents, String expected, String actual) {
        damage.accept(new Damage(run.path(), contents.offset(), expected, actual));
    }
}
