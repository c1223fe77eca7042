package org.crabro.samples.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Asks queries that are made to cost much; each is refused, or ends when its time is up. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PoisonQueriesIT {
    private static final String SCHEMA =
            """
            schema item {
              document item {
                field text type string { indexing: index | summary }
                field whole type string {
                  indexing: attribute | summary
                  match: word
                }
              }
            }
            """;

    @TempDir static Path data;

    private StreamingServer served;

    @BeforeAll
    void feed() throws Exception {
        served = new StreamingServer(data, Map.of("item", SCHEMA));
        String fields = "{\"text\":\"%s\",\"whole\":\"%s\"}".formatted("word ", "a");
        served.put("test/item/group/anna/0", fields);
    }

    @AfterAll
    void stop() {
        served.close();
    }

    @Test
    void refuseAnExpressionOfTooManySteps() throws Exception {
        Http.Answer answer = ask("whole matches '" + "(a?){1000}".repeat(20) + "'");

        assertThat(answer.status()).as("%s", answer).isEqualTo(400);
        assertThat(answer.toString()).contains("more than 10000 steps");
    }

    /** Whether this is too deep depends on the stack, and on what is machine code already. */
    @Test
    void refuseAnExpressionThatExhaustsTheStack() throws Exception {
        Http.Answer answer = ask("whole matches '" + "(a?)".repeat(2_400) + "c'");

        assertThat(answer.status()).as("%s", answer).isIn(200, 400);
        if (answer.status() == 400) {
            assertThat(answer.toString()).contains("nested too deeply");
        }
    }

    private Http.Answer ask(String where) throws Exception {
        return served.search(
                "yql", "select * from item where " + where, "streaming.groupname", "anna");
    }
}
