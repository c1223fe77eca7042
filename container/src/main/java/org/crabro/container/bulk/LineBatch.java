package org.crabro.container.bulk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.crabro.document.DocumentId;
import org.crabro.document.memory.MemoryShare;
import org.crabro.protocol.feed.Write;

/**
 * Lines that are carried out together. Lines of one document keep their order: all of them are
 * writes, or operations that depend on the stored document, or reads. Other lines have no order.
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
    private final List<MemoryShare> memory = new ArrayList<>();

    LineBatch(BulkSettings settings) {
        this.settings = settings;
    }

    List<BulkLine> lines() {
        return lines;
    }

    /** Returns the number of a line in the body, from 1, by its index in {@link #lines}. */
    long number(int index) {
        return numbers[index];
    }

    boolean isEmpty() {
        return lines.isEmpty() && heldOfWindow == 0;
    }

    /** Returns whether a line may join the batch. */
    boolean accepts(BulkLine line) {
        if (lines.size() >= settings.batches().batchWrites()) {
            return false;
        }
        return switch (line) {
            case BulkLine.Unconditional(_, Write.Row row, _, _) -> {
                int hash = row.idHash();
                yield (bytes == 0 || bytes + row.bytes().length <= settings.batches().batchBytes())
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
     * Adds a line.
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
            case BulkLine.Unconditional(_, Write.Row row, _, _) -> {
                bytes += row.bytes().length;
                written.add(row.idHash());
            }
            case BulkLine.ByItself each -> dependent.add(each.id().hashCode());
            case BulkLine.Get(_, DocumentId id, _) -> {
                reads++;
                read.add(id.hashCode());
            }
            case BulkLine.Refused _ -> {
                // It needs no operation.
            }
        }
    }

    /**
     * Adds all lines of a piece if that is possible without a check of each line. Returns whether
     * it did.
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

    /**
     * Marks that the answers of this batch complete a piece.
     *
     * @param ofPiece the memory of its values
     */
    void ends(int ofWindow, long reservedByPiece, MemoryShare ofPiece) {
        heldOfWindow += ofWindow;
        reserved += reservedByPiece;
        memory.add(ofPiece);
    }

    /** Releases the memory of the values, when the batch is answered. */
    void release() {
        memory.forEach(MemoryShare::close);
    }

    /** Returns the bytes of the window that this batch frees when it is answered. */
    int heldOfWindow() {
        return heldOfWindow;
    }

    /** Returns the bytes of long lines that this batch frees when it is answered. */
    long reserved() {
        return reserved;
    }

    /**
     * Returns whether this batch must wait for an earlier one, because both contain the same
     * document.
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
