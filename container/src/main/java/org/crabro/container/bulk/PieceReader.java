package org.crabro.container.bulk;

import java.io.IOException;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingDeque;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.rows.ByteWords;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/**
 * Divides a body at line ends into pieces. What has come is given out when nothing more has, so
 * that a client who waits for answers before sending more gets them. For one thread.
 */
final class PieceReader {
    private final BodySource body;
    private final BulkAdmission admission;
    private final BulkSettings settings;

    /**
     * Arrays of pieces that were read, the last one first: that is in the processor's caches, and a
     * new one is filled with zeros before. One is made only where all are in use.
     */
    private final Deque<byte[]> unused;

    /** What was read and not given out is at its begin. */
    private byte[] bytes;

    private int length;
    private boolean isAtEnd;

    /** Of the room for long lines, what the line that is being read has taken. */
    private long reserved;

    private @Nullable InvalidRequestException problem;

    PieceReader(BodySource body, BulkAdmission admission) {
        this.body = body;
        this.admission = admission;
        this.settings = admission.settings();
        this.unused = new LinkedBlockingDeque<>(settings.input().window());
        this.bytes = new byte[settings.input().pieceBytes()];
    }

    /**
     * Returns the next piece, nothing at the end of the body. Its room for long lines is to be
     * released.
     */
    Optional<Piece> next() throws IOException {
        try {
            return nextPiece();
        } finally {
            // What a piece took along is its own; the rest is of a line that will not be read.
            admission.release(reserved);
            reserved = 0;
        }
    }

    private Optional<Piece> nextPiece() throws IOException {
        int end = behindLast(bytes, 0, length);
        // Of a long line no more is read than its rest: what follows fits a piece again.
        while (!isAtEnd && (end == 0 || reserved == 0) && length < bytes.length) {
            int most = Math.min(bytes.length - length, settings.input().pieceBytes());
            int count = read(most, end == 0);
            if (count < 0) {
                isAtEnd = true;
                break;
            }
            if (count == 0) {
                break;
            }
            end = Math.max(end, behindLast(bytes, length, length + count));
            length += count;
            if (length == bytes.length && end == 0) {
                long grown = Math.min(2L * length, settings.input().maxLineBytes());
                Optional<Piece.Refusal> refusal = refusal(grown);
                admission.release(reserved);
                reserved = 0;
                if (refusal.isPresent()) {
                    return Optional.of(skip(refusal.get()));
                }
                reserved = grown;
                bytes = Arrays.copyOf(bytes, (int) grown);
            }
        }
        if (isAtEnd) {
            end = length;
        }
        if (end == 0) {
            return Optional.empty();
        }
        long ofPiece = reserved;
        reserved = 0;
        return Optional.of(new Piece(text(end), ofPiece, Optional.empty()));
    }

    /** Reads on, and keeps what is wrong with the body until all lines before are given out. */
    private int read(int most, boolean waits) throws IOException {
        if (problem == null) {
            try {
                return body.read(bytes, length, most, waits);
            } catch (InvalidRequestException e) {
                problem = e;
            }
        }
        if (!waits) {
            return 0;
        }
        throw problem;
    }

    /** Returns why there is no room for a line of so many bytes, or takes the room. */
    private Optional<Piece.Refusal> refusal(long size) {
        if (size == length) {
            return Optional.of(
                    new Piece.Refusal(
                            HttpStatus.PAYLOAD_TOO_LARGE_413,
                            "the line has more than the %d bytes that are allowed"
                                    .formatted(settings.input().maxLineBytes())));
        }
        return admission.tryReserve(size)
                ? Optional.empty()
                : Optional.of(
                        new Piece.Refusal(
                                HttpStatus.TOO_MANY_REQUESTS_429,
                                "overload: long lines take all the memory there is for them"));
    }

    /** Takes the first bytes out of those that were read. */
    private Piece.Text text(int end) {
        byte[] taken = bytes;
        if (2 * end < bytes.length && bytes.length == settings.input().pieceBytes()) {
            taken = Arrays.copyOf(bytes, end);
            System.arraycopy(bytes, end, bytes, 0, length - end);
        } else {
            bytes = array();
            System.arraycopy(taken, end, bytes, 0, length - end);
        }
        length -= end;
        return new Piece.Text(taken, end);
    }

    /** Takes back the bytes of a piece that nobody looks at any more. By any thread. */
    void reuse(Piece piece) {
        byte[] array = piece.text().bytes();
        if (array.length == settings.input().pieceBytes()) {
            // Where there are enough this one is let go of.
            unused.offerFirst(array);
        }
    }

    private byte[] array() {
        byte[] used = unused.pollFirst();
        return used == null ? new byte[settings.input().pieceBytes()] : used;
    }

    /** Passes over the rest of a line that is refused. */
    private Piece skip(Piece.Refusal refusal) throws IOException {
        if (bytes.length > settings.input().pieceBytes()) {
            bytes = new byte[settings.input().pieceBytes()];
        }
        length = 0;
        while (!isAtEnd) {
            int count = body.read(bytes, 0, bytes.length, true);
            int end = behindFirst(bytes, count);
            if (count < 0) {
                isAtEnd = true;
            } else if (end > 0) {
                length = count - end;
                System.arraycopy(bytes, end, bytes, 0, length);
                break;
            }
        }
        return new Piece(new Piece.Text(new byte[0], 0), 0, Optional.of(refusal));
    }

    /** Returns the index behind the last line end from {@code from} on, 0 where there is none. */
    private static int behindLast(byte[] bytes, int from, int to) {
        return ByteWords.lastLineEnd(bytes, from, to) + 1;
    }

    /** Returns the index behind the first line end, 0 where there is none. */
    private static int behindFirst(byte[] bytes, int to) {
        int end = to < 0 ? to : ByteWords.lineEnd(bytes, 0, to);
        return end < to ? end + 1 : 0;
    }
}
