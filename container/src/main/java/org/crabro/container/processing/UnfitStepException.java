package org.crabro.container.processing;

import org.crabro.text.Excerpt;

/** A step of an indexing script met a value that it cannot work with. */
final class UnfitStepException extends RuntimeException {
    private static final long serialVersionUID = 1;

    UnfitStepException(String message) {
        super(Excerpt.message(message));
    }

    UnfitStepException(String message, Throwable cause) {
        super(Excerpt.message(message), cause);
    }
}
