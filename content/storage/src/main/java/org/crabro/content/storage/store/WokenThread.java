package org.crabro.content.storage.store;

/** A thread that works whenever it is woken, until it is closed. It is never interrupted. */
final class WokenThread implements AutoCloseable {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Thread thread;

    // Guarded by this.
    private boolean isClosing;
    private boolean isWoken;

    /** Calls {@link #await}, and works until it returns false. */
    interface Work {
        void run() throws InterruptedException;
    }

    /**
     * @param name of the thread
     */
    WokenThread(String name, Work work) {
        thread =
                Thread.ofPlatform()
                        .name(name)
                        .unstarted(() -> {
                            try {
                                work.run();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(
                                        "this thread is never interrupted", e);
                            }
                        });
    }

    void start() {
        thread.start();
    }

    synchronized void wake() {
        isWoken = true;
        notifyAll();
    }

    /** Waits until it is woken or the time has passed; returns false when this is closed. */
    synchronized boolean await(long millis) throws InterruptedException {
        waitFor(millis, true);
        isWoken = false;
        return !isClosing;
    }

    /** Waits until the time has passed or this is closed. */
    synchronized void pause(long millis) throws InterruptedException {
        waitFor(millis, false);
    }

    private synchronized void waitFor(long millis, boolean untilWoken) throws InterruptedException {
        long end = System.nanoTime() + millis * NANOS_PER_MILLI;
        long left = millis;
        while (!isClosing && !(untilWoken && isWoken) && left > 0) {
            wait(left);
            left = (end - System.nanoTime()) / NANOS_PER_MILLI;
        }
    }

    synchronized boolean isClosing() {
        return isClosing;
    }

    /** Wakes the thread, and waits until it has ended. */
    @Override
    public void close() {
        synchronized (this) {
            isClosing = true;
            notifyAll();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(
                    "interrupted while '%s' was closed".formatted(thread.getName()), e);
        }
    }
}
