package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.Topology;
import org.crabro.config.services.Topology.ContentNodes;
import org.crabro.container.admin.ModelActivation.Occasion;
import org.crabro.container.admin.ModelActivation.Reply;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterActivationTest {
    @TempDir Path directory;
    private ClusterController controller;
    private ClusterActivation activation;

    @BeforeEach
    void open() throws IOException {
        controller = open("cluster.json");
        activation = new ClusterActivation(controller);
    }

    @ParameterizedTest
    @CsvSource({
        // nodes, redundancy, is global, has a global cluster
        "1, 1, true, false",
        "2, 1, true, true",
        "2, 2, true, false",
        "3, 2, true, false",
        "4, 3, true, true",
        "4, 3, false, false",
    })
    void placesGlobalTypesOnAllNodes(
            int nodes, int redundancy, boolean isGlobal, boolean hasGlobalCluster)
            throws Exception {
        start(nodes);

        assertThat(deploy(nodes, redundancy, isGlobal)).isEqualTo(new Reply.Activated());

        assertThat(controller.hasCluster("notes+global")).isEqualTo(hasGlobalCluster);
        ContentNodes placed =
                controller
                        .topology()
                        .contents()
                        .getOrDefault("notes+global", new ContentNodes(1, new TreeMap<>()));
        assertThat(placed.nodes()).hasSize(hasGlobalCluster ? nodes : 0);
    }

    @ParameterizedTest
    @CsvSource({
        // nodes, redundancy, warning
        "1, 1,",
        "3, 3,",
        "2, 3, 'redundancy is 3, but each document has 2 replicas: there are 2 nodes'",
        "2, 2, 'with two nodes, both are needed for writes'",
        "4, 5, 'redundancy is 5, but each document has 3 replicas: that is the most'",
        "24, 3,",
        "25, 3, 8 shards with 3 replicas use at most 24 of the 25 nodes",
    })
    void warnsOfNodesAndReplicasThatAreOfLittleUse(
            int nodes, int redundancy, @Nullable String warning) throws Exception {
        List<String> warnings =
                activation.notices(model(nodes, redundancy, false)).stream()
                        .map(Notice::message)
                        .toList();

        if (warning == null) {
            assertThat(warnings).isEmpty();
        } else {
            assertThat(warnings).anyMatch(each -> each.startsWith("content 'notes': " + warning));
        }
    }

    @Test
    void refusesMoreNodesThanHaveTheGlobalDocuments() throws Exception {
        start(4);
        deploy(3, 2, true);
        Topology before = controller.topology();

        Reply reply = deploy(4, 2, true);

        assertThat(reply)
                .isEqualTo(
                        new Reply.Refused(
                                "content 'notes': each of the 4 nodes needs all documents of global type 'note', but those that are stored are on some nodes, and moving them is not built; use at most 3 nodes, with redundancy 2 or more, or another content cluster"));
        assertThat(controller.topology()).isEqualTo(before);
        assertThat(controller.hasCluster("notes+global")).isFalse();
    }

    @Test
    void refusesTypesThatBeginOrEndToBeGlobal() throws Exception {
        start(4);
        deploy(4, 2, true);
        assertThat(deploy(4, 2, false))
                .isEqualTo(
                        new Reply.Refused(
                                "content 'notes': the documents of type 'note' are on all nodes, and moving them is not built; the type stays global"));
        assertThat(deploy(3, 2, true)).as("fewer nodes").isEqualTo(new Reply.Activated());
        assertThat(controller.hasCluster("notes+global")).isTrue();
        assertThat(deploy(4, 2, true)).isEqualTo(new Reply.Activated());
        controller = open("other.json");
        activation = new ClusterActivation(controller);
        start(4);
        deploy(4, 2, false);

        Reply reply = deploy(4, 2, true);

        assertThat(reply.toString()).contains("each of the 4 nodes needs all documents");
    }

    private void start(int hosts) throws IOException {
        for (int i = 1; i <= hosts; i++) {
            var sender = new HostReport.Sender("h" + i, i, FormatVersions.OWN);
            controller.report(new HostReport(sender, "", 0, 0, new TreeMap<>()));
        }
    }

    private ClusterController open(String file) throws IOException {
        return ClusterController.open(
                RecordFile.open(directory.resolve(file)),
                List.of("h1"),
                () -> 0,
                InstantSource.fixed(Instant.EPOCH));
    }

    private Reply deploy(int nodes, int redundancy, boolean isGlobal) throws Exception {
        return activation.activate(model(nodes, redundancy, isGlobal), Occasion.DEPLOYMENT);
    }

    private ApplicationModel model(int nodes, int redundancy, boolean isGlobal) throws Exception {
        var hosts = new StringBuilder();
        var members = new StringBuilder();
        for (int i = 1; i <= nodes; i++) {
            hosts.append("<host name='h%d'><alias>a%d</alias></host>".formatted(i, i));
            members.append("<node hostalias='a%d' distribution-key='%d'/>".formatted(i, i));
        }
        Files.writeString(directory.resolve("hosts.xml"), "<hosts>" + hosts + "</hosts>");
        Files.writeString(
                directory.resolve("services.xml"),
                """
                <services version='1.0'>
                  <container id='default' version='1.0'><search/></container>
                  <content id='notes' version='1.0'>
                    <min-redundancy>%d</min-redundancy>
                    <documents><document type='note' mode='index' global='%s'/></documents>
                    <nodes>%s</nodes>
                  </content>
                </services>
                """
                        .formatted(redundancy, isGlobal, members));
        Files.createDirectories(directory.resolve("schemas"));
        Files.writeString(
                directory.resolve("schemas/note.sd"),
                "schema note { document note { field n type int { indexing: attribute } } }");
        return ApplicationCompiler.compile(DirectoryFiles.of(directory), 1).model();
    }
}
