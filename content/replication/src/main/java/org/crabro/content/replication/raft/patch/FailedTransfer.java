package org.crabro.content.replication.raft;

import java.lang.reflect.Field;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * A transfer of leadership that Ratis 3.3.0 has answered and not forgotten. If the first message to
 * the next leader fails at once, Ratis replies with an error, and refuses all entries from then on:
 * it acts as if the transfer were under way. Here such a transfer is forgotten.
 */
final class FailedTransfer {
    private static final String PACKAGE = "org.apache.ratis.server.impl.";
    private static final Field TRANSFERS = field("RaftServerImpl", "transferLeadership");
    private static final Field PENDING = field("TransferLeadership", "pending");
    private static final Field REPLY = field("TransferLeadership$PendingRequest", "replyFuture");

    private FailedTransfer() {}

    private static Field field(String ofClass, String name) {
        try {
            Field field = Class.forName(PACKAGE + ofClass).getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (ClassNotFoundException | NoSuchFieldException e) {
            throw new IllegalStateException("another release of Ratis", e);
        }
    }

    /** Forgets the transfer of a group if it has been answered. */
    static void forget(RaftServer.Division division) {
        try {
            @SuppressWarnings("unchecked")
            var pending = (AtomicReference<@Nullable Object>) PENDING.get(TRANSFERS.get(division));
            Object transfer = pending.get();
            // Other transfers are forgotten before they are answered.
            if (transfer != null && ((CompletableFuture<?>) REPLY.get(transfer)).isDone()) {
                pending.compareAndSet(transfer, null);
            }
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the fields are accessible", e);
        }
    }
}
