package org.crabro.content.replication.raft;

import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;

/**
 * A replica, and where its server listens.
 *
 * @param peer identifies the data directory of the replica; see {@link PeerName}
 * @param host name or address
 */
public record ReplicaAddress(String peer, String host, int port) {
    RaftPeer toPeer() {
        return RaftPeer.newBuilder().setId(peer).setAddress(host + ":" + port).build();
    }

    RaftPeer toListener() {
        return RaftPeer.newBuilder(toPeer()).setStartupRole(RaftPeerRole.LISTENER).build();
    }

    static ReplicaAddress of(RaftPeer peer) {
        String address = peer.getAddress();
        int colon = address.lastIndexOf(':');
        return new ReplicaAddress(
                peer.getId().toString(),
                address.substring(0, colon),
                Integer.parseInt(address.substring(colon + 1)));
    }
}
