package org.crabro.content.node;

/**
 * Counts the running requests, so that closing can wait for them, and all requests, so that other
 * work can wait until there are no new ones.
 */
final class RequestCount {
    private int count;
    private long begun;
    private boolean isClosing;

    /** Counts a new request, unless this is closing; returns whether it may run. */
    synchronized boolean tryBegin() {
        if (!isClosing) {
            count++;
            begun++;
        }
        return !isClosing;
    }

    /** Returns the number of requests that began to run since the start. */
    synchronized long begun() {
        return begun;
    }

    /** Returns whether running requests should end early. */
    synchronized boolean isClosing() {
        return isClosing;
    }

    synchronized void end() {
        count--;
        notifyAll();
    }

    /**
     * Refuses new requests, and waits for running ones; returns whether this was the first call.
     */
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
