package org.crabro.content.replication.raft.patch;

import java.util.function.Supplier;
import org.apache.ratis.util.VersionInfo;

/**
 * The patches that need private fields of Ratis. They are looked up when a server opens its groups,
 * so that a server with another release of Ratis does not start.
 */
public record RatisPatches(FailedTransfer failedTransfer, CacheEviction cacheEviction) {
    /** The only release whose inside was read. The root POM enforces the same one. */
    static final String RELEASE = "3.3.0";

    /**
     * Looks up the fields.
     *
     * @throws IllegalStateException if this is another release of Ratis, or one without the fields
     */
    public static RatisPatches lookUp() {
        return lookUp(VersionInfo::getSoftwareInfoVersion);
    }

    static RatisPatches lookUp(Supplier<String> release) {
        String here = release.get();
        if (!here.equals(RELEASE)) {
            throw new IllegalStateException(
                    "Ratis %s is on the class path, expected %s: see docs/raft-patches.md"
                            .formatted(here, RELEASE));
        }
        ElectionTimer.check();
        return new RatisPatches(FailedTransfer.lookUp(), CacheEviction.lookUp());
    }
}
