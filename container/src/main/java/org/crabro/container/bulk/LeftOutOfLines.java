package org.crabro.container.bulk;

import org.crabro.container.document.InvalidRequestException;
import org.crabro.document.json.LeftOutCells;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Counts the cells that the lines of a piece leave out, line by line, with the bytes that they take
 * in memory: as many as a piece has bytes are free, for more room is taken. For one thread.
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

    /** Begins with another line. */
    void begin() {
        ofLine = 0;
    }

    /** Says that the line is refused: nothing of it is kept, and others may have its room. */
    void forget() {
        ofPiece -= ofLine;
        ofLine = 0;
    }

    /**
     * @throws InvalidRequestException if the line is too large with them, or there is no room
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

    /** Returns what of the room was taken. */
    long taken() {
        return taken;
    }
}
