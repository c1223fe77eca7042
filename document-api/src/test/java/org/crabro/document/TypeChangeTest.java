package org.crabro.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.Map;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.MapOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.FieldValue.ArrayValue;
import org.crabro.document.FieldValue.IntValue;
import org.crabro.document.FieldValue.MapValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.document.FieldValue.StructValue;
import org.junit.jupiter.api.Test;

class TypeChangeTest {
    private static final StructOf BEFORE =
            struct("person", field("name", Primitive.STRING), field("age", Primitive.INT));
    private static final StructOf MORE =
            struct(
                    "person",
                    field("born", Primitive.INT),
                    field("age", Primitive.INT),
                    field("name", Primitive.STRING));
    private static final StructOf LESS = struct("person", field("name", Primitive.STRING));
    private static final StructOf OTHER =
            struct("person", field("name", Primitive.STRING), field("age", Primitive.STRING));
    private static final StructValue ANN =
            new StructValue(Map.of("name", new StringValue("Ann"), "age", new IntValue(7)));
    private static final StructValue NAME = new StructValue(Map.of("name", new StringValue("Ann")));

    private static Field field(String name, FieldType type) {
        return new Field(name, type, true);
    }

    private static StructOf struct(String name, Field... fields) {
        return new StructOf(name, List.of(fields));
    }

    @Test
    void leavesValuesOfTheSameTypeAsTheyAre() {
        var change = new TypeChange(BEFORE, BEFORE);

        assertThat(change.isNone()).isTrue();
        assertThat(change.read(ANN)).isSameAs(ANN);
        assertThat(change.lost("f")).isEmpty();
    }

    @Test
    void keepsMembersThatAreThereStill() {
        assertThat(new TypeChange(BEFORE, MORE).read(ANN)).isEqualTo(ANN);
        assertThat(new TypeChange(BEFORE, LESS).read(ANN)).isEqualTo(NAME);
        assertThat(new TypeChange(BEFORE, OTHER).read(ANN)).isEqualTo(NAME);
        assertThat(new TypeChange(LESS, BEFORE).read(NAME)).isEqualTo(NAME);
    }

    @Test
    void looksIntoArraysMapsAndStructs() {
        var before = new MapOf(Primitive.STRING, new ArrayOf(struct("outer", field("p", BEFORE))));
        var after = new MapOf(Primitive.STRING, new ArrayOf(struct("outer", field("p", LESS))));

        FieldValue read =
                new TypeChange(before, after)
                        .read(
                                new MapValue(
                                        Map.of(
                                                new StringValue("k"),
                                                new ArrayValue(
                                                        List.of(
                                                                new StructValue(
                                                                        Map.of("p", ANN)))))));

        assertThat(read)
                .isEqualTo(
                        new MapValue(
                                Map.of(
                                        new StringValue("k"),
                                        new ArrayValue(
                                                List.of(new StructValue(Map.of("p", NAME)))))));
    }

    @Test
    void returnsUnreadableAndRemovedFields() {
        var before = new ArrayOf(struct("outer", field("p", BEFORE), field("q", BEFORE)));
        var after = new ArrayOf(struct("outer", field("p", OTHER), field("r", BEFORE)));

        assertThat(new TypeChange(before, after).lost("f"))
                .containsExactly(
                        new TypeChange.Lost(
                                "f.p.age", new TypeChange(Primitive.INT, Primitive.STRING)));
        assertThat(new TypeChange(before, after).gone("f"))
                .containsExactly(new TypeChange.Gone("f.q", BEFORE));
        assertThat(new TypeChange(BEFORE, MORE).gone("f")).isEmpty();
        assertThat(new TypeChange(new MapOf(Primitive.STRING, BEFORE), BEFORE).gone("f")).isEmpty();
        assertThat(
                        new TypeChange(
                                        new MapOf(Primitive.STRING, BEFORE),
                                        new MapOf(Primitive.STRING, LESS))
                                .gone("f"))
                .containsExactly(new TypeChange.Gone("f.age", Primitive.INT));
        assertThat(new TypeChange(BEFORE, MORE).lost("f")).isEmpty();
        assertThat(new TypeChange(BEFORE, LESS).lost("f")).isEmpty();
    }

    @Test
    void readsNothingOfAnotherType() {
        for (TypeChange change :
                List.of(
                        new TypeChange(Primitive.INT, Primitive.LONG),
                        new TypeChange(BEFORE, struct("human", field("name", Primitive.STRING))),
                        new TypeChange(new ArrayOf(BEFORE), BEFORE),
                        new TypeChange(
                                new MapOf(Primitive.STRING, BEFORE),
                                new MapOf(Primitive.INT, BEFORE)),
                        new TypeChange(
                                new WeightedSetOf(Primitive.INT),
                                new WeightedSetOf(Primitive.STRING)))) {
            assertThat(change.isReadable()).as(change.toString()).isFalse();
            assertThat(change.lost("f")).containsExactly(new TypeChange.Lost("f", change));
            assertThatIllegalStateException().isThrownBy(() -> change.read(new IntValue(1)));
        }
    }
}
