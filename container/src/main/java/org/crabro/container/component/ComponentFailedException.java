package org.crabro.container.component;

/** A component cannot be made; the message names its place, and says why. */
final class ComponentFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ComponentFailedException(String problem, Throwable cause) {
        super(problem, cause);
    }

    ComponentFailedException(String problem) {
        super(problem);
    }
}
