package org.crabro.client.cluster;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.client.process.ProgressWatch;

/**
 * Waits until a config server of a cluster on this machine leads. A server that cannot be reached
 * yet, or does not answer in time, is asked again.
 */
final class LeaderWait {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final int OK = 200;

    private final LocalCluster cluster;
    private final ProgressWatch watch;

    LeaderWait(LocalCluster cluster, ProgressWatch watch) {
        this.cluster = cluster;
        this.watch = watch;
    }

    /**
     * Returns when a config server shows the cluster.
     *
     * @throws IOException if a config server has ended, or nothing changes any more; the message
     *     names the logs
     */
    void await() throws IOException, InterruptedException {
        List<URI> configs = cluster.configs();
        try (HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build()) {
            while (true) {
                List<String> states = new ArrayList<>();
                for (URI config : configs) {
                    Optional<String> state = state(client, config);
                    if (state.isEmpty()) {
                        return;
                    }
                    states.add("%s: %s".formatted(config, state.get()));
                }
                goOn(states);
                Thread.sleep(POLL);
            }
        }
    }

    /** Returns why a config server does not show the cluster; empty if it does. */
    private static Optional<String> state(HttpClient client, URI config)
            throws InterruptedException {
        try {
            int status =
                    client.send(
                                    HttpRequest.newBuilder(config.resolve("/cluster/v2"))
                                            .timeout(ANSWER_TIMEOUT)
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode();
            return status == OK ? Optional.empty() : Optional.of("status " + status);
        } catch (IOException e) {
            return Optional.of(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    /**
     * Returns if the config servers run and something has changed lately: what they answer, or
     * their logs. Their processor time does not count, as idle servers need some.
     */
    private void goOn(List<String> states) throws IOException {
        List<Object> seen = new ArrayList<>(states);
        for (int number = 1; number <= cluster.configServers(); number++) {
            if (cluster.hasEnded(number)) {
                throw new IOException(
                        "server %s has ended; see '%s'"
                                .formatted(LocalCluster.name(number), cluster.log(number)));
            }
            seen.add(cluster.logBytes(number));
        }
        Optional<String> end = watch.end(seen);
        if (end.isPresent()) {
            throw new IOException(
                    "no config server leads: %s; %s; see %s"
                            .formatted(end.get(), String.join(", ", states), logs()));
        }
    }

    private String logs() throws IOException {
        return IntStream.rangeClosed(1, cluster.configServers())
                .mapToObj(number -> "'%s'".formatted(cluster.log(number)))
                .collect(Collectors.joining(", "));
    }
}
