package org.crabro.container.service;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.container.secret.Secrets;

/**
 * What an operator allows.
 *
 * @param secrets the keys of services
 * @param hosts the hosts that may be called, such as {@code api.example.com} or {@code
 *     localhost:8000}; {@value #ALL} for every host
 */
public record ServiceRules(Secrets secrets, Set<String> hosts) {
    /** Allows every host. */
    public static final String ALL = "*";

    /** Allows no calls. */
    public static final ServiceRules NONE = new ServiceRules(Secrets.NONE, Set.of());

    public ServiceRules {
        hosts =
                hosts.stream()
                        .map(host -> host.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns why {@code endpoint} may not be called; empty if it may. */
    public Optional<String> refusal(URI endpoint) {
        String scheme =
                Optional.ofNullable(endpoint.getScheme()).orElse("").toLowerCase(Locale.ROOT);
        if (!(scheme.equals("http") || scheme.equals("https"))
                || endpoint.getHost() == null
                || endpoint.getUserInfo() != null) {
            return Optional.of(
                    "the endpoint is no address of a service; expected http:// or https://, a host, and no user");
        }
        String host = endpoint.getHost().toLowerCase(Locale.ROOT);
        boolean isAllowed =
                hosts.contains(ALL)
                        || hosts.contains(host)
                        || hosts.contains(host + ":" + endpoint.getPort());
        return isAllowed
                ? Optional.empty()
                : Optional.of(
                        "this server does not call the host %s; its operator allows it with the option --services %s"
                                .formatted(host, host));
    }
}
