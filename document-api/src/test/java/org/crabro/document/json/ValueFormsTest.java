package org.crabro.document.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.FormsTable.Handling;
import org.crabro.document.json.FormsTable.ValueLine;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reader and the writer of values treat each form as {@link FormsTable} says. */
class ValueFormsTest {
    @ParameterizedTest
    @MethodSource
    void readsAndWritesEachAcceptedForm(ValueLine line) {
        Map<String, FieldValue> fields = line.read();

        assertThat(written(fields.get(line.field()))).isEqualTo(line.text());
    }

    static Stream<ValueLine> readsAndWritesEachAcceptedForm() {
        return FormsTable.lines().stream().filter(line -> line.handling() != Handling.ERROR);
    }

    @ParameterizedTest
    @MethodSource("org.crabro.document.json.FormsTable#values")
    void readsWhatItWrites(ValueLine line) {
        var written = new ValueLine(line.field(), line.text(), line.handling(), line.text());

        if (line.text().matches(".*[:,\\[]null.*")) {
            // Cells of tensors that are not finite.
            assertThatThrownBy(written::read).hasMessageContaining("found null");
        } else {
            assertThat(written.read()).isEqualTo(line.read());
        }
    }

    @ParameterizedTest
    @MethodSource
    void rejectsEachRejectedForm(ValueLine line) {
        assertThatThrownBy(line::read)
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining(line.text());
    }

    static Stream<ValueLine> rejectsEachRejectedForm() {
        return FormsTable.lines().stream().filter(line -> line.handling() == Handling.ERROR);
    }

    @Test
    void hasAnAcceptedLineOfEachField() {
        assertThat(FormsTable.values().stream().map(ValueLine::field).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        FormsTable.TYPE.fields().stream().map(Field::name).toList());
    }

    /** A new kind of type needs a field in the table. */
    @Test
    void hasAFieldOfEachKindOfType() {
        List<FieldType> types = FormsTable.TYPE.fields().stream().map(Field::type).toList();
        Set<Class<?>> kinds = new HashSet<>();
        types.forEach(type -> kinds.add(type.getClass()));

        assertThat(types).contains(FieldType.Primitive.values());
        assertThat(kinds).containsAll(kinds(FieldType.class).toList());
    }

    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isSealed() && type.isInterface()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(ValueFormsTest::kinds)
                : Stream.of(type);
    }

    private static String written(@Nullable FieldValue value) {
        return value == null
                ? ""
                : new String(FieldValueWriter.utf8(value, TensorFormat.SHORT), UTF_8);
    }
}
