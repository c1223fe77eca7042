package org.crabro.container.admin;

import java.nio.file.Path;
import java.time.Duration;
import org.crabro.config.application.PackageLimits;
import org.crabro.container.access.AccessControl;
import org.crabro.container.http.HttpSettings;

/**
 * What a config server is started with, and its bounds.
 *
 * @param packages the directory for deployed packages; made where it is missing
 * @param limits what a package may unpack to
 * @param sessions how much may wait to be activated
 * @param maxPackageBytes larger packages, as they are sent, are answered with 413
 * @param lockWait how long a deployment waits for another one before it is answered with 409
 * @param version the version that is shown to clients
 * @param access who may do what
 */
public record ConfigServerSettings(
        HttpSettings http,
        Path packages,
        PackageLimits limits,
        SessionLimits sessions,
        long maxPackageBytes,
        Duration lockWait,
        String version,
        AccessControl access) {
    public ConfigServerSettings {
        if (maxPackageBytes < 1 || lockWait.isNegative()) {
            throw new IllegalArgumentException(
                    "maxPackageBytes is %d, must be at least 1; lockWait is %s, must not be negative"
                            .formatted(maxPackageBytes, lockWait));
        }
    }

    /** Returns the usual bounds, for a port at which every request has all rights. */
    public static ConfigServerSettings of(HttpSettings http, Path packages, String version) {
        return new ConfigServerSettings(
                http,
                packages,
                PackageLimits.DEFAULT,
                SessionLimits.DEFAULT,
                4L << 30,
                Duration.ofSeconds(60),
                version,
                AccessControl.OPEN);
    }

    /** Returns these settings with other access rules. */
    public ConfigServerSettings withAccess(AccessControl other) {
        return new ConfigServerSettings(
                http, packages, limits, sessions, maxPackageBytes, lockWait, version, other);
    }

    /** Returns these settings for another listener. */
    public ConfigServerSettings withHttp(HttpSettings other) {
        return new ConfigServerSettings(
                other, packages, limits, sessions, maxPackageBytes, lockWait, version, access);
    }
}
