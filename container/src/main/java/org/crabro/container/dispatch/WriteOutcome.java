package org.crabro.container.dispatch;

import org.crabro.protocol.feed.FeedReply;

/** What is known of a write after it was sent to some nodes, one after the other. */
final class WriteOutcome {
    /** A node with a defect may have the same one again. */
    private static final int FAILURES_MAX = 3;

    private FeedReply reply;
    private boolean isOpen = true;
    private boolean mayBeWritten;
    private int failures;

    /**
     * @param unsent the reply if no node answers
     */
    WriteOutcome(FeedReply unsent) {
        this.reply = unsent;
    }

    /** Returns whether the write should be sent to another node. */
    boolean isOpen() {
        return isOpen;
    }

    /** Returns whether an earlier attempt may have written, or still may write. */
    boolean mayBeWritten() {
        return mayBeWritten;
    }

    /** Returns the reply to the client. */
    FeedReply reply() {
        return reply;
    }

    /** Does not send the write any more. */
    void close() {
        isOpen = false;
    }

    /** Adds the reply of the node to which the write was sent last. */
    void add(FeedReply answer) {
        switch (answer) {
            case FeedReply.WrongOwner _ -> {
                // Another node leads.
            }
            case FeedReply.Unavailable _ -> {
                if (!mayBeWritten) {
                    reply = answer;
                }
            }
            case FeedReply.Stored _ -> finish(answer);
            case FeedReply.Overloaded _ -> {
                if (!mayBeWritten) {
                    finish(answer);
                }
            }
            case FeedReply.Missing(),
                    FeedReply.ConditionNotMet _,
                    FeedReply.Rejected _,
                    FeedReply.TooLarge _,
                    FeedReply.OutOfSpace _ -> {
                // The first attempt can still arrive at the node, and be carried out there.
                if (mayBeWritten) {
                    close();
                } else {
                    finish(answer);
                }
            }
            case FeedReply.OutcomeUnknown unknown -> {
                unknown(answer);
                isOpen = !unknown.isFinal();
            }
            case FeedReply.TimedOut() -> unknown(answer);
            case FeedReply.Failed _ -> {
                unknown(answer);
                failures++;
                isOpen = failures < FAILURES_MAX;
            }
        }
    }

    private void finish(FeedReply answer) {
        reply = answer;
        isOpen = false;
    }

    private void unknown(FeedReply answer) {
        reply = answer;
        mayBeWritten = true;
    }
}
