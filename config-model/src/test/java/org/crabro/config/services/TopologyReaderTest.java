package org.crabro.config.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.Findings;
import org.crabro.config.application.MapFiles;
import org.crabro.config.services.Topology.ContentHost;
import org.crabro.config.services.Topology.ContentNodes;
import org.junit.jupiter.api.Test;

class TopologyReaderTest {
    private static final String HOSTS =
            """
            <hosts>
              <host name="one.example"><alias>node1</alias></host>
              <host name="two.example"><alias>node2</alias><alias>second</alias></host>
              <host name="three.example"><alias>node3</alias></host>
            </hosts>
            """;

    private static final String SERVICES =
            """
            <services version="1.0">
              <admin version="2.0">
                <configservers>
                  <configserver hostalias="node1"/>
                  <configserver hostalias="second"/>
                </configservers>
              </admin>
              <container id="web" version="1.0">
                <search/>
                <nodes><node hostalias="node1"/><node hostalias="node3"/></nodes>
              </container>
              <content id="mails" version="1.0">
                <redundancy>2</redundancy>
                <documents><document type="mail" mode="streaming"/></documents>
                <nodes>
                  <node hostalias="node2" distribution-key="4" capacity="2.5"/>
                  <node hostalias="node1" distribution-key="0"/>
                </nodes>
              </content>
              <content id="notes" version="1.0">
                <redundancy>2</redundancy>
                <documents><document type="note" mode="streaming"/></documents>
                <group>
                  <distribution partitions="1|*"/>
                  <group name="a" distribution-key="0"><node hostalias="node1" distribution-key="0"/></group>
                  <group name="b" distribution-key="1"><node hostalias="node3" distribution-key="1"/></group>
                </group>
              </content>
            </services>
            """;

    @Test
    void readsTheHostsOfEachCluster() {
        Topology topology = read(Map.of("hosts.xml", HOSTS, "services.xml", SERVICES));

        assertThat(topology.hosts())
                .containsExactlyInAnyOrder("one.example", "two.example", "three.example");
        assertThat(topology.configServers()).containsExactly("one.example", "two.example");
        assertThat(topology.containers())
                .isEqualTo(Map.of("web", List.of("one.example", "three.example")));
        assertThat(topology.contents())
                .isEqualTo(
                        Map.of(
                                "mails",
                                new ContentNodes(
                                        2,
                                        nodes(
                                                0, new ContentHost("one.example", 1),
                                                4, new ContentHost("two.example", 2.5))),
                                "notes",
                                new ContentNodes(
                                        2,
                                        nodes(
                                                0, new ContentHost("one.example", 1),
                                                1, new ContentHost("three.example", 1)))));
    }

    @Test
    void usesAliasesAsNamesWithoutHosts() {
        Topology topology = read(Map.of("services.xml", SERVICES));

        assertThat(topology.hosts()).isEmpty();
        assertThat(topology.configServers()).containsExactly("node1", "second");
        assertThat(topology.contents().values().stream().map(ContentNodes::nodes))
                .contains(nodes(0, new ContentHost("node1", 1), 4, new ContentHost("node2", 2.5)));
    }

    @Test
    void knowsNoNodesOfAPackageThatNamesNone() {
        Topology topology =
                read(
                        Map.of(
                                "services.xml",
                                """
                                <services version="1.0">
                                  <container id="web" version="1.0"><search/></container>
                                  <content id="mails" version="1.0">
                                    <min-redundancy>3</min-redundancy>
                                    <documents><document type="mail" mode="streaming"/></documents>
                                    <nodes count="3"/>
                                  </content>
                                </services>
                                """));

        assertThat(topology)
                .isEqualTo(
                        new Topology(
                                Set.of(),
                                List.of(),
                                Map.of("web", List.of()),
                                Map.of("mails", new ContentNodes(3, new TreeMap<>()))));
    }

    @Test
    void knowsWhichNodesAreRetired() {
        Topology topology =
                read(
                        Map.of(
                                "hosts.xml",
                                HOSTS,
                                "services.xml",
                                SERVICES.replace(
                                        "distribution-key=\"4\" capacity=\"2.5\"",
                                        "distribution-key=\"4\" retired=\"true\"")));

        ContentNodes mails = Objects.requireNonNull(topology.contents().get("mails"));
        assertThat(mails.nodes())
                .isEqualTo(
                        nodes(
                                0, new ContentHost("one.example", 1),
                                4, new ContentHost("two.example", 1, true)));
        assertThat(mails.wanted()).isOne();
    }

    private static SortedMap<Integer, ContentHost> nodes(
            int first, ContentHost firstHost, int second, ContentHost secondHost) {
        return new TreeMap<>(Map.of(first, firstHost, second, secondHost));
    }

    private static Topology read(Map<String, String> files) {
        var findings = new Findings();
        Topology topology =
                ServicesReader.read(
                                new MapFiles(files),
                                Set.of("mail", "note"),
                                ApplicationName.DEFAULT,
                                new DocumentPlaces(),
                                findings)
                        .orElseThrow()
                        .topology();
        assertThat(findings.problems()).isEmpty();
        return topology;
    }
}
