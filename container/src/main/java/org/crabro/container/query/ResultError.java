package org.crabro.container.query;

/**
 * Something that went wrong while a query was answered.
 *
 * @param source the content cluster; empty where it was none's fault
 * @param message for the client
 */
public record ResultError(ErrorCode code, String source, String message) {
    /** What is behind is cut: messages quote requests, which may be long. */
    private static final int MESSAGE_CHARS = 2_000;

    public ResultError {
        if (message.length() > MESSAGE_CHARS) {
            message = message.substring(0, MESSAGE_CHARS) + "...";
        }
    }
}
