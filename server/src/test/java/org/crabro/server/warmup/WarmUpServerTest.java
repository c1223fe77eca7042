package org.crabro.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.dispatch.ClusterNodes;
import org.crabro.content.node.ContentService;
import org.crabro.server.InProcessDocuments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpServerTest {
    static final Function<ContentService, ClusterNodes> LINK =
            node -> new ClusterNodes(new InProcessDocuments(node), node::search);

    @TempDir private Path directory;

    @Test
    void answersEveryQueryOfTheBuiltInSchemaByGetAndPost() throws IOException {
        ApplicationModel model = WarmUpModel.builtIn();

        try (var server =
                WarmUpServer.start(model, Map.of(), directory.resolve("documents"), LINK)) {
            assertThat(server.requestCount()).isGreaterThan(30);
            // On more than one connection.
            for (int i = 0; i < 200 + server.requestCount(); i++) {
                LoopbackClient.Reply reply = server.ask(i);

                assertThat(reply.body())
                        .contains("\"totalCount\":")
                        .doesNotContain("\"totalCount\":0")
                        .doesNotContain("errors");
                assertThat(reply.status()).isEqualTo(200);
            }
        }
    }

    @Test
    void findsDocumentsThatAreStoredBetweenQueries() throws IOException {
        ApplicationModel model = WarmUpModel.builtIn();

        try (var server =
                WarmUpServer.start(model, Map.of(), directory.resolve("documents"), LINK)) {
            // The others are in groups that this query does not search.
            assertThat(server.ask(0).body()).contains("\"totalCount\":199");
            for (int i = 0; i < 80; i++) {
                server.put();
            }

            assertThat(server.ask(0).body()).contains("\"totalCount\":239");
        }
    }
}
