package org.crabro.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.crabro.config.deploy.ApplicationModel;
import org.junit.jupiter.api.Test;

class WarmUpServerTest {
    @Test
    void answersEveryQueryOfTheBuiltInSchemaByGetAndPost() throws IOException {
        ApplicationModel model = WarmUpModel.builtIn();

        try (var server = WarmUpServer.start(model)) {
            assertThat(server.queryCount()).isGreaterThan(15);
            for (int i = 0; i < 2 * server.queryCount(); i++) {
                WarmUpServer.Reply reply = server.ask(i);

                assertThat(reply.body())
                        .contains("\"totalCount\":")
                        .doesNotContain("\"totalCount\":0")
                        .doesNotContain("errors");
                assertThat(reply.status()).isEqualTo(200);
            }
        }
    }
}
