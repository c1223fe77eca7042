package org.crabro.container.query;

import org.crabro.text.Excerpt;

/**
 * An error or a warning of a query.
 *
 * @param source the content cluster; empty if no cluster caused it
 * @param message for the client
 */
public record ResultError(ErrorCode code, String source, String message) {
    public ResultError {
        message = Excerpt.message(message);
    }
}
