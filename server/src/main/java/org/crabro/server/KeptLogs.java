package org.crabro.server;

import java.util.logging.LogManager;

/**
 * The platform's logs, which stay open until the server has stopped. The platform closes all logs
 * when the process is asked to end, while the server still answers requests and logs that it stops.
 */
public final class KeptLogs extends LogManager {
    private volatile boolean isKept;

    /** For the platform, which makes the only one when the first logger is asked for. */
    public KeptLogs() {}

    /** Keeps all logs open from now on. */
    static void keep() {
        if (LogManager.getLogManager() instanceof KeptLogs logs) {
            logs.isKept = true;
        }
    }

    /** Closes all logs. */
    static void end() {
        if (LogManager.getLogManager() instanceof KeptLogs logs) {
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
