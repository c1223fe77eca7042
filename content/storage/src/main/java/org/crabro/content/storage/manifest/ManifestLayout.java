package org.crabro.content.storage.manifest;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.crabro.content.storage.layout.BlockBytes;

/**
 * The layout of a manifest. Little-endian; every edit starts at a multiple of 8 bytes.
 *
 * <pre>
 *   header   0 magic: i64 | 8 version: u32 | 12 crc of all before: u32
 *
 *   edit     0        4        8        16      20      24
 *            +--------+--------+--------+-------+-------+--------------------------------------
 *            | marker | length | number | crc   | kind  | counts: removed, bounded, added, …
 *            | EDIT   |        |        | 32c   | 0, 1  | merges: u32 each
 *            +--------+--------+--------+-------+-------+--------------------------------------
 *            40 covered | 48 last timestamp | 56 last run number: i64 each
 *            64 numbers of the runs removed: i64 each
 *            .. runs bounded: number, lower, upper: i64 each
 *            .. runs added: number, tier, row count, byte count, first place, last place, lower,
 *               upper, created: i64 each
 *            .. merges: oldest tier, youngest tier, next place: i64 each
 * </pre>
 *
 * <p>{@code length} is the size of the edit. {@code number} counts edits from 1. {@code crc} covers
 * all other bytes of the edit. Kind 1 marks an edit that contains the result of all edits up to its
 * number: a rewritten file starts with such an edit.
 */
public final class ManifestLayout {
    private ManifestLayout() {}

    /** {@code CRABMANI} as a little-endian number. */
    static final long MAGIC = 0x494e_414d_4241_5243L;

    static final int VERSION = 1;
    static final int VERSION_OFFSET = 8;
    public static final int HEADER_CRC_OFFSET = 12;
    public static final int HEADER_SIZE = 16;

    /** {@code EDIT} as a little-endian number. */
    static final int MARKER = 0x54494445;

    static final int EDIT_ALIGNMENT = 8;

    public static final int LENGTH_OFFSET = 4;
    private static final int NUMBER_OFFSET = 8;
    public static final int CRC_OFFSET = 16;
    private static final int KIND_OFFSET = 20;
    private static final int REMOVED_OFFSET = 24;
    private static final int BOUNDED_OFFSET = 28;
    private static final int ADDED_OFFSET = 32;
    private static final int MERGES_OFFSET = 36;
    private static final int COVERED_OFFSET = 40;
    private static final int TIMESTAMP_OFFSET = 48;
    private static final int LAST_NUMBER_OFFSET = 56;
    public static final int EDIT_SIZE = 64;
    private static final int REMOVED_SIZE = 8;
    private static final int BOUNDED_SIZE = 24;
    private static final int ADDED_SIZE = 72;
    private static final int MERGE_SIZE = 24;

    private static final int WHOLE_KIND = 1;

    /** Returns the header of a manifest. */
    static BlockBytes header() {
        var out = new BlockBytes(HEADER_SIZE);
        out.putLong(MAGIC);
        out.putInt(VERSION);
        out.putInt(out.crc(0, HEADER_CRC_OFFSET));
        return out;
    }

    /** Returns the bytes of edit {@code number}. */
    static BlockBytes encode(ManifestEdit edit, long number) {
        return encode(edit, number, 0);
    }

    /** Returns the bytes of an edit that contains all of {@code state}. */
    static BlockBytes encode(ManifestState state) {
        return encode(state.whole(), state.editCount(), WHOLE_KIND);
    }

    private static BlockBytes encode(ManifestEdit edit, long number, int kind) {
        var out = new BlockBytes(EDIT_SIZE + edit.runs().added().size() * ADDED_SIZE);
        out.putInt(MARKER);
        out.putInt(0);
        out.putLong(number);
        out.putInt(0);
        out.putInt(kind);
        out.putInt(edit.runs().removed().size());
        out.putInt(edit.runs().bounded().size());
        out.putInt(edit.runs().added().size());
        out.putInt(edit.merges().size());
        out.putLong(edit.covered());
        out.putLong(edit.lastTimestamp());
        out.putLong(edit.lastNumber());
        edit.runs().removed().forEach(out::putLong);
        for (RunBounds bounds : edit.runs().bounded()) {
            out.putLong(bounds.number());
            out.putLong(bounds.places().first());
            out.putLong(bounds.places().last());
        }
        for (RunEntry run : edit.runs().added()) {
            out.putLong(run.number());
            out.putLong(run.tier());
            out.putLong(run.rowCount());
            out.putLong(run.byteCount());
            out.putLong(run.stored().first());
            out.putLong(run.stored().last());
            out.putLong(run.bounds().first());
            out.putLong(run.bounds().last());
            out.putLong(run.created());
        }
        for (OpenMerge merge : edit.merges()) {
            out.putLong(merge.oldest());
            out.putLong(merge.youngest());
            out.putLong(merge.next());
        }
        out.setInt(LENGTH_OFFSET, out.position());
        out.setInt(CRC_OFFSET, crc(MemorySegment.ofBuffer(out.written())));
        return out;
    }

    /** Returns the bytes of the complete edit at {@code offset}; empty if there is none. */
    static Optional<MemorySegment> edit(MemorySegment manifest, long offset) {
        long left = manifest.byteSize() - offset;
        if (left < EDIT_SIZE || manifest.get(INT, offset) != MARKER) {
            return Optional.empty();
        }
        int length = manifest.get(INT, offset + LENGTH_OFFSET);
        if (length < EDIT_SIZE || length > left || length % EDIT_ALIGNMENT != 0) {
            return Optional.empty();
        }
        MemorySegment edit = manifest.asSlice(offset, length);
        boolean isWhole =
                edit.get(INT, CRC_OFFSET) == crc(edit) && hasCounts(edit) && sizeOf(edit) == length;
        return isWhole ? Optional.of(edit) : Optional.empty();
    }

    private static boolean hasCounts(MemorySegment edit) {
        return edit.get(INT, REMOVED_OFFSET) >= 0
                && edit.get(INT, BOUNDED_OFFSET) >= 0
                && edit.get(INT, ADDED_OFFSET) >= 0
                && edit.get(INT, MERGES_OFFSET) >= 0;
    }

    private static long sizeOf(MemorySegment edit) {
        return EDIT_SIZE
                + (long) edit.get(INT, REMOVED_OFFSET) * REMOVED_SIZE
                + (long) edit.get(INT, BOUNDED_OFFSET) * BOUNDED_SIZE
                + (long) edit.get(INT, ADDED_OFFSET) * ADDED_SIZE
                + (long) edit.get(INT, MERGES_OFFSET) * MERGE_SIZE;
    }

    /** Returns the number of an edit that {@link #edit} returned. */
    static long number(MemorySegment edit) {
        return edit.get(LONG, NUMBER_OFFSET);
    }

    /** Returns whether an edit that {@link #edit} returned contains the whole state. */
    static boolean isWhole(MemorySegment edit) {
        return edit.get(INT, KIND_OFFSET) == WHOLE_KIND;
    }

    /** Returns the content of an edit that {@link #edit} returned. */
    static ManifestEdit decode(MemorySegment edit) {
        long at = EDIT_SIZE;
        List<Long> removed = new ArrayList<>();
        for (int i = edit.get(INT, REMOVED_OFFSET); i > 0; i--) {
            removed.add(edit.get(LONG, at));
            at += REMOVED_SIZE;
        }
        List<RunBounds> bounded = new ArrayList<>();
        for (int i = edit.get(INT, BOUNDED_OFFSET); i > 0; i--) {
            bounded.add(new RunBounds(edit.get(LONG, at), places(edit, at + 8)));
            at += BOUNDED_SIZE;
        }
        List<RunEntry> added = new ArrayList<>();
        for (int i = edit.get(INT, ADDED_OFFSET); i > 0; i--) {
            added.add(entry(edit, at));
            at += ADDED_SIZE;
        }
        List<OpenMerge> merges = new ArrayList<>();
        for (int i = edit.get(INT, MERGES_OFFSET); i > 0; i--) {
            merges.add(
                    new OpenMerge(
                            edit.get(LONG, at), edit.get(LONG, at + 8), edit.get(LONG, at + 16)));
            at += MERGE_SIZE;
        }
        return new ManifestEdit(
                edit.get(LONG, COVERED_OFFSET),
                edit.get(LONG, TIMESTAMP_OFFSET),
                edit.get(LONG, LAST_NUMBER_OFFSET),
                new RunChanges(removed, bounded, added),
                merges);
    }

    private static RunEntry entry(MemorySegment edit, long at) {
        return new RunEntry(
                edit.get(LONG, at),
                edit.get(LONG, at + 8),
                new RunEntry.Size(edit.get(LONG, at + 16), edit.get(LONG, at + 24)),
                places(edit, at + 32),
                places(edit, at + 48),
                edit.get(LONG, at + 64));
    }

    private static PlaceRange places(MemorySegment edit, long at) {
        return new PlaceRange(edit.get(LONG, at), edit.get(LONG, at + 8));
    }

    public static int crc(MemorySegment edit) {
        var crc = new CRC32C();
        crc.update(edit.asSlice(0, CRC_OFFSET).asByteBuffer());
        crc.update(edit.asSlice(KIND_OFFSET).asByteBuffer());
        return (int) crc.getValue();
    }
}
