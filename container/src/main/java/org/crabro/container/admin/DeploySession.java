package org.crabro.container.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * A package that was uploaded and is not active. Written by the thread with the turn of {@link
 * DeployTurns}; read by many threads.
 */
final class DeploySession {
    private final long number;
    private final String tenant;
    private final long base;
    private final Instant created;
    private final PackageContent content;
    private volatile long bytes;
    private volatile Optional<CheckedPackage> prepared = Optional.empty();

    /** The generation that the package was compared with. */
    private volatile long comparedWith;

    /**
     * @param tenant that created it
     * @param base the generation that was active at its creation, 0 for none
     * @param bytes size of its files
     */
    DeploySession(
            long number,
            String tenant,
            long base,
            Instant created,
            PackageContent content,
            long bytes) {
        this.number = number;
        this.tenant = tenant;
        this.base = base;
        this.created = created;
        this.content = content;
        this.bytes = bytes;
    }

    long number() {
        return number;
    }

    String tenant() {
        return tenant;
    }

    long base() {
        return base;
    }

    Instant created() {
        return created;
    }

    PackageContent content() {
        return content;
    }

    long bytes() {
        return bytes;
    }

    /** Returns the checked package, if the session was prepared after its last change. */
    Optional<CheckedPackage> prepared() {
        return prepared;
    }

    /**
     * Records that the package was checked.
     *
     * @param active the generation that it was compared with, 0 for none
     */
    void prepared(CheckedPackage checked, long active) {
        comparedWith = active;
        prepared = Optional.of(checked);
    }

    /** Returns the generation that the package was compared with, 0 for none. */
    long comparedWith() {
        return comparedWith;
    }

    /** Records that files change, which invalidates the preparation. */
    void unprepare() {
        prepared = Optional.empty();
    }

    void bytes(long size) {
        bytes = size;
    }
}
