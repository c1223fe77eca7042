package org.crabro.server;

import java.util.logging.LogManager;

/**
 * The platform's log manager, whose logs stay open until the server has stopped. The platform
 * closes all logs when the process receives a signal to end, but the server then still answers
 * requests and logs its stop.
 */
public final class LateClosingLogs extends LogManager {
    private volatile boolean isKept;

    /**
     * Called by the platform, which creates the only instance when the first logger is requested.
     */
    public LateClosingLogs() {}

    /** Keeps all logs open from now on. */
    static void keep() {
        if (LogManager.getLogManager() instanceof LateClosingLogs logs) {
            logs.isKept = true;
        }
    }

    /** Closes all logs. */
    static void end() {
        if (LogManager.getLogManager() instanceof LateClosingLogs logs) {
            logs.isKept = false;
            logs.reset();
        }
    }

    @Override
    public void reset() {
        if (!isKept) {
            super.reset();
        }
    }
}
