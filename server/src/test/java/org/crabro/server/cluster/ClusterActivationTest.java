package org.crabro.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.TreeMap;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.admin.ModelActivation.Occasion;
import org.crabro.container.admin.ModelActivation.Reply;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterActivationTest {
    @TempDir Path directory;

    @ParameterizedTest
    @CsvSource({
        // nodes, redundancy, is global, is accepted
        "1, 1, true, true",
        "2, 1, true, false",
        "2, 2, true, true",
        "3, 2, true, true",
        "4, 3, true, false",
        "4, 3, false, true",
    })
    void acceptsGlobalTypesIfEachNodeHasAllDocuments(
            int nodes, int redundancy, boolean isGlobal, boolean isAccepted) throws Exception {
        ClusterController controller =
                ClusterController.open(
                        RecordFile.open(directory.resolve("cluster.json")),
                        "h1",
                        () -> 0,
                        InstantSource.fixed(Instant.EPOCH));
        for (int i = 1; i <= nodes; i++) {
            var sender = new HostReport.Sender("h" + i, i, FormatVersions.OWN);
            controller.report(new HostReport(sender, "", 0, 0, new TreeMap<>()));
        }

        Reply reply =
                new ClusterActivation(controller)
                        .activate(model(nodes, redundancy, isGlobal), Occasion.DEPLOYMENT);

        assertThat(reply instanceof Reply.Activated).as(reply.toString()).isEqualTo(isAccepted);
        if (reply instanceof Reply.Refused(String problem)) {
            assertThat(problem).startsWith("content 'notes': type 'note' is global");
        }
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
