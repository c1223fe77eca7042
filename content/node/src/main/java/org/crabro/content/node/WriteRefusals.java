package org.crabro.content.node;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.crabro.protocol.feed.FeedReply;

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
    FeedReply counted(FeedReply reply) {
        switch (reply) {
            case FeedReply.OutOfSpace _ -> add(Reason.SPACE);
            case FeedReply.Overloaded _ -> add(Reason.OVERLOAD);
            case FeedReply.Failed _ -> add(Reason.FAILURE);
            case FeedReply.Rejected _, FeedReply.TooLarge _ -> add(Reason.REJECTED);
            case FeedReply.Stored _,
                    FeedReply.Missing _,
                    FeedReply.ConditionNotMet _,
                    FeedReply.WrongOwner _,
                    FeedReply.TimedOut _,
                    FeedReply.Unavailable _,
                    FeedReply.OutcomeUnknown _ -> {}
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
