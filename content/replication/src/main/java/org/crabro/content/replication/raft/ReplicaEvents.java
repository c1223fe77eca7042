package org.crabro.content.replication.raft;

/** What the process has to react to. Called by threads of Ratis: must not wait. */
public interface ReplicaEvents {
    /**
     * The log of a shard could not be written, or its server ended by itself. The process should
     * end, so that another replica leads, and a restart reads what is durable.
     */
    void failed(ShardGroup group, String reason);

    /**
     * The other replicas do not have entries any more that this one needs: it must be installed
     * anew from one of them. Repeated until that is done.
     */
    void behind(ShardGroup group);

    /** The other replicas do not count this one as one of theirs any more. */
    void removed(ShardGroup group);
}
