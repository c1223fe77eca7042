package org.crabro.content.replication.raft.patch;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.server.RaftServer;

/**
 * Appends an entry on the thread of the caller. The server of Ratis 3.3.0 hands each request to a
 * pool of threads, where entries lose their order. The replica itself also accepts requests, and
 * appends before it returns.
 */
public final class DirectAppend {
    private DirectAppend() {}

    /**
     * Hands a request to a replica. The reply comes when the entry was applied.
     *
     * @throws IOException if the replica does not accept it
     */
    public static CompletableFuture<RaftClientReply> submit(
            RaftServer.Division division, RaftClientRequest request) throws IOException {
        return ((RaftClientAsynchronousProtocol) division).submitClientRequestAsync(request);
    }
}
