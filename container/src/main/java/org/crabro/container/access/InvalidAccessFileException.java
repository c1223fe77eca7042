package org.crabro.container.access;

import java.util.List;

/** An access file cannot be used; the message has one line for each problem, with its place. */
public final class InvalidAccessFileException extends RuntimeException {
    private static final long serialVersionUID = 1;

    InvalidAccessFileException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
