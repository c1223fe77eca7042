package org.crabro.config.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.FetchedFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.MapFiles;
import org.crabro.config.application.Notice;
import org.crabro.config.application.RemoteFileException;
import org.crabro.config.services.ServiceEmbedderSettings.Access;
import org.crabro.config.services.ServiceEmbedderSettings.Model;
import org.crabro.config.services.ServiceEmbedderSettings.Quantization;
import org.crabro.config.services.ServiceEmbedderSettings.Service;
import org.crabro.ranking.onnx.ColbertSettings;
import org.crabro.ranking.onnx.EmbedderSettings;
import org.crabro.ranking.onnx.ExecutionMode;
import org.crabro.ranking.onnx.HuggingFaceSettings;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.ranking.onnx.SentencePieceSettings;
import org.crabro.ranking.onnx.SentencePieceSettings.Scoring;
import org.crabro.ranking.onnx.TextPrefixes;
import org.crabro.ranking.onnx.WordPieceSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmbedderComponentsTest {
    private static final Path VOCABULARY = Path.of("/package/models/vocab.txt");

    private final Findings findings = new Findings();

    @Test
    void readsAnEmbedderOfAService() {
        assertThat(
                        embedders(
                                """
                                <component id="a" type="openai-embedder">
                                  <model>text-embedding-3-small</model>
                                  <dimensions>512</dimensions>
                                </component>
                                <component id="b" type="voyage-ai-embedder">
                                  <model>voyage-3</model>
                                  <dimensions>1024</dimensions>
                                  <api-key-secret-ref>voyage-key</api-key-secret-ref>
                                  <endpoint>http://localhost:8000/v1/</endpoint>
                                  <quantization>binary</quantization>
                                  <truncate>false</truncate>
                                  <prepend><query>q:</query></prepend>
                                  <batching max-size="64" max-delay="10ms"/>
                                </component>
                                """))
                .containsExactly(
                        new EmbedderComponent(
                                "a",
                                new EmbedderSource.OfService(
                                        new ServiceEmbedderSettings(
                                                Service.OPENAI,
                                                new Model(
                                                        "text-embedding-3-small",
                                                        512,
                                                        Quantization.AUTO,
                                                        true),
                                                new Access(
                                                        URI.create(
                                                                "https://api.openai.com/v1/embeddings"),
                                                        Optional.empty()),
                                                new TextPrefixes("", ""),
                                                16))),
                        new EmbedderComponent(
                                "b",
                                new EmbedderSource.OfService(
                                        new ServiceEmbedderSettings(
                                                Service.VOYAGE,
                                                new Model(
                                                        "voyage-3",
                                                        1024,
                                                        Quantization.BINARY,
                                                        false),
                                                new Access(
                                                        URI.create(
                                                                "http://localhost:8000/v1/embeddings"),
                                                        Optional.of("voyage-key")),
                                                new TextPrefixes("q: ", ""),
                                                64))));
        assertThat(findings.problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "file:///etc/passwd",
        "https://user:password@host/v1",
        "https://host/v1?key=1",
        "not a uri",
        "host/v1",
    })
    void rejectsEndpointsThatAreNoAddressOfAService(String endpoint) {
        assertThat(
                        embedders(
                                """
                                <component id="a" type="mistral-embedder">
                                  <model>mistral-embed</model>
                                  <dimensions>8</dimensions>
                                  <api-key-secret-ref>key</api-key-secret-ref>
                                  <endpoint>%s</endpoint>
                                </component>
                                """
                                        .formatted(endpoint)))
                .isEmpty();
        assertThat(findings.problems())
                .singleElement()
                .asString()
                .contains(
                        "endpoint is the address of a service, as https://api.mistral.ai/v1/embeddings; found '"
                                + endpoint
                                + "'");
    }

    @Test
    void readsEmbeddersThatAreDeclaredByAClass() {
        assertThat(
                        embedders(
                                """
                                <component id="words" class="com.yahoo.language.wordpiece.WordPieceEmbedder" bundle="linguistics-components">
                                  <config name="language.wordpiece.word-piece">
                                    <model><item><language>unknown</language><path>models/vocab.txt</path></item></model>
                                  </config>
                                </component>
                                <component id="com.yahoo.language.sentencepiece.SentencePieceEmbedder" bundle="linguistics-components">
                                  <config name="language.sentencepiece.sentence-piece">
                                    <collapseUnknowns>false</collapseUnknowns>
                                    <scoring>fewestSegments</scoring>
                                    <model>
                                      <item><language>en</language><path>models/none</path></item>
                                      <item><language>unknown</language><path>models/vocab.txt</path></item>
                                    </model>
                                  </config>
                                </component>
                                """))
                .containsExactly(
                        new EmbedderComponent(
                                "words",
                                new EmbedderSource.OfModel(new WordPieceSettings(VOCABULARY))),
                        new EmbedderComponent(
                                "com.yahoo.language.sentencepiece.SentencePieceEmbedder",
                                new EmbedderSource.OfModel(
                                        new SentencePieceSettings(
                                                VOCABULARY, Scoring.FEWEST_SEGMENTS, false))));
        assertThat(findings.problems()).isEmpty();
    }

    @Test
    void rejectsClassesWithoutAModelForAllLanguages() {
        embedders(
                """
                <component id="a" class="com.yahoo.language.wordpiece.WordPieceEmbedder"/>
                <component id="b" class="com.yahoo.language.wordpiece.WordPieceEmbedder">
                  <config name="language.wordpiece.word-piece">
                    <model>
                      <item><language>en</language><path>models/vocab.txt</path></item>
                      <item><language>no</language><path>models/vocab.txt</path></item>
                    </model>
                  </config>
                </component>
                <component id="c" class="com.yahoo.language.wordpiece.WordPieceEmbedder">
                  <config name="language.wordpiece.word-piece">
                    <model><item><path>models/vocabs.txt</path></item></model>
                  </config>
                </component>
                """);

        assertThat(findings.problems())
                .satisfiesExactly(
                        first -> assertThat(first).contains("expected one model"),
                        second -> assertThat(second).contains("expected one model"),
                        third -> assertThat(third).contains("no file models/vocabs.txt"));
    }

    @Test
    void fetchesModelsAtAUrl() {
        List<EmbedderComponent> embedders =
                embedders(
                        """
                        <component id="a" type="hugging-face-embedder">
                          <transformer-model url="https://example.com/m.onnx"/>
                          <tokenizer-model url="https://example.com/t.json"/>
                        </component>
                        """);

        assertThat(findings.problems()).isEmpty();
        assertThat(embedders)
                .singleElement()
                .extracting(EmbedderComponent::source)
                .isInstanceOfSatisfying(
                        EmbedderSource.OfModel.class,
                        source -> {
                            var settings = (HuggingFaceSettings) source.settings();
                            assertThat(settings.model().file()).hasToString("/fetched/m.onnx");
                            assertThat(settings.tokenizer().file()).hasToString("/fetched/t.json");
                        });
    }

    /** A setting of an embedder, and the threads that it gives. */
    @ParameterizedTest
    @CsvSource({
        "'', 0, 1, ADAPTIVE",
        "<onnx-intraop-threads>-4</onnx-intraop-threads>, -4, 1, SEQUENTIAL",
        "<onnx-intraop-threads>2</onnx-intraop-threads>, 2, 1, SEQUENTIAL",
        "<onnx-execution-mode>parallel</onnx-execution-mode>, -4, 1, PARALLEL",
        "<onnx-interop-threads>-2</onnx-interop-threads>, -4, -2, SEQUENTIAL"
    })
    void readsTheThreadsOfAnEmbedder(String setting, int intraOp, int interOp, ExecutionMode mode) {
        var settings = (HuggingFaceSettings) settings("hugging-face-embedder", setting);

        assertThat(findings.problems()).isEmpty();
        assertThat(settings.model().settings())
                .isEqualTo(new ModelSettings(intraOp, interOp, mode, true));
    }

    @ParameterizedTest
    @CsvSource({
        "'', true",
        "<attend-to-expansion-tokens>true</attend-to-expansion-tokens>, true",
        "<attend-to-expansion-tokens>false</attend-to-expansion-tokens>, false"
    })
    void readsWhetherVectorsOfMasksAreStored(String setting, boolean keepsMasks) {
        var settings = (ColbertSettings) settings("colbert-embedder", setting);

        assertThat(findings.problems()).isEmpty();
        assertThat(settings.keepsMasks()).isEqualTo(keepsMasks);
    }

    @ParameterizedTest
    @CsvSource({"0, true", "3, true", "-1, false"})
    void warnsOfAGraphicsProcessor(int device, boolean isWarned) {
        settings(
                "splade-embedder",
                "<onnx-gpu-device required=\"true\">%d</onnx-gpu-device>".formatted(device));

        assertThat(findings.problems()).isEmpty();
        assertThat(findings.notices().stream().map(Notice::message).toList())
                .isEqualTo(
                        isWarned
                                ? List.of(
                                        "services.xml:4:3: onnx-gpu-device: no model is run on a graphics processor here")
                                : List.of());
    }

    /** Returns the settings of an embedder with an element. */
    private EmbedderSettings settings(String type, String element) {
        List<EmbedderComponent> embedders =
                embedders(
                        """
                        <component id="a" type="%s">
                          <transformer-model url="https://example.com/m.onnx"/>
                          <tokenizer-model url="https://example.com/t.json"/>
                          %s
                        </component>
                        """
                                .formatted(type, element));
        return ((EmbedderSource.OfModel) embedders.getFirst().source()).settings();
    }

    @Test
    void findsModelsByTheirId() {
        List<EmbedderComponent> embedders =
                embedders(
                        """
                        <component id="a" type="hugging-face-embedder">
                          <transformer-model model-id="minilm-l6-v2"/>
                          <tokenizer-model model-id="minilm-l6-v2-vocab"/>
                        </component>
                        <component id="b" type="hugging-face-embedder">
                          <transformer-model model-id="minilm"/>
                          <tokenizer-model model-id="minilm-l6-v2"/>
                        </component>
                        """);

        assertThat(embedders)
                .singleElement()
                .extracting(EmbedderComponent::source)
                .isInstanceOfSatisfying(
                        EmbedderSource.OfModel.class,
                        source -> {
                            var settings = (HuggingFaceSettings) source.settings();
                            assertThat(settings.model().file())
                                    .hasToString("/models/all-minilm-l6-v2.onnx");
                            assertThat(settings.tokenizer().file())
                                    .hasToString("/models/all-minilm-l6-v2-tokenizer.json");
                        });
        assertThat(findings.problems())
                .singleElement()
                .asString()
                .contains("there is no model 'minilm', only bge-small-en, ");
    }

    @Test
    void saysWhyAModelAtAUrlIsNotFetched() {
        embedders(
                """
                <component id="a" type="hugging-face-embedder">
                  <transformer-model url="https://example.com/refused/m.onnx"/>
                  <tokenizer-model url="https://example.com/t.json"/>
                </component>
                """);

        assertThat(findings.problems())
                .singleElement()
                .asString()
                .contains(
                        "the model is at a url: not today. Put the file into the package, such as models/m.onnx, and name it with path");
    }

    private List<EmbedderComponent> embedders(String components) {
        String xml =
                "<services version='1.0'><container id='c' version='1.0'>%s</container></services>"
                        .formatted(components);
        var files =
                new FetchedFiles(
                        new MapFiles(Map.of("services.xml", xml, "models/vocab.txt", "")),
                        EmbedderComponentsTest::fetched);
        return ServicesReader.read(
                        files, Set.of(), ApplicationName.DEFAULT, new DocumentPlaces(), findings)
                .map(services -> services.containers().getFirst().embedders())
                .orElse(List.of());
    }

    private static Path fetched(URI uri) throws RemoteFileException {
        if (uri.getScheme().equals("model")) {
            return Path.of("/models", uri.getSchemeSpecificPart());
        }
        if (uri.getPath().startsWith("/refused/")) {
            throw new RemoteFileException("not today");
        }
        return Path.of("/fetched" + uri.getPath());
    }
}
