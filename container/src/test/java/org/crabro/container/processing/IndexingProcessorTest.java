package org.crabro.container.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.IndexingScript.Statement;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.MixedTensorValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.FieldValue.TensorValue;
import org.crabro.protocol.wire.Deadline;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

class IndexingProcessorTest {
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(x[2])");

    private final LengthEmbedder embedder = new LengthEmbedder();
    private final List<SchemaField> fields = new ArrayList<>();

    @Test
    void storesFieldsWithoutScriptsAsTheyCome() {
        field("title", Primitive.STRING, true);
        field("year", Primitive.INT, true);

        Document stored = process(Map.of("year", new IntValue(1), "title", string("x")));

        assertThat(stored.fields())
                .containsExactly(
                        Map.entry("title", string("x")), Map.entry("year", new IntValue(1)));
    }

    @Test
    void keepsAFieldThatIsSentToItself() {
        field("title", Primitive.STRING, true, output(Aspect.SUMMARY, "title"));
        field("year", Primitive.INT, true, input("year"), output(Aspect.ATTRIBUTE, "year"));

        assertThat(process(Map.of("title", string("x"))).fields())
                .isEqualTo(Map.of("title", string("x")));
        assertThat(process(Map.of("year", new IntValue(1))).fields())
                .isEqualTo(Map.of("year", new IntValue(1)));
    }

    @Test
    void fillsFieldsOutsideTheDocument() {
        field("title", Primitive.STRING, true);
        field("year", Primitive.INT, true);
        field(
                "all",
                Primitive.STRING,
                false,
                joined(of(input("title")), of(Step.Literal.of(" in ")), of(input("year"))),
                output(Aspect.INDEX, "all"));

        assertThat(process(Map.of("title", string("x"), "year", new IntValue(1))).value("all"))
                .contains(string("x in 1"));
        assertThat(process(Map.of("title", string("x"))).value("all")).isEmpty();
    }

    @Test
    void usesTheFirstAlternativeWithAValue() {
        field("title", Primitive.STRING, true);
        field("body", Primitive.STRING, true);
        field(
                "text",
                Primitive.STRING,
                false,
                new Step.FirstOf(
                        List.of(
                                of(input("title")),
                                of(input("body")),
                                of(Step.Literal.of("none")))),
                output(Aspect.INDEX, "text"));

        assertThat(process(Map.of("body", string("b"))).value("text")).contains(string("b"));
        assertThat(process(Map.of("body", string("b"), "title", string("t"))).value("text"))
                .contains(string("t"));
        assertThat(process(Map.of()).value("text")).contains(string("none"));
    }

    @Test
    void joinsArrays() {
        field("a", new ArrayOf(Primitive.STRING), true);
        field("b", new ArrayOf(Primitive.STRING), true);
        field("s", Primitive.STRING, true);
        field(
                "all",
                new ArrayOf(Primitive.STRING),
                false,
                new Step.Concatenation(List.of(of(input("a")), of(input("b"))), true),
                output(Aspect.INDEX, "all"));
        field(
                "both",
                Primitive.STRING,
                false,
                joined(of(input("a")), of(input("s"))),
                output(Aspect.INDEX, "both"));

        var xs = new ArrayValue(List.of(string("x")));
        Document stored = process(Map.of("b", xs, "s", string("t")));
        assertThat(stored.value("all")).contains(xs);
        assertThat(stored.value("both")).as("a part is missing").isEmpty();
        assertThat(process(Map.of("a", xs, "s", string("t"))).value("both"))
                .contains(string("[x]t"));
    }

    @Test
    void embedsTextIntoTheTypeOfTheFieldItGoesTo() {
        field("title", Primitive.STRING, true, output(Aspect.INDEX, "title"));
        embedding("first");
        embedding("second");

        Document stored = process(Map.of("title", string("four")));

        var vector = new TensorValue(DenseTensor.of(VECTOR, new double[] {4, 1}));
        assertThat(stored.value("first")).contains(vector);
        assertThat(stored.value("second")).contains(vector);
        assertThat(embedder.texts).as("equal texts are embedded once").containsExactly("four");
    }

    @Test
    void embedsTheTextsOfSeveralFieldsInOneCall() {
        field("title", Primitive.STRING, true);
        field("parts", new ArrayOf(Primitive.STRING), true);
        embedding("first");
        TensorType ofParts = TensorType.parse("tensor<float>(p{},x[2])");
        field(
                "second",
                new TensorOf(ofParts),
                false,
                input("parts"),
                new Step.Embed("length", ofParts, Optional.of("p")),
                output(Aspect.ATTRIBUTE, "second"));

        Document stored =
                process(
                        Map.of(
                                "title",
                                string("four"),
                                "parts",
                                new ArrayValue(List.of(string("a"), string(""), string("four")))));

        assertThat(embedder.calls).containsExactly(List.of("four", "a"));
        assertThat(stored.value("second"))
                .contains(
                        new MixedTensorValue(
                                MixedTensor.of(
                                        ofParts,
                                        Map.of(
                                                List.of("0"),
                                                new double[] {1, 1},
                                                List.of("2"),
                                                new double[] {4, 1}))));
    }

    @Test
    void passesTheRemainingTimeToTheEmbedder() {
        field("title", Primitive.STRING, true);
        embedding("vector");
        IndexingProcessor processor = processor(Map.of("length", embedder));
        var fed = new Document(DocumentId.parse("id:ns:type::1"), Map.of("title", string("four")));

        processor.process(fed);
        processor.until(Deadline.after(Duration.ofMinutes(3))).process(fed);

        assertThat(processor.embeds()).isTrue();
        assertThat(embedder.timeouts.getFirst()).isEqualTo(Embedder.Target.NO_TIMEOUT);
        assertThat(embedder.timeouts.getLast())
                .isBetween(Duration.ofMinutes(1), Duration.ofMinutes(3));
    }

    @Test
    void embedsNothingForNothing() {
        field("title", Primitive.STRING, true);
        embedding("vector");

        assertThat(process(Map.of("title", string(" \n"))).value("vector")).isEmpty();
        assertThat(process(Map.of()).value("vector")).isEmpty();
        assertThat(embedder.texts).isEmpty();
    }

    @Test
    void refusesScriptsThatCannotEmbed() {
        field("title", Primitive.STRING, true);
        embedding("vector");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> processor(Map.of()))
                .withMessage(
                        "schema 'type', field 'vector': there is no embedder 'length', only []");
    }

    @Test
    void refusesAFieldThatTheEmbedderCannotFill() {
        field("title", Primitive.STRING, true);
        field(
                "vector",
                new TensorOf(TensorType.parse("tensor(x[3])")),
                false,
                input("title"),
                new Step.Embed("length", TensorType.parse("tensor(x[3])"), Optional.empty()),
                output(Aspect.ATTRIBUTE, "vector"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> processor(Map.of("length", embedder)))
                .withMessage("schema 'type', field 'vector': lengths have 2 cells");
    }

    private void embedding(String name) {
        field(
                name,
                new TensorOf(VECTOR),
                false,
                input("title"),
                new Step.Embed("length", VECTOR, Optional.empty()),
                output(Aspect.ATTRIBUTE, name),
                output(Aspect.INDEX, name));
    }

    private void field(String name, FieldType type, boolean inDocument, Step... steps) {
        List<Statement> statements = steps.length == 0 ? List.of() : List.of(of(steps));
        fields.add(
                new SchemaField(
                        new Field(name, type, inDocument),
                        Set.of(),
                        MatchMode.TEXT,
                        DistanceMetric.EUCLIDEAN,
                        new IndexingScript(statements)));
    }

    private Document process(Map<String, FieldValue> fed) {
        IndexingProcessor processor = processor(Map.of("length", embedder));
        return processor.process(new Document(DocumentId.parse("id:ns:type::1"), fed));
    }

    private IndexingProcessor processor(Map<String, Embedder> embedders) {
        return new IndexingProcessor(schema(), embedders, Surroundings.ofThisMachine());
    }

    private Schema schema() {
        var byName = new LinkedHashMap<String, SchemaField>();
        fields.forEach(field -> byName.put(field.field().name(), field));
        var type = new DocumentType("type", fields.stream().map(SchemaField::field).toList());
        return new Schema("type", type, byName);
    }

    private static Statement of(Step... steps) {
        return new Statement(List.of(steps));
    }

    private static Step input(String field) {
        return new Step.Input(field);
    }

    private static Step joined(Statement... parts) {
        return new Step.Concatenation(List.of(parts));
    }

    private static Step output(Aspect aspect, String field) {
        return new Step.Output(aspect, field);
    }

    private static StringValue string(String text) {
        return new StringValue(text);
    }

    /** Embeds a text as its length, and 1 for a document. */
    private static final class LengthEmbedder implements Embedder {
        final List<String> texts = new ArrayList<>();
        final List<List<String>> calls = new ArrayList<>();
        final List<Duration> timeouts = new ArrayList<>();

        @Override
        public List<Tensor> embedAll(List<String> all, Target target) {
            calls.add(all);
            timeouts.add(target.timeout());
            return Embedder.super.embedAll(all, target);
        }

        @Override
        public DenseTensor embed(String text, Purpose purpose, TensorType type) {
            texts.add(text);
            double[] cells = {text.length(), purpose == Purpose.DOCUMENT ? 1 : 2};
            return DenseTensor.of(type, cells);
        }

        @Override
        public void check(TensorType type) {
            if (type.cellCount() != 2) {
                throw new IllegalArgumentException("lengths have 2 cells");
            }
        }

        @Override
        public void close() {}
    }
}
