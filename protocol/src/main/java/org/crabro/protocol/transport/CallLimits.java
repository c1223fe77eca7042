package org.crabro.protocol.transport;

import java.time.Duration;
import org.crabro.protocol.encoding.MessageEncoding;

/**
 * The limits of one end of the connection. At each limit, the end answers that it is overloaded.
 *
 * @param requests the number of requests in progress
 * @param messageBytes the total length of the encoded messages that are received or wait to be sent
 */
public record CallLimits(int requests, long messageBytes) {
    /** Messages are sent in chunks of at most this many bytes. */
    public static final int CHUNK_BYTES = 1 << 20;

    /**
     * The maximum number of bytes of a message. The sender rejects a longer one, and the receiver
     * too.
     */
    public static final int MESSAGE_MAX = MessageEncoding.LENGTH_MAX;

    /**
     * The time after a deadline in which a reply can arrive, such as the hits that a search has
     * found until its deadline.
     */
    public static final Duration REPLY_TIME = Duration.ofMillis(200);

    private static final int REQUESTS = 4_096;
    private static final int HEAP_SHARE = 4;

    public CallLimits {
        if (requests < 1 || messageBytes < 1) {
            throw new IllegalArgumentException(
                    "%d requests and %d bytes of messages; each must be at least 1"
                            .formatted(requests, messageBytes));
        }
    }

    /** Returns the defaults: a quarter of the heap for messages. */
    public static CallLimits ofHeap(long heapBytes) {
        return new CallLimits(REQUESTS, heapBytes / HEAP_SHARE);
    }
}
