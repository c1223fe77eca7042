package org.crabro.samples.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.crabro.container.llm.LanguageModelSettings;
import org.crabro.samples.fixture.ChatService;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.OwnJar;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexing scripts that ask a language model for values of fields. */
class GenerateIT {
    private static final int CALLS_A_MINUTE = 3;

    private static final String GENERATORS =
            """
            <component id="own" class="own.Reversed"/>
            <component id="titles" class="ai.vespa.llm.generation.LanguageModelFieldGenerator" bundle="model-integration">
              <config name="ai.vespa.llm.generation.language-model-field-generator">
                <providerId>own</providerId>
                <promptTemplate>Title of {input}</promptTemplate>
                <responseFormatType>TEXT</responseFormatType>
              </config>
            </component>
            <component id="failing" class="ai.vespa.llm.generation.LanguageModelFieldGenerator">
              <config name="ai.vespa.llm.generation.language-model-field-generator">
                <providerId>writer</providerId>
              </config>
            </component>
            """;

    private static final String SCHEMA =
            """
            schema note {
              document note {
                field text type string { indexing: summary | index }
                field other type string { indexing: summary }
              }
              field title type string { indexing: input text | generate titles | summary | index }
              field failed type string { indexing: input other | generate failing | summary }
            }
            """;

    private static final Map<String, String> SOURCES =
            Map.of(
                    "own/Reversed.java",
                    """
                    package own;
                    import java.util.function.Consumer;
                    import org.crabro.component.*;
                    public final class Reversed implements LanguageModel {
                        public void generate(ModelRequest request, Consumer<String> parts) {
                            parts.accept(new StringBuilder(request.prompt()).reverse().toString());
                        }
                    }
                    """);

    @TempDir Path data;
    @TempDir Path work;

    private ChatService service;
    private ServedPackage served;

    @BeforeEach
    void start() throws Exception {
        service = new ChatService();
        served =
                new ServedPackage(
                        ChatService.settings(
                                data, LanguageModelSettings.DEFAULT.withCalls(10, CALLS_A_MINUTE)),
                        Map.of("schemas/note.sd", SCHEMA));
        served.add("components/own.jar", OwnJar.of(SOURCES, work));
        served.deploy(
                NotesApplication.SERVICES.replace(
                        "<search/>", "<search/>" + service.component() + GENERATORS));
    }

    @AfterEach
    void stop() {
        served.close();
        service.close();
    }

    @Test
    void aScriptStoresTheGeneratedValue() throws Exception {
        served.note("group/ann/1", "\"text\":\"abc\"");
        served.feed(
                List.of(
                        "{\"put\":\"id:ns:note:g=ann:2\",\"fields\":{\"text\":\"xyz\"}}",
                        "{\"put\":\"id:ns:note:g=ann:3\",\"fields\":{\"text\":\" \"}}"));

        assertThat(title(1)).isEqualTo("cba fo eltiT");
        assertThat(title(2)).isEqualTo("zyx fo eltiT");
        assertThat(title(3)).isEmpty();
    }

    private String title(int id) throws Exception {
        return served.get("/document/v1/ns/note/group/ann/" + id + "?fieldSet=%5Ball%5D")
                .json()
                .at("/fields/title")
                .asString("");
    }

    @Test
    void anOperationFailsIfTheModelFails() throws Exception {
        ServedPackage.Answer put =
                served.post("/document/v1/ns/note/group/ann/1", "{\"fields\":{\"other\":\"abc\"}}");
        assertThat(put.status()).as(put.toString()).isEqualTo(503);
        assertThat(put.message())
                .startsWith("id:ns:note:g=ann:1: field 'failed': there is no secret 'writer-key'");
        ServedPackage.Answer fed =
                served.post(
                        "/document/v1/?answers=failed",
                        "{\"put\":\"id:ns:note:g=ann:2\",\"fields\":{\"other\":\"abc\"}}",
                        "Content-Type",
                        "application/jsonl");
        assertThat(fed.body()).contains("503", "there is no secret 'writer-key'");
    }

    @Test
    void tooManyCallsAreRejected() throws Exception {
        for (int i = 0; i < CALLS_A_MINUTE; i++) {
            served.note("group/ann/1", "\"text\":\"abc\"");
        }

        ServedPackage.Answer put =
                served.post("/document/v1/ns/note/group/ann/2", "{\"fields\":{\"text\":\"abc\"}}");

        assertThat(put.status()).as(put.toString()).isEqualTo(429);
        assertThat(put.header("Retry-After")).isNotEmpty();
        assertThat(put.message()).contains("search.models.maxPerMinute");
    }
}
