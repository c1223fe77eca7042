package org.crabro.container.admin;

import java.nio.file.Path;
import java.time.Duration;
import org.crabro.config.application.PackageLimits;
import org.crabro.container.access.AccessControl;
import org.crabro.container.console.ConsoleUse;
import org.crabro.container.fetch.FetchSettings;
import org.crabro.container.http.HttpSettings;
import org.crabro.container.service.ServiceHosts;

/**
 * The settings of a config server.
 *
 * @param files the files of packages
 * @param sessions of deployments that wait for activation
 * @param maxPackageBytes a larger package, as it is sent, gets status 413
 * @param lockWait the time that a deployment waits for another one before it gets status 409
 * @param console who can open the web console
 */
public record ConfigServerSettings(
        Endpoint endpoint,
        PackageFiles files,
        SessionLimits sessions,
        long maxPackageBytes,
        Duration lockWait,
        ConsoleUse console) {
    /**
     * The listener of a config server.
     *
     * @param version the version that is shown to clients
     * @param access the permissions of principals
     */
    public record Endpoint(HttpSettings http, String version, AccessControl access) {}

    /**
     * The files of packages.
     *
     * @param packages the directory of deployed packages; created if it is missing
     * @param limits of unpacked packages
     * @param fetch the files that packages name by URI; they are kept in the directory {@code
     *     fetched} beside that of packages
     * @param hosts from which they are fetched
     */
    public record PackageFiles(
            Path packages, PackageLimits limits, FetchSettings fetch, ServiceHosts hosts) {
        /** Returns the directory of fetched files. */
        Path fetched() {
            return packages.resolveSibling("fetched");
        }
    }

    public ConfigServerSettings {
        if (maxPackageBytes < 1 || lockWait.isNegative()) {
            throw new IllegalArgumentException(
                    "maxPackageBytes is %d, must be at least 1; lockWait is %s, must not be negative"
                            .formatted(maxPackageBytes, lockWait));
        }
    }

    /** Returns the defaults, for a port at which every request has all permissions. */
    public static ConfigServerSettings of(HttpSettings http, Path packages, String version) {
        return new ConfigServerSettings(
                new Endpoint(http, version, AccessControl.OPEN),
                new PackageFiles(
                        packages, PackageLimits.DEFAULT, FetchSettings.DEFAULT, ServiceHosts.NONE),
                SessionLimits.DEFAULT,
                4L << 30,
                Duration.ofSeconds(60),
                ConsoleUse.LOOPBACK);
    }

    /** Returns these settings with other access rules. */
    public ConfigServerSettings withAccess(AccessControl other) {
        return at(new Endpoint(endpoint.http, endpoint.version, other));
    }

    /** Returns these settings for another listener. */
    public ConfigServerSettings withHttp(HttpSettings other) {
        return at(new Endpoint(other, endpoint.version, endpoint.access));
    }

    /** Returns these settings with other hosts from which files are fetched. */
    public ConfigServerSettings withHosts(ServiceHosts hosts) {
        return new ConfigServerSettings(
                endpoint,
                new PackageFiles(files.packages, files.limits, files.fetch, hosts),
                sessions,
                maxPackageBytes,
                lockWait,
                console);
    }

    /** Returns these settings with another use of the console. */
    public ConfigServerSettings with(ConsoleUse other) {
        return new ConfigServerSettings(
                endpoint, files, sessions, maxPackageBytes, lockWait, other);
    }

    private ConfigServerSettings at(Endpoint other) {
        return new ConfigServerSettings(other, files, sessions, maxPackageBytes, lockWait, console);
    }
}
