package org.crabro.container.bulk;

import org.crabro.container.document.InvalidRequestException;
import org.crabro.document.json.LeftOutCells;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Counts the tensor cells that the lines of a piece omit, with their bytes in memory. The first
 * ones, up to the size of a piece, are free; for more, memory of long lines is reserved. For one
 * thread.
 */
final class LeftOutOfLines implements LeftOutCells {
    private final LineRoom room;
    private final BulkSettings settings;
    private long ofLine;
    private long ofPiece;
    private long taken;

    LeftOutOfLines(LineRoom room, BulkSettings settings) {
        this.room = room;
        this.settings = settings;
    }

    /** Begins the next line. */
    void begin() {
        ofLine = 0;
    }

    /** Drops the count of a rejected line. */
    void forget() {
        ofPiece -= ofLine;
        ofLine = 0;
    }

    /**
     * @throws InvalidRequestException if the line is too large with them, or no memory is left
     */
    @Override
    public void count(int cells) {
        long bytes = (long) Double.BYTES * cells;
        if (ofLine + bytes > settings.input().maxLineBytes()) {
            throw new InvalidRequestException(
                    HttpStatus.PAYLOAD_TOO_LARGE_413,
                    "the line leaves out cells of tensors that take %d bytes or more, at most %d are"
                                    .formatted(ofLine + bytes, settings.input().maxLineBytes())
                            + " allowed");
        }
        long more = ofPiece + bytes - settings.input().pieceBytes() - taken;
        if (more > 0) {
            if (!room.tryTake(more)) {
                throw new InvalidRequestException(
                        HttpStatus.TOO_MANY_REQUESTS_429,
                        "overload: long lines and cells of tensors that lines leave out take all the"
                                + " memory there is for them");
            }
            taken += more;
        }
        ofLine += bytes;
        ofPiece += bytes;
    }

    /** Returns the reserved bytes. */
    long taken() {
        return taken;
    }
}
