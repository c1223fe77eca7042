package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.ranking.kernel.KernelWarmUp;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

class SearchWarmUpTest {
    private static final SchemaField TITLE =
            field("title", FieldType.Primitive.STRING, Aspect.INDEX, MatchMode.TEXT);
    private static final SchemaField TAG =
            field("tag", FieldType.Primitive.STRING, Aspect.ATTRIBUTE, MatchMode.WORD);
    private static final SchemaField SIZE =
            field("size", FieldType.Primitive.INT, Aspect.ATTRIBUTE, MatchMode.WORD);
    private static final SchemaField SHOWN =
            field("shown", FieldType.Primitive.STRING, Aspect.SUMMARY, MatchMode.TEXT);
    private static final SchemaField KEYS =
            field(
                    "keys",
                    new FieldType.WeightedSetOf(FieldType.Primitive.STRING),
                    Aspect.INDEX,
                    MatchMode.TEXT);
    private static final SchemaField LABELS =
            field(
                    "labels",
                    new FieldType.WeightedSetOf(FieldType.Primitive.STRING),
                    Aspect.ATTRIBUTE,
                    MatchMode.TEXT);
    private static final SchemaField VECTOR =
            field("vector", "tensor<float>(x[32])", Aspect.ATTRIBUTE);
    private static final SchemaField PARTS =
            field("parts", "tensor<int8>(p{},x[16])", Aspect.ATTRIBUTE);
    private static final SchemaField MATRIX =
            field("matrix", "tensor<float>(x[2],y[2])", Aspect.ATTRIBUTE);
    private static final SchemaField KEPT = field("kept", "tensor<float>(x[64])", Aspect.SUMMARY);

    @Test
    void runsWhatFieldsAreSearchedWith() {
        assertThat(SearchWarmUp.loops(List.of())).isEmpty();
        assertThat(SearchWarmUp.loops(List.of(schema(TAG, SIZE, SHOWN, MATRIX, KEPT, LABELS))))
                .isEmpty();
        for (SchemaField words : List.of(TITLE, KEYS)) {
            assertThat(SearchWarmUp.loops(List.of(schema(words))))
                    .containsExactly(new KernelWarmUp.Numbers());
        }
        assertThat(SearchWarmUp.loops(List.of(schema(TITLE, VECTOR), schema(PARTS, TITLE))))
                .containsExactlyInAnyOrder(
                        new KernelWarmUp.Numbers(),
                        vectors("tensor<float>(x[32])"),
                        vectors("tensor<int8>(x[16])"));
    }

    @Test
    void acceptsPlansUntilItIsClosed() {
        var warmUp = new SearchWarmUp(Duration.ofDays(1), () -> 0);

        warmUp.plan(List.of(schema(VECTOR)));
        assertThat(warmUp.planned()).isEqualTo(1);
        warmUp.plan(List.of(schema(SIZE)));
        assertThat(warmUp.planned()).isEqualTo(1);
        warmUp.close();
        assertThat(warmUp.planned()).isZero();
        warmUp.plan(List.of(schema(VECTOR)));
        assertThat(warmUp.planned()).isZero();
    }

    @Test
    void letsNewRequestsGoFirstForSomeSeconds() {
        var requests = new AtomicLong(7);
        var now = new AtomicLong(Long.MAX_VALUE - 1);
        var turn = new SearchWarmUp.Turn(requests::get, now::get);
        long millisecond = 1_000_000;

        assertThat(turn.left()).isNotPositive();
        requests.incrementAndGet();
        assertThat(turn.left()).isEqualTo(250 * millisecond);
        now.addAndGet(100 * millisecond);
        assertThat(turn.left()).isEqualTo(150 * millisecond);
        requests.incrementAndGet();
        assertThat(turn.left()).isEqualTo(250 * millisecond);
        now.addAndGet(250 * millisecond);
        assertThat(turn.left()).isNotPositive();

        now.addAndGet(9_550 * millisecond);
        requests.incrementAndGet();
        assertThat(turn.left()).isEqualTo(100 * millisecond);
        now.addAndGet(100 * millisecond);
        requests.incrementAndGet();
        assertThat(turn.left()).isNotPositive();
    }

    private static KernelWarmUp.Loops vectors(String type) {
        return new KernelWarmUp.Vectors(DistanceMetric.ANGULAR, TensorType.parse(type));
    }

    private static SchemaField field(String name, String type, Aspect aspect) {
        var tensor = new FieldType.TensorOf(TensorType.parse(type));
        return field(name, tensor, aspect, MatchMode.WORD);
    }

    private static SchemaField field(String name, FieldType type, Aspect aspect, MatchMode match) {
        return new SchemaField(
                new Field(name, type, true),
                Set.of(aspect),
                match,
                DistanceMetric.ANGULAR,
                new IndexingScript(List.of()));
    }

    private static Schema schema(SchemaField... fields) {
        var byName = new LinkedHashMap<String, SchemaField>();
        for (SchemaField field : fields) {
            byName.put(field.field().name(), field);
        }
        List<Field> stored = byName.values().stream().map(SchemaField::field).toList();
        return new Schema("item", new DocumentType("item", stored), byName);
    }
}
