package org.crabro.config.application;

/**
 * The uploaded bytes are not a valid application package: the archive is broken, has a file in a
 * wrong place, or exceeds a limit. The message names the file and is shown unchanged to the user
 * who deploys.
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
