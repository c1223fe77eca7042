package org.crabro.content;

/** Counts the requests under way, so that closing can wait for them. */
final class RequestCount {
    private int count;
    private boolean isClosing;

    /** Counts a request in, unless there are to be no more; returns whether it may go on. */
    synchronized boolean tryBegin() {
        if (!isClosing) {
            count++;
        }
        return !isClosing;
    }

    /** Returns whether those under way should come to their end. */
    synchronized boolean isClosing() {
        return isClosing;
    }

    synchronized void end() {
        count--;
        notifyAll();
    }

    /** Lets no more requests begin, and waits for those under way; returns whether it was first. */
    synchronized boolean close() {
        boolean isFirst = !isClosing;
        isClosing = true;
        boolean wasInterrupted = false;
        while (count > 0) {
            try {
                wait();
            } catch (InterruptedException _) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
        return isFirst;
    }
}
