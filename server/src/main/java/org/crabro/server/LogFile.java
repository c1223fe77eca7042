package org.crabro.server;

import java.io.IOException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.logging.FileHandler;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * Log files of a limited size. Closing waits for the lines that other threads are writing; later
 * lines are dropped.
 *
 * <p>The platform's handler decides whether it is open before it formats a line. If it is closed in
 * between, it fails with a {@code NullPointerException}, and the line is lost.
 */
class LogFile extends FileHandler {
    /** Shared by threads that write a line, exclusive for the thread that closes. */
    private final ReadWriteLock use = new ReentrantReadWriteLock();

    private boolean isClosed;

    /**
     * @param pattern of the files' names, in the format of {@link FileHandler}
     * @param bytes the approximate maximum size of a file
     * @param files the number of files that are kept
     */
    LogFile(String pattern, int bytes, int files, Formatter formatter) throws IOException {
        super(pattern, bytes, files, true);
        setFormatter(formatter);
    }

    @Override
    public void publish(LogRecord line) {
        use.readLock().lock();
        try {
            if (!isClosed) {
                super.publish(line);
            }
        } finally {
            use.readLock().unlock();
        }
    }

    // A thread that writes a line holds the lock and then takes the monitor.
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    @Override
    public void close() {
        use.writeLock().lock();
        try {
            isClosed = true;
            super.close();
        } finally {
            use.writeLock().unlock();
        }
    }
}
