package org.crabro.container.mcp;

import org.crabro.text.Excerpt;

/** An argument of a tool is wrong. The language model gets the message. */
final class InvalidArgumentException extends RuntimeException {
    private static final long serialVersionUID = 1;

    InvalidArgumentException(String problem) {
        super(Excerpt.message(problem));
    }
}
