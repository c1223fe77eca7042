package org.crabro.content.run;

import static org.crabro.content.run.BlockLayout.INT;
import static org.crabro.content.run.BlockLayout.LONG;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Where the bytes of a manifest lie. Little-endian; every edit starts at a multiple of 8 bytes.
 *
 * <pre>
 *   header   0 magic: i64 | 8 version: u32 | 12 crc of all before: u32
 *
 *   edit     0        4        8        16      20      24        28     32        40
 *            +--------+--------+--------+-------+-------+---------+------+---------+-----------+
 *            | marker | length | number | crc   | added | removed | zero | covered | last      | …
 *            | EDIT   |        |        | 32c   | count | count   |      |         | timestamp |
 *            +--------+--------+--------+-------+-------+---------+------+---------+-----------+
 *            48 numbers of the runs removed: i64 each
 *            .. runs added: number, row count, byte count, first place, last place: i64 each
 * </pre>
 *
 * <p>{@code length} is the whole edit. {@code number} counts edits from 1: a bad edit with a good
 * one of a higher number behind it is corruption, without one the tail of a write that was cut off.
 * {@code crc} covers the edit besides itself.
 */
final class ManifestLayout {
    private ManifestLayout() {}

    /** {@code CRABMANI} as a little-endian number. */
    static final long MAGIC = 0x494e_414d_4241_5243L;

    static final int VERSION = 1;
    static final int VERSION_OFFSET = 8;
    static final int HEADER_CRC_OFFSET = 12;
    static final int HEADER_SIZE = 16;

    /** {@code EDIT} as a little-endian number. */
    static final int MARKER = 0x54494445;

    static final int EDIT_ALIGNMENT = 8;

    private static final int LENGTH_OFFSET = 4;
    private static final int NUMBER_OFFSET = 8;
    private static final int CRC_OFFSET = 16;
    private static final int ADDED_OFFSET = 20;
    private static final int REMOVED_OFFSET = 24;
    private static final int COVERED_OFFSET = 32;
    private static final int TIMESTAMP_OFFSET = 40;
    private static final int EDIT_SIZE = 48;
    private static final int REMOVED_SIZE = 8;
    private static final int ADDED_SIZE = 40;

    /** Returns the bytes that a manifest begins with. */
    static BlockBytes header() {
        var out = new BlockBytes(HEADER_SIZE);
        out.putLong(MAGIC);
        out.putInt(VERSION);
        out.putInt(out.crc(0, HEADER_CRC_OFFSET));
        return out;
    }

    /** Returns the bytes of edit {@code number}. */
    static BlockBytes encode(ManifestEdit edit, long number) {
        var out = new BlockBytes(EDIT_SIZE + edit.added().size() * ADDED_SIZE);
        out.putInt(MARKER);
        out.putInt(0);
        out.putLong(number);
        out.putInt(0);
        out.putInt(edit.added().size());
        out.putInt(edit.removed().size());
        out.putInt(0);
        out.putLong(edit.covered());
        out.putLong(edit.lastTimestamp());
        edit.removed().forEach(out::putLong);
        for (RunEntry run : edit.added()) {
            out.putLong(run.number());
            out.putLong(run.rowCount());
            out.putLong(run.byteCount());
            out.putLong(run.firstPlace());
            out.putLong(run.lastPlace());
        }
        out.setInt(LENGTH_OFFSET, out.position());
        out.setInt(CRC_OFFSET, crc(MemorySegment.ofBuffer(out.written())));
        return out;
    }

    /** Returns the bytes of the edit at {@code offset}, where there is a whole one. */
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
        return edit.get(INT, CRC_OFFSET) == crc(edit) ? Optional.of(edit) : Optional.empty();
    }

    /** Returns the number of an edit that {@link #edit} gave. */
    static long number(MemorySegment edit) {
        return edit.get(LONG, NUMBER_OFFSET);
    }

    /** Returns what an edit that {@link #edit} gave says. */
    static ManifestEdit decode(MemorySegment edit) {
        int removedCount = edit.get(INT, REMOVED_OFFSET);
        int addedCount = edit.get(INT, ADDED_OFFSET);
        long at = EDIT_SIZE;
        List<Long> removed = new ArrayList<>();
        for (int i = 0; i < removedCount; i++) {
            removed.add(edit.get(LONG, at));
            at += REMOVED_SIZE;
        }
        List<RunEntry> added = new ArrayList<>();
        for (int i = 0; i < addedCount; i++) {
            added.add(
                    new RunEntry(
                            edit.get(LONG, at),
                            edit.get(LONG, at + 8),
                            edit.get(LONG, at + 16),
                            edit.get(LONG, at + 24),
                            edit.get(LONG, at + 32)));
            at += ADDED_SIZE;
        }
        return new ManifestEdit(
                edit.get(LONG, COVERED_OFFSET), edit.get(LONG, TIMESTAMP_OFFSET), removed, added);
    }

    private static int crc(MemorySegment edit) {
        var crc = new CRC32C();
        crc.update(edit.asSlice(0, CRC_OFFSET).asByteBuffer());
        crc.update(edit.asSlice(ADDED_OFFSET).asByteBuffer());
        return (int) crc.getValue();
    }
}
