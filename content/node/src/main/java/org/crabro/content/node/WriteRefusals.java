package org.crabro.content.node;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.crabro.protocol.feed.WriteReply;

/** Counts writes that a node refused, by reason. */
public final class WriteRefusals {
    /** The reason for the refusal of a write. */
    public enum Reason {
        /** Disk, memory or a group is above its limit. */
        SPACE,
        /** A queue or the memory for recent documents is full. */
        OVERLOAD,
        /** The journal failed, or the node is closing. */
        FAILURE,
        /** The operation itself is wrong, such as a document above the size limit. */
        REJECTED
    }

    private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

    WriteRefusals() {
        for (Reason reason : Reason.values()) {
            counts.put(reason, new LongAdder());
        }
    }

    /** Counts {@code reply} if it is a refusal, and returns it. */
    WriteReply counted(WriteReply reply) {
        switch (reply) {
            case WriteReply.OutOfSpace _ -> add(Reason.SPACE);
            case WriteReply.Overloaded _ -> add(Reason.OVERLOAD);
            case WriteReply.Failed _ -> add(Reason.FAILURE);
            case WriteReply.Rejected _, WriteReply.TooLarge _ -> add(Reason.REJECTED);
            default -> {
                // Nothing was refused, or another node owns the partition.
            }
        }
        return reply;
    }

    private void add(Reason reason) {
        LongAdder count = counts.get(reason);
        if (count != null) {
            count.increment();
        }
    }

    /** Returns how many writes were refused for {@code reason} since the start. */
    public long count(Reason reason) {
        LongAdder count = counts.get(reason);
        return count == null ? 0 : count.sum();
    }
}
