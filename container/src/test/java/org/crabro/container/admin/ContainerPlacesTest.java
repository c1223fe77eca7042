package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContainerPlacesTest {
    private static final List<RunningService> SERVICES =
            List.of(
                    new RunningService("container", "default", "h1", 8080, 1),
                    new RunningService("content", "notes", "h1", 19_100, 1),
                    new RunningService("container", "default", "h2", 8081, 1));

    @Test
    void findsContainersOfOneMachineAtLoopbackAddresses() {
        var places = new ContainerPlaces("h2", true, false);

        assertThat(places.of(SERVICES))
                .containsExactly(
                        URI.create("http://127.0.0.1:8081"), URI.create("http://127.0.0.1:8080"));
    }

    @Test
    void findsContainersOfOtherMachinesByName() {
        var places = new ContainerPlaces("h1", false, true);

        assertThat(places.of(SERVICES))
                .containsExactly(
                        URI.create("https://127.0.0.1:8080"),
                        URI.create("https://h1:8080"),
                        URI.create("https://h2:8081"));
    }
}
