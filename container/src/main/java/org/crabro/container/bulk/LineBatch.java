package org.crabro.container.bulk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.EncodedWrite;

/**
 * Lines that are carried out together, in any order but for those of one document: writes of it
 * keep theirs, and so do operations that depend on what is stored. So no document is in more than
 * one of these and of reads.
 */
final class LineBatch {
    private static final int NUMBERS_MIN = 256;

    private final BulkSettings settings;
    private final List<BulkLine> lines = new ArrayList<>();
    private long[] numbers = {};
    private final IdHashSet written = new IdHashSet();
    private final IdHashSet dependent = new IdHashSet();
    private final IdHashSet read = new IdHashSet();
    private long bytes;
    private int reads;
    private int heldOfWindow;
    private long reserved;

    LineBatch(BulkSettings settings) {
        this.settings = settings;
    }

    List<BulkLine> lines() {
        return lines;
    }

    /** Returns the number of a line in the body, from 1, by where it is in {@link #lines}. */
    long number(int index) {
        return numbers[index];
    }

    boolean isEmpty() {
        return lines.isEmpty() && heldOfWindow == 0;
    }

    /** Returns whether a line may go along. */
    boolean takes(BulkLine line) {
        if (lines.size() >= settings.batches().batchWrites()) {
            return false;
        }
        return switch (line) {
            case BulkLine.Write(_, EncodedWrite write, _, _) -> {
                int hash = write.idHash();
                yield (bytes == 0 || bytes + write.row().length <= settings.batches().batchBytes())
                        && !dependent.contains(hash)
                        && !read.contains(hash);
            }
            case BulkLine.ByItself each -> {
                int hash = each.id().hashCode();
                yield !written.contains(hash) && !read.contains(hash);
            }
            case BulkLine.Get(_, DocumentId id, _) -> {
                int hash = id.hashCode();
                yield reads < LineReads.AT_ONCE
                        && !written.contains(hash)
                        && !dependent.contains(hash);
            }
            case BulkLine.Refused _ -> true;
        };
    }

    /**
     * Takes a line along.
     *
     * @param number of the line in the body, from 1
     */
    void add(BulkLine line, long number) {
        if (lines.size() == numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(NUMBERS_MIN, 2 * numbers.length));
        }
        numbers[lines.size()] = number;
        lines.add(line);
        switch (line) {
            case BulkLine.Write(_, EncodedWrite write, _, _) -> {
                bytes += write.row().length;
                written.add(write.idHash());
            }
            case BulkLine.ByItself each -> dependent.add(each.id().hashCode());
            case BulkLine.Get(_, DocumentId id, _) -> {
                reads++;
                read.add(id.hashCode());
            }
            case BulkLine.Refused _ -> {
                // Nothing is done about it.
            }
        }
    }

    /**
     * Takes all lines of a piece along if that can be said without a look at each, and returns
     * whether it did.
     *
     * @param first number of its first line in the body
     */
    boolean addsAll(OperationLines.Read read, long first) {
        if (read.writes().isEmpty() || !dependent.isEmpty() || !this.read.isEmpty()) {
            return false;
        }
        OperationLines.Writes writes = read.writes().get();
        int size = lines.size() + writes.size();
        if (size > settings.batches().batchWrites()
                || bytes + writes.bytes() > settings.batches().batchBytes()) {
            return false;
        }
        if (size > numbers.length) {
            numbers = Arrays.copyOf(numbers, Math.max(size, 2 * numbers.length));
        }
        for (int i = 0; i < writes.size(); i++) {
            numbers[lines.size() + i] = first + i;
            written.add(writes.idHash(i));
        }
        lines.addAll(read.lines());
        bytes += writes.bytes();
        return true;
    }

    /** Says that with the answers of this batch a piece is answered. */
    void ends(int ofWindow, long reservedByPiece) {
        heldOfWindow += ofWindow;
        reserved += reservedByPiece;
    }

    /** Returns what of the window is free again when this is answered. */
    int heldOfWindow() {
        return heldOfWindow;
    }

    /** Returns what of the room for long lines is free again when this is answered. */
    long reserved() {
        return reserved;
    }

    /**
     * Returns whether this is to wait for one before: it would do something to the same document.
     */
    boolean follows(LineBatch before) {
        return written.meets(before.written)
                || written.meets(before.dependent)
                || written.meets(before.read)
                || dependent.meets(before.written)
                || dependent.meets(before.dependent)
                || dependent.meets(before.read)
                || read.meets(before.written)
                || read.meets(before.dependent);
    }
}
