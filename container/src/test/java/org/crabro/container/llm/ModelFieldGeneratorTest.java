package org.crabro.container.llm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.crabro.component.LanguageModel;
import org.crabro.component.LanguageModelException;
import org.crabro.component.ModelRequest;
import org.crabro.component.QueryError;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.ranking.onnx.RunDeadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelFieldGeneratorTest {
    private final AtomicReference<ModelRequest> request = new AtomicReference<>();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    string        | {"f":"a b"}       | StringValue[value=a b]
                    int           | {"f":5}           | IntValue[value=5]
                    int           | {"f":"5"}         | nothing
                    int           | {"f":5000000000}  | nothing
                    int           | {"f":5.5}         | nothing
                    byte          | {"f":200}         | nothing
                    long          | {"f":5000000000}  | LongValue[value=5000000000]
                    double        | {"f":1.5}         | DoubleValue[value=1.5]
                    bool          | {"f":true}        | BoolValue[value=true]
                    array<string> | {"f":["a","b"]}   | ArrayValue[elements=[StringValue[value=a], StringValue[value=b]]]
                    array<string> | {"f":["a",1]}     | nothing
                    array<int>    | {"f":[1,2]}       | ArrayValue[elements=[IntValue[value=1], IntValue[value=2]]]
                    string        | {"g":"a"}         | nothing
                    string        | no JSON           | nothing
                    """)
    void readsAnswersInJson(String type, String answer, String value) throws Exception {
        var generator = generator(answer, Map.of());

        assertThat(
                        generator
                                .generate("in", "f", type(type))
                                .map(Object::toString)
                                .orElse("nothing"))
                .isEqualTo(value);
    }

    @Test
    void sendsThePromptAndASchema() throws Exception {
        var generator =
                generator(
                        "{\"f\":[\"x\"]}",
                        Map.of("promptTemplate", "Ask about {input} as {jsonSchema}"));

        generator.generate("boats {jsonSchema}", "f", new ArrayOf(Primitive.STRING));

        String schema =
                "{\"type\":\"object\",\"properties\":{\"f\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}},"
                        + "\"required\":[\"f\"],\"additionalProperties\":false}";
        assertThat(request.get().prompt()).isEqualTo("Ask about boats {jsonSchema} as " + schema);
        assertThat(request.get().options()).isEqualTo(Map.of("json_schema", schema));
        assertThat(request.get().isStreamed()).isFalse();
    }

    @Test
    void anAnswerInTextIsTheValue() throws Exception {
        var generator = generator(" a text\n", Map.of("responseFormatType", "TEXT"));

        assertThat(generator.generate("in", "f", Primitive.STRING).toString())
                .isEqualTo("Optional[StringValue[value=a text]]");
        assertThat(generator.generate("in", "f", Primitive.INT)).isEmpty();
        assertThat(request.get().prompt()).isEqualTo("in");
        assertThat(request.get().options()).isEmpty();
    }

    @Test
    void aWrongAnswerFailsIfTheConfigurationSaysSo() {
        var generator = generator("no", Map.of("invalidResponseFormatPolicy", "FAIL"));

        assertThatThrownBy(() -> generator.generate("in", "f", Primitive.INT))
                .isInstanceOf(LanguageModelException.class)
                .hasMessage("field generator 'given': the answer is no value of type int");
    }

    @Test
    void passesOnTheErrorOfTheModel() {
        var generator =
                generator(
                        (_, _) -> {
                            throw new LanguageModelException(QueryError.Kind.UNAVAILABLE, "off");
                        },
                        Map.of());

        assertThatThrownBy(() -> generator.generate("in", "f", Primitive.STRING))
                .isInstanceOfSatisfying(
                        LanguageModelException.class,
                        e ->
                                assertThat(e.error())
                                        .isEqualTo(
                                                new QueryError(
                                                        QueryError.Kind.UNAVAILABLE, "off")));
    }

    @Test
    void aCallEndsAtTheDeadlineOfTheWrite() throws Exception {
        ModelFieldGenerator generator = generator("{\"f\": \"out\"}", Map.of());

        Optional<FieldValue> value =
                RunDeadline.within(
                        System.nanoTime() + TimeUnit.SECONDS.toNanos(20),
                        () -> generated(generator));

        assertThat(value).isPresent();
        assertThat(request.get().timeout())
                .isPositive()
                .isLessThanOrEqualTo(Duration.ofSeconds(20));
        assertThat(generated(generator)).isPresent();
        assertThat(request.get().timeout()).isEqualTo(LanguageModelSettings.DEFAULT.timeout());
    }

    @Test
    void aWriteWithoutTimeCallsNoModel() {
        ModelFieldGenerator generator = generator("{\"f\": \"out\"}", Map.of());

        assertThatThrownBy(
                        () -> RunDeadline.within(System.nanoTime() - 1, () -> generated(generator)))
                .isInstanceOfSatisfying(
                        LanguageModelException.class,
                        e -> assertThat(e.error().kind()).isEqualTo(QueryError.Kind.TIMED_OUT))
                .hasMessage("no time is left for the language model");
    }

    private static Optional<FieldValue> generated(ModelFieldGenerator generator) {
        try {
            return generator.generate("in", "f", Primitive.STRING);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void rejectsATemplateThatIsNoText(@TempDir Path root) throws IOException {
        Files.write(root.resolve("p.txt"), new byte[] {(byte) 0xff});

        assertThatThrownBy(() ->
                        AnswerSettings.template(
                                "p.txt", new GivenContext(Map.of(), Map.of(), root)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("promptTemplate: 'p.txt' cannot be read as UTF-8: ");
    }

    @Test
    void rejectsAnUnknownFormat() {
        assertThatThrownBy(() -> generator("", Map.of("responseFormatType", "XML")))
                .hasMessage("responseFormatType: expected one of [TEXT, JSON], but found 'XML'");
    }

    private static FieldType type(String text) {
        return text.startsWith("array<")
                ? new ArrayOf(type(text.substring(6, text.length() - 1)))
                : Primitive.valueOf(text.toUpperCase(Locale.ROOT));
    }

    private ModelFieldGenerator generator(String answer, Map<String, String> config) {
        return generator((_, parts) -> parts.accept(answer), config);
    }

    private ModelFieldGenerator generator(LanguageModel model, Map<String, String> config) {
        LanguageModel recorded =
                (asked, parts) -> {
                    request.set(asked);
                    model.generate(asked, parts);
                };
        return new ModelFieldGenerator(
                new GivenContext(
                        Map.of(ModelFieldGenerator.CONFIG, new HashMap<>(config)),
                        Map.of("model", recorded),
                        Path.of("")),
                new ModelCalls(
                        LanguageModelSettings.DEFAULT,
                        System::nanoTime,
                        new LanguageModelMeters(new SimpleMeterRegistry(), System::nanoTime)));
    }
}
