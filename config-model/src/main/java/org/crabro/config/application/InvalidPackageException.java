package org.crabro.config.application;

/**
 * What was sent is no application package: a broken archive, a file where none may be, or more than
 * is accepted. The message names the file and goes to the person who deploys, as it is.
 */
public final class InvalidPackageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidPackageException(String message) {
        super(message);
    }

    public InvalidPackageException(String message, Throwable cause) {
        super(message, cause);
    }
}
