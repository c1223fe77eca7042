package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.config.application.Notice;
import org.crabro.config.services.Topology;
import org.crabro.config.services.Topology.ContentHost;
import org.crabro.config.services.Topology.ContentNodes;
import org.junit.jupiter.api.Test;

class ActivationTest {
    @Test
    void warnsOfWhatOneServerDoesNotDo() {
        var hosts = new TreeMap<>(Map.of(0, new ContentHost("a", 1), 1, new ContentHost("b", 1)));
        var topology =
                new Topology(
                        Set.of("a", "b"),
                        List.of(),
                        Map.of("web", List.of("a", "b"), "one", List.of("a")),
                        Map.of("store", new ContentNodes(2, hosts)));

        assertThat(Activation.alone(topology))
                .containsExactly(
                        new Notice(
                                Notice.Level.INFO,
                                "content 'store': 2 copies are requested; a server without --config-servers keeps one"),
                        new Notice(
                                Notice.Level.WARNING,
                                "container 'web': 2 nodes are requested; a server without --config-servers does all work"),
                        new Notice(
                                Notice.Level.WARNING,
                                "content 'store': 2 nodes are requested; a server without --config-servers does all work"));
        assertThat(Activation.alone(Topology.NONE)).isEmpty();
    }
}
