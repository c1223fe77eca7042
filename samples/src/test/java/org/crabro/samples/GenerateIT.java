package org.crabro.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.crabro.container.llm.LanguageModelSettings;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.service.ServiceHosts;
import org.crabro.container.service.ServiceRules;
import org.crabro.server.ServerSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Indexing scripts that ask a language model for values of fields. */
class GenerateIT {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search/>
                <document-api/>
                <component id="writer" class="ai.vespa.llm.clients.OpenAI">
                  <config name="ai.vespa.llm.clients.llm-client">
                    <endpoint>%s</endpoint>
                    <model>echo</model>
                    <apiKeySecretRef>nope</apiKeySecretRef>
                  </config>
                </component>
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
              </container>
              <content id="notes" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="note" mode="streaming"/></documents>
              </content>
            </services>
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
        served = new ServedPackage(settings(100), Map.of());
    }

    private ServerSettings settings(int perMinute) {
        return ServerSettings.onAnyPorts(data)
                .with(
                        SearchSettings.DEFAULT.with(
                                LanguageModelSettings.DEFAULT.withCalls(10, perMinute)))
                .withServices(ServiceRules.NONE.withHosts(ServiceHosts.of("127.0.0.1")));
    }

    private void deploy() throws Exception {
        ServedPackage.Answer deployed =
                served.send(
                        "POST",
                        served.config("/application/v2/tenant/default/prepareandactivate"),
                        zip(
                                Map.of(
                                        "services.xml",
                                        SERVICES.replace("%s", service.endpoint().toString()),
                                        "schemas/note.sd",
                                        SCHEMA),
                                OwnJar.of(SOURCES, work)),
                        "Content-Type",
                        "application/zip");
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
    }

    private static byte[] zip(Map<String, String> texts, byte[] jar) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> text : texts.entrySet()) {
                zip.putNextEntry(new ZipEntry(text.getKey()));
                zip.write(text.getValue().getBytes(UTF_8));
            }
            zip.putNextEntry(new ZipEntry("components/own.jar"));
            zip.write(jar);
        }
        return bytes.toByteArray();
    }

    @AfterEach
    void stop() {
        served.close();
        service.close();
    }

    @Test
    void aScriptStoresTheGeneratedValue() throws Exception {
        deploy();

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
        deploy();

        ServedPackage.Answer put =
                served.post("/document/v1/ns/note/group/ann/1", "{\"fields\":{\"other\":\"abc\"}}");
        assertThat(put.status()).as(put.toString()).isEqualTo(503);
        assertThat(put.message())
                .startsWith("id:ns:note:g=ann:1: field 'failed': there is no secret 'nope'");
        ServedPackage.Answer fed =
                served.post(
                        "/document/v1/?answers=failed",
                        "{\"put\":\"id:ns:note:g=ann:2\",\"fields\":{\"other\":\"abc\"}}",
                        "Content-Type",
                        "application/jsonl");
        assertThat(fed.body()).contains("503", "there is no secret 'nope'");
    }

    @Test
    void tooManyCallsAreRejected() throws Exception {
        served.close();
        served = new ServedPackage(settings(1), Map.of());
        deploy();
        served.note("group/ann/1", "\"text\":\"abc\"");

        ServedPackage.Answer put =
                served.post("/document/v1/ns/note/group/ann/2", "{\"fields\":{\"text\":\"abc\"}}");

        assertThat(put.status()).as(put.toString()).isEqualTo(429);
        assertThat(put.header("Retry-After")).isNotEmpty();
        assertThat(put.message()).contains("search.models.maxPerMinute");
    }
}
