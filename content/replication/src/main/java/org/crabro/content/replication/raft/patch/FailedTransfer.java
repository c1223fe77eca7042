package org.crabro.content.replication.raft.patch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * A transfer of leadership that Ratis 3.3.0 has answered and not forgotten. If the first message to
 * the next leader fails at once, Ratis replies with an error, and refuses all entries from then on:
 * it acts as if the transfer were under way. Here such a transfer is forgotten.
 */
public final class FailedTransfer {
    private static final String PACKAGE = "org.apache.ratis.server.impl.";
    private static final String TRANSFERS = PACKAGE + "TransferLeadership";

    /** Of a division. */
    private final PrivateField<Object> transfers;

    /** Of transfers; it refers to the request that is under way. */
    private final PrivateField<AtomicReference<@Nullable Object>> pending;

    /** Of a request. */
    private final PrivateField<CompletableFuture<?>> reply;

    private FailedTransfer(
            PrivateField<Object> transfers,
            PrivateField<AtomicReference<@Nullable Object>> pending,
            PrivateField<CompletableFuture<?>> reply) {
        this.transfers = transfers;
        this.pending = pending;
        this.reply = reply;
    }

    /**
     * Looks up the fields.
     *
     * @throws IllegalStateException if one is not there
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static FailedTransfer lookUp() {
        PrivateField<? extends AtomicReference> pending =
                PrivateField.of(TRANSFERS, "pending", AtomicReference.class);
        PrivateField<? extends CompletableFuture> reply =
                PrivateField.of(
                        TRANSFERS + "$PendingRequest", "replyFuture", CompletableFuture.class);
        return new FailedTransfer(
                PrivateField.of(PACKAGE + "RaftServerImpl", "transferLeadership", Object.class),
                (PrivateField<AtomicReference<@Nullable Object>>) pending,
                (PrivateField<CompletableFuture<?>>) reply);
    }

    /** Forgets the transfer of a group if it has been answered. */
    public void forget(RaftServer.Division division) {
        AtomicReference<@Nullable Object> request = pending.in(transfers.in(division));
        Object transfer = request.get();
        // Other transfers are forgotten before they are answered.
        if (transfer != null && reply.in(transfer).isDone()) {
            request.compareAndSet(transfer, null);
        }
    }
}
