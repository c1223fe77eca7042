package org.crabro.container.dispatch;

import org.crabro.protocol.feed.WriteReply;

/** What is known of a write after it was sent to some nodes, one after the other. */
final class WriteOutcome {
    /** A node with a defect may have the same one again. */
    private static final int FAILURES_MAX = 3;

    private WriteReply reply;
    private boolean isOpen = true;
    private boolean mayBeWritten;
    private int failures;

    /**
     * @param unsent the reply if no node answers
     */
    WriteOutcome(WriteReply unsent) {
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
    WriteReply reply() {
        return reply;
    }

    /** Does not send the write any more. */
    void close() {
        isOpen = false;
    }

    /** Adds the reply of the node to which the write was sent last. */
    void add(WriteReply answer) {
        switch (answer) {
            case WriteReply.WrongOwner _ -> {
                // Another node leads.
            }
            case WriteReply.Unavailable _ -> {
                if (!mayBeWritten) {
                    reply = answer;
                }
            }
            case WriteReply.Stored _ -> finish(answer);
            case WriteReply.Overloaded _ -> {
                if (!mayBeWritten) {
                    finish(answer);
                }
            }
            case WriteReply.Refused _ -> {
                // The first attempt can still arrive at the node, and be carried out there.
                if (mayBeWritten) {
                    close();
                } else {
                    finish(answer);
                }
            }
            case WriteReply.OutcomeUnknown unknown -> {
                unknown(answer);
                isOpen = !unknown.isFinal();
            }
            case WriteReply.TimedOut() -> unknown(answer);
            case WriteReply.Failed _ -> {
                unknown(answer);
                failures++;
                isOpen = failures < FAILURES_MAX;
            }
        }
    }

    private void finish(WriteReply answer) {
        reply = answer;
        isOpen = false;
    }

    private void unknown(WriteReply answer) {
        reply = answer;
        mayBeWritten = true;
    }
}
