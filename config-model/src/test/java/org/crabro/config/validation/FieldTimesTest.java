package org.crabro.config.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.Findings;
import org.crabro.config.parser.SchemaParser;
import org.crabro.config.parser.SourceText;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.document.time.TimeKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The setting {@code kind} of fields. */
class FieldTimesTest {
    private static final String STRUCT =
            "struct event { field at type long {} field key type long {} field days type map<string, long> {} }";

    private final Findings findings = new Findings();

    private Optional<Schema> compile(String field) {
        String text =
                "schema s { document s { %s %s } }".formatted(STRUCT, field.replace("  ", "\n"));
        SchemaParser.Result parsed = SchemaParser.parse(new SourceText("schemas/s.sd", text));
        parsed.errors().forEach(error -> findings.problem(String.valueOf(error.getMessage())));
        return parsed.schema()
                .filter(_ -> parsed.errors().isEmpty())
                .flatMap(schema ->
                        SchemaCompiler.compile(
                                schema,
                                new Components(
                                        Optional.of(Set.of()),
                                        Set.of(Mode.INDEX),
                                        Map.of(),
                                        Map.of(),
                                        Set.of("s"),
                                        Set.of()),
                                findings));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    field f type long { indexing: attribute  kind: time } => f => SECONDS
                    field f type long { indexing: attribute | summary  kind: time-ms  alias: g } => g => MILLIS
                    field f type long { kind: time-us } => f => MICROS
                    field f type array<long> { kind: date } => f => DAYS
                    field f type map<string, long> { kind: date } => f.value => DAYS
                    field f type map<string, array<long>> { struct-field value { kind: date } } => f.value => DAYS
                    field f type event { struct-field at { kind: time } } => f.at => SECONDS
                    field f type event { struct-field key { kind: time } } => f.key => SECONDS
                    field f type array<event> { struct-field at { kind: time } } => f.at => SECONDS
                    field f type array<event> { struct-field days { kind: date } } => f.days.value => DAYS
                    field f type map<string, event> { struct-field value.at { indexing: attribute  kind: time  } } => f.value.at => SECONDS
                    field f type map<string, event> { struct-field value { struct-field at { kind: time } } } => f.value.at => SECONDS
                    """)
    void findsTimes(String field, String path, TimeKind kind) {
        Schema schema = compile(field).orElseThrow();
        assertThat(findings.problems()).isEmpty();
        assertThat(schema.times(path).kind()).contains(kind);
        schema.part(path)
                .ifPresent(part -> assertThat(part.field().values().times().kind()).contains(kind));
        assertThat(schema.times().keySet()).containsExactly("f");
    }

    @Test
    void findsNoOtherTimes() {
        Schema schema = compile("field f type long {} field e type event {}").orElseThrow();
        assertThat(schema.times()).isEmpty();
        assertThat(schema.times("f").isEmpty()).isTrue();
        assertThat(schema.times("missing.at").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    field f type long { kind: tim } => unknown kind 'tim': expected one of time, time-ms, time-us, date
                    field f type int { kind: time } => kind is for type long, and for arrays and maps of it, not for int
                    field f type string { kind: time } => kind is for type long, and for arrays and maps of it, not for string
                    field f type array<int> { kind: time } => kind is for type long, and for arrays and maps of it, not for int
                    field f type weightedset<long> { kind: time } => kind is for type long, and for arrays and maps of it, not for weightedset<long>
                    field f type event { kind: time } => kind is for type long, and for arrays and maps of it, not for event
                    field f type map<long, long> { struct-field key { kind: time } } => kind is for the values of a map, not for its keys
                    field f type long { kind: time  kind: date } => kind is given twice for one field
                    field f type long { kind: } => expected
                    struct x { field at type long { kind: time } } => kind cannot stand in a field of a struct; write it into a struct-field of the field that has the struct
                    """)
    void rejectsOtherKinds(String field, String message) {
        compile(field);
        assertThat(findings.problems())
                .anySatisfy(problem -> assertThat(problem.toString()).contains(message));
    }
}
