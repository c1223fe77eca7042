package org.crabro.samples;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.crabro.container.http.HttpSettings;
import org.crabro.server.ServerSettings;
import org.crabro.server.WireSettings;

/**
 * Settings of the servers of tests. With {@code -Dcrabro.wire=true}, containers send their requests
 * to content nodes over sockets.
 */
final class TestSettings {
    private static final boolean OVER_WIRE = Boolean.getBoolean("crabro.wire");

    private TestSettings() {}

    /** Returns settings for free ports on the loopback address, without a warm-up. */
    static ServerSettings onAnyPorts(Path data) {
        return of(data, HttpSettings.loopback(0), true, HttpSettings.loopback(0));
    }

    /** Returns settings for these listeners, as {@link ServerSettings#of}, without a warm-up. */
    static ServerSettings of(
            Path data, HttpSettings container, boolean containerPortGiven, HttpSettings config) {
        ServerSettings settings =
                ServerSettings.of(data, container, containerPortGiven, config)
                        .withWarmUp(Duration.ZERO);
        WireSettings wire = settings.wire();
        return OVER_WIRE
                ? settings.with(new WireSettings(true, wire.limits(), wire.tls()))
                : settings;
    }

    /** Returns the same choice as options of a server in a process of its own. */
    static List<String> options() {
        return OVER_WIRE ? List.of("wire.loopback=true") : List.of();
    }
}
