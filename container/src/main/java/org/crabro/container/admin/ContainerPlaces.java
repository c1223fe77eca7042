package org.crabro.container.admin;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a config server finds the containers of its cluster.
 *
 * @param host the name of its own host
 * @param isOneMachine whether all hosts are on one machine
 * @param hasTls whether containers use TLS, as that of this host would
 */
public record ContainerPlaces(String host, boolean isOneMachine, boolean hasTls) {
    private static final String LOOPBACK = "127.0.0.1";

    /**
     * Returns the addresses of the containers among services, those of this host first. A container
     * of this machine can listen on a loopback address only, or on one of the network only.
     */
    List<URI> of(List<RunningService> services) {
        List<RunningService> containers =
                services.stream().filter(each -> each.type().equals("container")).toList();
        var all = new ArrayList<URI>();
        Stream.concat(
                        containers.stream().filter(each -> each.host().equals(host)),
                        containers.stream().filter(each -> !each.host().equals(host)))
                .forEach(each -> {
                    if (isOneMachine || each.host().equals(host)) {
                        all.add(uri(LOOPBACK, each.port()));
                    }
                    if (!isOneMachine) {
                        all.add(uri(each.host(), each.port()));
                    }
                });
        return List.copyOf(all);
    }

    private URI uri(String name, int port) {
        return URI.create("%s://%s:%d".formatted(hasTls ? "https" : "http", name, port));
    }
}
