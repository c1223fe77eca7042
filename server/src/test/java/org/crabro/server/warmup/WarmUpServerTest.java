package org.crabro.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.crabro.config.deploy.ApplicationModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmUpServerTest {
    @TempDir private Path directory;

    @Test
    void answersEveryQueryOfTheBuiltInSchemaByGetAndPost() throws IOException {
        ApplicationModel model = WarmUpModel.builtIn();

        try (var server = WarmUpServer.start(model, Map.of(), directory.resolve("documents"))) {
            assertThat(server.requestCount()).isGreaterThan(30);
            for (int i = 0; i < server.requestCount(); i++) {
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

        try (var server = WarmUpServer.start(model, Map.of(), directory.resolve("documents"))) {
            // Of each eight documents, one is in a group that queries do not search.
            assertThat(server.ask(0).body()).contains("\"totalCount\":350");
            for (int i = 0; i < 80; i++) {
                server.put();
            }

            assertThat(server.ask(0).body()).contains("\"totalCount\":420");
        }
    }
}
