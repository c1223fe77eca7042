package org.crabro.container.component;

/** A component cannot be created. The message contains its place and the reason. */
final class ComponentFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ComponentFailedException(String problem, Throwable cause) {
        super(problem, cause);
    }

    ComponentFailedException(String problem) {
        super(problem);
    }
}
