package org.crabro.container.admin;

import java.time.Instant;
import java.util.Optional;

/**
 * A package that was uploaded and is not active yet. Written to by whoever has a turn of {@link
 * DeployTurns}; read by anybody.
 */
final class DeploySession {
    private final long number;
    private final String tenant;
    private final long base;
    private final Instant created;
    private final PackageContent content;
    private volatile long bytes;
    private volatile Optional<CheckedPackage> prepared = Optional.empty();

    /**
     * @param tenant who made it
     * @param base the generation that was active when the session was made, 0 for none
     * @param bytes what its files take
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

    /** Returns what the package was found to be, if it was prepared since it changed last. */
    Optional<CheckedPackage> prepared() {
        return prepared;
    }

    void prepared(CheckedPackage checked) {
        prepared = Optional.of(checked);
    }

    /** Notes that files are about to change: what was prepared is not what the files say. */
    void unprepare() {
        prepared = Optional.empty();
    }

    void bytes(long size) {
        bytes = size;
    }
}
