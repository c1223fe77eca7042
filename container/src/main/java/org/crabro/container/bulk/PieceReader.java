package org.crabro.container.bulk;

import java.io.IOException;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingDeque;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.document.json.ByteWords;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/**
 * Divides a body into pieces at line ends. If no more bytes have arrived, the lines so far are a
 * piece, so that a client that waits for answers gets them. For one thread.
 */
final class PieceReader {
    private final BodySource body;
    private final BulkAdmission admission;
    private final BulkSettings settings;

    /**
     * Free arrays, the last used one first, because it is in the caches of the processor. A new
     * array, which the JVM fills with zeros, is allocated only if none is free.
     */
    private final Deque<byte[]> unused;

    /** Its first bytes were read and are not part of a piece. */
    private byte[] bytes;

    private int length;
    private boolean isAtEnd;

    /** Bytes that are reserved for the line that is being read. */
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
     * Returns the next piece, empty at the end of the body. The caller releases its reserved bytes.
     */
    Optional<Piece> next() throws IOException {
        try {
            return nextPiece();
        } finally {
            // Reserved bytes of a piece belong to it; the rest belongs to a line that is not read.
            admission.release(reserved);
            reserved = 0;
        }
    }

    private Optional<Piece> nextPiece() throws IOException {
        int end = behindLast(bytes, 0, length);
        // Reads only the rest of a long line, so that the next lines fit a piece again.
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

    /** Reads bytes. An error of the body is reported after all lines before it. */
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

    /** Reserves bytes for a line; returns why it is rejected if that fails. */
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

    /** Removes the first bytes of those that were read. */
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

    /** Takes back the bytes of a piece that is no longer used. Safe for use by many threads. */
    void reuse(Piece piece) {
        byte[] array = piece.text().bytes();
        if (array.length == settings.input().pieceBytes()) {
            // If enough arrays are free, this one is dropped.
            unused.offerFirst(array);
        }
    }

    private byte[] array() {
        byte[] used = unused.pollFirst();
        return used == null ? new byte[settings.input().pieceBytes()] : used;
    }

    /** Skips the rest of a rejected line. */
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

    /** Returns the index after the last line end from {@code from} on, 0 if there is none. */
    private static int behindLast(byte[] bytes, int from, int to) {
        return ByteWords.lastLineEnd(bytes, from, to) + 1;
    }

    /** Returns the index after the first line end, 0 if there is none. */
    private static int behindFirst(byte[] bytes, int to) {
        int end = to < 0 ? to : ByteWords.lineEnd(bytes, 0, to);
        return end < to ? end + 1 : 0;
    }
}
