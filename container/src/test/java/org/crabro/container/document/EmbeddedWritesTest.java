package org.crabro.container.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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
import org.crabro.container.processing.IndexingProcessor;
import org.crabro.container.processing.Surroundings;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.EmbeddingRefusedException;
import org.crabro.ranking.onnx.EmbeddingRefusedException.Reason;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Writes whose embeddings are not computed. */
class EmbeddedWritesTest {
    private static final TensorType VECTOR = TensorType.parse("tensor<float>(x[2])");

    @ParameterizedTest
    @EnumSource(Reason.class)
    void answersWithTheReasonOfAMissingEmbedding(Reason reason) {
        var writes =
                new IndexedWrites(
                        (_, _, _, _) -> {
                            throw new IllegalStateException("nothing is read");
                        },
                        (_, _, _) -> {
                            throw new IllegalStateException("nothing is written");
                        });
        var fed =
                new ConditionalOperation(
                        new DocumentOperation.Put(
                                new Document(
                                        DocumentId.parse("id:ns:type::1"),
                                        Map.of("title", new FieldValue.StringValue("a")))),
                        WriteCondition.NONE,
                        false);

        WriteResult reply =
                writes.write(
                        Principal.EVERYONE,
                        Deadline.after(Duration.ofMinutes(1)),
                        fed,
                        new IndexingProcessor(
                                schema(),
                                Map.of("e", new Refusing(reason)),
                                Surroundings.ofThisMachine()),
                        false,
                        _ -> {});

        assertThat(reply)
                .isEqualTo(
                        new WriteResult.Answered(
                                switch (reason) {
                                    case OVERLOADED ->
                                            new WriteReply.Overloaded(Duration.ofSeconds(1));
                                    case TIMED_OUT -> new WriteReply.TimedOut();
                                    case UPSTREAM_FAILED -> new WriteReply.Failed("no embedding");
                                }));
    }

    private static Schema schema() {
        SchemaField title = field("title", FieldType.Primitive.STRING, true);
        SchemaField vector =
                field(
                        "vector",
                        new FieldType.TensorOf(VECTOR),
                        false,
                        new Step.Input("title"),
                        new Step.Embed("e", VECTOR, Optional.empty()),
                        new Step.Output(Aspect.ATTRIBUTE, "vector"));
        return new Schema(
                "type",
                new DocumentType("type", List.of(title.field(), vector.field())),
                Map.of("title", title, "vector", vector));
    }

    private static SchemaField field(
            String name, FieldType type, boolean inDocument, Step... steps) {
        List<Statement> statements =
                steps.length == 0 ? List.of() : List.of(new Statement(List.of(steps)));
        return new SchemaField(
                new Field(name, type, inDocument),
                Set.of(),
                MatchMode.TEXT,
                DistanceMetric.EUCLIDEAN,
                new IndexingScript(statements));
    }

    private record Refusing(Reason reason) implements Embedder {
        @Override
        public DenseTensor embed(String text, Purpose purpose, TensorType type) {
            throw new EmbeddingRefusedException(reason, "no embedding");
        }

        @Override
        public void check(TensorType type) {}

        @Override
        public void close() {}
    }
}
