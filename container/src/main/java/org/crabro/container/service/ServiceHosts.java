package org.crabro.container.service;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The hosts that the server calls for application packages: for embedders, clients of language
 * models, and files at a URI. An operator allows them, the default is none.
 *
 * @param hosts each is {@code HOST} for every port, {@code HOST:PORT}, or {@value #ALL} for every
 *     host; in lower case. An IPv6 address is in brackets
 */
public record ServiceHosts(List<String> hosts) {
    /** Allows every host. */
    public static final String ALL = "*";

    /** Allows no host. */
    public static final ServiceHosts NONE = new ServiceHosts(List.of());

    private static final Pattern HOST =
            Pattern.compile("([a-z0-9_][a-z0-9_.-]*|\\[[0-9a-f:.]+])(:[0-9]{1,5})?");

    private static final int HTTP_PORT = 80;
    private static final int HTTPS_PORT = 443;

    /**
     * @throws IllegalArgumentException if an element is not in one of these forms
     */
    public ServiceHosts {
        hosts = hosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).distinct().toList();
        for (String host : hosts) {
            if (!host.equals(ALL) && !HOST.matcher(host).matches()) {
                throw new IllegalArgumentException(
                        "expected hosts in the form HOST, HOST:PORT or *, found '%s'"
                                .formatted(host));
            }
        }
    }

    public static ServiceHosts of(String... hosts) {
        return new ServiceHosts(List.of(hosts));
    }

    /** Returns why {@code endpoint} may not be called; empty if it may. */
    public Optional<String> refusal(URI endpoint) {
        String scheme =
                Optional.ofNullable(endpoint.getScheme()).orElse("").toLowerCase(Locale.ROOT);
        if (!(scheme.equals("http") || scheme.equals("https"))
                || endpoint.getHost() == null
                || endpoint.getUserInfo() != null) {
            return Optional.of("expected http:// or https://, a host, and no user");
        }
        String host = endpoint.getHost().toLowerCase(Locale.ROOT);
        int port = endpoint.getPort();
        if (port < 0) {
            port = scheme.equals("http") ? HTTP_PORT : HTTPS_PORT;
        }
        if (hosts.contains(ALL) || hosts.contains(host) || hosts.contains(host + ":" + port)) {
            return Optional.empty();
        }
        String needed = endpoint.getPort() < 0 ? host : host + ":" + port;
        return Optional.of(
                "this server does not call %s; its operator allows it with --services %s, or the setting services.hosts"
                        .formatted(needed, needed));
    }
}
