package org.crabro.client.feed;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;

/**
 * The bytes of an operation in a spool, without its id. Little-endian.
 *
 * <pre>
 *   0       1        2           6            10
 *   +-------+--------+-----------+------------+-----------+------+
 *   | kind  | create | length of | length of  | condition | body |
 *   |       |        | condition | body       |           |      |
 *   +-------+--------+-----------+------------+-----------+------+
 * </pre>
 *
 * <p>Kinds are the letters P, U and R. A length of -1 stands for a part that is not there.
 */
final class SpooledOperation {
    private static final int PARTS = 10;
    private static final int ABSENT = -1;

    private SpooledOperation() {}

    static byte[] encode(FeedOperation operation) {
        byte[] condition = bytes(operation.condition());
        byte[] body = bytes(operation.body());
        return ByteBuffer.allocate(PARTS + condition.length + body.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) kind(operation.method()))
                .put((byte) (operation.creates() ? 1 : 0))
                .putInt(operation.condition().isPresent() ? condition.length : ABSENT)
                .putInt(operation.body().isPresent() ? body.length : ABSENT)
                .put(condition)
                .put(body)
                .array();
    }

    private static byte[] bytes(Optional<String> text) {
        return text.orElse("").getBytes(StandardCharsets.UTF_8);
    }

    private static char kind(String method) {
        return switch (method) {
            case "POST" -> 'P';
            case "PUT" -> 'U';
            case "DELETE" -> 'R';
            default -> throw new IllegalArgumentException("an operation with " + method);
        };
    }

    /**
     * Returns the operation.
     *
     * @param id of its document
     * @throws IOException if the bytes are none
     */
    static FeedOperation decode(String id, byte[] content) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        try {
            String method =
                    switch (from.get()) {
                        case 'P' -> "POST";
                        case 'U' -> "PUT";
                        case 'R' -> "DELETE";
                        default -> throw wrong(id, "its kind is unknown");
                    };
            byte creates = from.get();
            if (creates != 0 && creates != 1) {
                throw wrong(id, "it has unknown flags");
            }
            int conditionLength = from.getInt();
            int bodyLength = from.getInt();
            Optional<String> condition = text(from, conditionLength);
            Optional<String> body = text(from, bodyLength);
            if (from.hasRemaining()) {
                throw wrong(id, "bytes follow it");
            }
            return new FeedOperation(method, DocumentId.parse(id), condition, creates == 1, body);
        } catch (BufferUnderflowException | InvalidDocumentException e) {
            throw new IOException(
                    "an operation in the spool, on '%s', is broken: %s".formatted(id, e), e);
        }
    }

    private static Optional<String> text(ByteBuffer from, int length) {
        if (length == ABSENT) {
            return Optional.empty();
        }
        if (length < 0 || length > from.remaining()) {
            throw new BufferUnderflowException();
        }
        var bytes = new byte[length];
        from.get(bytes);
        return Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }

    private static IOException wrong(String id, String problem) {
        return new IOException(
                "an operation in the spool, on '%s', is broken: %s".formatted(id, problem));
    }
}
