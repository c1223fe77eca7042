package org.crabro.container.query;

/**
 * An error or a warning of a query.
 *
 * @param source the content cluster; empty if no cluster caused it
 * @param message for the client
 */
public record ResultError(ErrorCode code, String source, String message) {
    /** Longer messages are cut. They quote requests, which may be long. */
    private static final int MESSAGE_CHARS = 2_000;

    public ResultError {
        if (message.length() > MESSAGE_CHARS) {
            message = message.substring(0, MESSAGE_CHARS) + "...";
        }
    }
}
