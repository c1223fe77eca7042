package org.crabro.content.storage.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.crabro.content.storage.index.IndexSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and builds the indexes of runs in the background, whenever runs or their indexed fields
 * change.
 */
public final class Indexer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Indexer.class);

    /** The interval at which failed builds are repeated. */
    private static final long RETRY_MILLIS = TimeUnit.MINUTES.toMillis(1);

    /** The interval at which the thread looks without being woken. */
    private static final long LOOK_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final DocumentStore store;
    private final IndexSettings settings;
    private final WokenThread thread;

    public Indexer(DocumentStore store, IndexSettings settings) {
        this.store = store;
        this.settings = settings;
        this.thread = new WokenThread("index", this::run);
    }

    /** Starts the thread, if the settings want it. */
    public void start() {
        if (settings.isAutomatic()) {
            store.reportRuns(thread::wake);
            thread.wake();
            thread.start();
        }
    }

    private void run() throws InterruptedException {
        while (thread.await(LOOK_MILLIS)) {
            try {
                store.index(settings, thread::isClosing);
            } catch (InterruptedIOException _) {
                return;
            } catch (IOException | RuntimeException | Error e) {
                LOG.error("An index could not be built; it is built again in a minute", e);
                thread.pause(RETRY_MILLIS);
                thread.wake();
            }
        }
    }

    /** Ends a running build, and starts no other. */
    @Override
    public void close() {
        thread.close();
    }
}
