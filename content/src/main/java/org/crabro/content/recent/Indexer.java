package org.crabro.content.recent;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.crabro.content.sidecar.IndexSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and builds the indexes of runs on one thread, whenever runs or their indexed fields change.
 */
public final class Indexer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Indexer.class);

    /** The interval at which failed builds are repeated. */
    private static final long RETRY_MILLIS = 60_000;

    private final DocumentStore store;
    private final IndexSettings settings;
    private final Thread thread;

    // Guarded by this.
    private boolean isClosing;
    private boolean isWoken = true;

    public Indexer(DocumentStore store, IndexSettings settings) {
        this.store = store;
        this.settings = settings;
        this.thread = Thread.ofPlatform().name("index").unstarted(this::run);
    }

    /** Starts the thread, if the settings want it. */
    public void start() {
        if (settings.isAutomatic()) {
            store.reportRuns(this::wake);
            thread.start();
        }
    }

    private synchronized void wake() {
        isWoken = true;
        notifyAll();
    }

    private void run() {
        try {
            while (await()) {
                try {
                    store.index(settings, this::isClosing);
                } catch (InterruptedIOException _) {
                    return;
                } catch (IOException | RuntimeException | Error e) {
                    LOG.error("An index could not be built; it is built again in a minute", e);
                    pause();
                    wake();
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("this thread is never interrupted", e);
        }
    }

    /** Waits until it is woken; returns false when this is closed. */
    private synchronized boolean await() throws InterruptedException {
        while (!isClosing && !isWoken) {
            wait();
        }
        isWoken = false;
        return !isClosing;
    }

    private synchronized void pause() throws InterruptedException {
        long end = System.nanoTime() + RETRY_MILLIS * 1_000_000;
        long left = RETRY_MILLIS;
        while (!isClosing && left > 0) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }

    private synchronized boolean isClosing() {
        return isClosing;
    }

    /** Ends a running build, and starts no other. */
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
            throw new IllegalStateException("interrupted while indexing was closed", e);
        }
    }
}
