package org.crabro.protocol.transport;

import java.util.Arrays;
import org.crabro.protocol.encoding.MessageEncoding;
import org.crabro.protocol.encoding.WireFormatException;

/**
 * Assembles one message from its chunks. The first chunk contains the header of the message, which
 * has its length. Not safe for use by several threads at once.
 *
 * {@snippet :
 * var assembly = new MessageAssembly();
 * for (byte[] chunk : chunks) {
 *     assembly.add(chunk);
 * }
 * byte[] message = assembly.message();
 * }
 */
public final class MessageAssembly {
    private byte[] message = new byte[0];
    private int size;
    private boolean isBegun;

    /**
     * Adds the next chunk, which must not be changed afterwards.
     *
     * @throws WireFormatException if the chunk is not part of a message, such as one above {@link
     *     CallLimits#MESSAGE_MAX}
     */
    public void add(byte[] chunk) {
        if (!isBegun) {
            isBegun = true;
            int length = MessageEncoding.length(chunk);
            size = chunk.length;
            message = chunk.length == length ? chunk : Arrays.copyOf(chunk, length);
            return;
        }
        if (chunk.length > message.length - size) {
            throw new WireFormatException(
                    size,
                    "the %d bytes that are missing".formatted(message.length - size),
                    chunk.length + " bytes");
        }
        System.arraycopy(chunk, 0, message, size, chunk.length);
        size += chunk.length;
    }

    /** Returns the length of the message; 0 before the first chunk. */
    public int length() {
        return message.length;
    }

    /**
     * Returns the message.
     *
     * @throws WireFormatException if chunks are missing
     */
    public byte[] message() {
        if (!isBegun || size < message.length) {
            throw new WireFormatException(
                    size, "a message of %d bytes".formatted(message.length), "its end");
        }
        return message;
    }
}
