package org.crabro.config.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.application.Findings;
import org.crabro.config.application.Notice;
import org.crabro.config.parser.SchemaParser;
import org.crabro.config.parser.SourceText;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.StructOf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The types that fields of a schema can have, and the messages for others. */
class FieldTypesTest {
    private static final String STRUCTS =
            """
            struct name { field first type string {} field last type string {} }
            struct person inherits name { field born type int {} field emails type array<string> {} }
            struct team { field lead type person {} field people type map<string, person> {} }
            annotation old { field span type string {} }
            """;

    private final Findings findings = new Findings();

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    string                           => string
                    bool                             => bool
                    byte                             => byte
                    int                              => int
                    long                             => long
                    float                            => float
                    float16                          => float16
                    double                           => double
                    uri                              => uri
                    raw                              => raw
                    predicate                        => predicate
                    position                         => position{lat double lng double}
                    tag                              => weightedset<string>
                    string[]                         => array<string>
                    array<int>                       => array<int>
                    array<array<double>>             => array<array<double>>
                    array<position>                  => array<position{lat double lng double}>
                    array<name>                      => array<name{first string last string}>
                    weightedset<string>              => weightedset<string>
                    weightedset<long>                => weightedset<long>
                    map<string, int>                 => map<string, int>
                    map<int, array<string>>          => map<int, array<string>>
                    map<string, map<byte, name>>     => map<string, map<byte, name{first string last string}>>
                    person                           => person{first string last string born int emails array<string>}
                    map<string, person>              => map<string, person{first string last string born int emails array<string>}>
                    team                             => team{lead person{first string last string born int emails array<string>} people map<string, person{first string last string born int emails array<string>}>}
                    tensor(x{})                      => tensor(x{})
                    tensor<float>(y[3],x{})          => tensor<float>(x{},y[3])
                    tensor<int8>(a{},b{},c[2],d[2])  => tensor<int8>(a{},b{},c[2],d[2])
                    annotationreference<old>         => annotationreference<old>{}
                    """)
    void knowsTypes(String written, String type) {
        assertThat(text(type(written))).isEqualTo(type);
        assertThat(findings.problems()).isEmpty();
    }

    @Test
    void structsMayStandInTheDocumentAndBehindWhatNamesThem() {
        Optional<Schema> schema =
                compile(
                        """
                        schema s { document s {
                            field a type array<inner> {}
                            struct inner { field b type outer {} }
                        }
                        struct outer { field c type int { id: 5 } field d type string { match: cased } }
                        }
                        """);

        assertThat(findings.problems()).isEmpty();
        assertThat(text(schema.orElseThrow().field("a").orElseThrow().field().type()))
                .isEqualTo("array<inner{b outer{c int d string}}>");
    }

    @Test
    void aTagIsAWeightedSetOfWords() {
        Schema schema = compile(document("field a type tag { indexing: index }")).orElseThrow();

        assertThat(schema.field("a").orElseThrow().matching().mode()).isEqualTo(MatchMode.WORD);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    integer                       => 14: unknown type 'integer'
                    persn                         => 14: unknown type 'persn'; did you mean 'person'?
                    strng                         => 14: unknown type 'strng'; did you mean 'string'?
                    other                         => 14: fields that hold a document are not built: in JSON a document has no form within another; use a struct with its fields, or reference<other>
                    string<int>                   => 14: type string takes no types between < and >
                    person<int>                   => 14: type person takes no types between < and >
                    array                         => 14: array takes one type, as in array<string>
                    array<string,int>             => 14: array takes one type, as in array<string>
                    array<tensor(x[2])>           => 20: a collection holds no tensors; use a tensor with a mapped dimension instead
                    array<predicate>              => 20: a collection holds no predicates
                    map<string,tensor(x[2])>      => 25: a collection holds no tensors; use a tensor with a mapped dimension instead
                    weightedset                   => 14: weightedset takes one type, as in weightedset<string>
                    weightedset<person>           => 26: keys of maps and elements of weighted sets are texts, numbers or bools, not person
                    weightedset<array<int>>       => 26: keys of maps and elements of weighted sets are texts, numbers or bools, not array<int>
                    map<string>                   => 14: map takes two types, as in map<string, int>
                    map<raw,int>                  => 18: keys of maps and elements of weighted sets are texts, numbers or bools, not raw
                    map<person,int>               => 18: keys of maps and elements of weighted sets are texts, numbers or bools, not person
                    reference<othr>               => 24: unknown document type 'othr'; did you mean 'other'?
                    reference                     => 14: reference takes the name of a document type
                    array<reference<other>>       => 20: a collection holds no references
                    map<reference<other>,int>     => 18: a collection holds no references
                    annotationreference<odl>      => 34: unknown annotation 'odl'; did you mean 'old'?
                    annotationreference           => 14: annotationreference takes the name of an annotation
                    tensor()                      => 14: a field's tensor needs a dimension; use type double
                    tensor(x[20000000])           => 14: tensor(x[20000000]) has 20,000,000 cells, more than the limit of 16,777,216
                    tensor(k{},x[20000000])       => 14: tensor(k{},x[20000000]) has 20,000,000 cells, more than the limit of 16,777,216
                    tensor(x[])                   => 14: at character 10 of 'tensor(x[])': dimension 'x' needs a size: unbound dimensions are not built
                    tensor(x{},x[2])              => 14: at character 1 of 'tensor(x{},x[2])': two dimensions called 'x'
                    """)
    void rejectsUnreadableTypes(String type, String message) {
        compile(document("field a type " + type + " {}"));

        assertThat(findings.problems())
                .first()
                .asString()
                .startsWith("schemas/s.sd:8:" + message + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    struct a { field b type int {} field b type int {} }  => 38: struct 'a' has the field 'b' twice
                    struct a inherits person { field born type int {} }   => 34: struct 'a' inherits a field 'born' and cannot declare it again
                    struct a inherits name, person {}                     => 25: struct 'a' inherits two fields called 'first'
                    struct a inherits nme {}                              => 19: struct 'a' inherits 'nme', which does not exist; did you mean 'name'?
                    struct a inherits a {}                                => 19: struct 'a' inherits itself: a inherits a
                    struct s {}                                           => 8: a struct cannot be called as the document, s
                    struct name {}                                        => 8: struct 'name' is declared twice; the first is at line 3
                    struct string {}                                      => 8: 'string' is a type and cannot be a struct's name
                    struct map {}                                         => 8: 'map' is a type and cannot be a struct's name
                    annotation old {}                                     => 12: annotation 'old' is declared twice; the first is at line 6
                    struct a { field b type int { indexing: index } }     => 31: indexing cannot stand in a field of a struct; write it into a struct-field of the field that has the struct
                    struct a { field b type int { mtach: word } }         => 31: expected one of id, match but found 'mtach'; did you mean 'match'?
                    struct a { field b type int }                         => 29: expected '{' but found '}'
                    struct a { b type int {} }                            => 12: expected 'field' but found 'b'
                    annotation a inherits b, c {}                         => 24: expected '{' but found ','
                    """)
    void rejectsWrongStructs(String struct, String message) {
        compile("schema s { document s {}\n\n" + STRUCTS + "\n" + struct + " }");

        assertThat(findings.problems())
                .first()
                .asString()
                .startsWith("schemas/s.sd:8:" + message + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    struct a { field b type a {} }                                    | 16 | 16
                    struct a { field v type int {} field b type array<a> {} }         | 16 | 16
                    struct a { field v type int {} field b type map<string, a> {} }   | 16 | 16
                    struct a { field v type int {} field b type a {} field c type a {} } | 8 | 8
                    struct a { field b type c {} } struct c { field d type a {} }     | 16 | 8
                    struct a { field b type c {} } struct c { field v type int {} field d type e {} } struct e { field e type e {} } | 0 | 1
                    """)
    void aStructMayContainItselfToADepth(String structs, int warned, int depth) {
        Schema schema =
                compile(
                                "schema s { document s {\nfield x type a {}\n"
                                        + structs.replace("} struct", "}\nstruct")
                                        + "\n} }")
                        .orElseThrow();

        assertThat(findings.problems()).isEmpty();
        assertThat(nesting(schema.field("x").orElseThrow().field().type())).isEqualTo(depth);
        if (warned > 0) {
            assertThat(findings.notices())
                    .extracting(Notice::message)
                    .anyMatch(message ->
                            message.endsWith(
                                    "struct 'a' contains itself: documents can nest it %d deep"
                                            .formatted(warned)));
        }
    }

    /** Returns how many structs called 'a' are within each other. */
    private static int nesting(FieldType type) {
        return switch (type) {
            case FieldType.Primitive _, FieldType.ReferenceOf _, FieldType.TensorOf _ -> 0;
            case FieldType.ArrayOf(var element) -> nesting(element);
            case FieldType.WeightedSetOf(var element) -> nesting(element);
            case FieldType.MapOf(_, var value) -> nesting(value);
            case StructOf(var name, var fields) ->
                    (name.equals("a") ? 1 : 0)
                            + fields.stream()
                                    .mapToInt(field -> nesting(field.type()))
                                    .max()
                                    .orElse(0);
        };
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    struct a { field b type array<a> {} field c type strng {} }       | unknown type 'strng'
                    struct a { field b type c {} } struct c { field d type a {} field e type strng {} } | unknown type 'strng'
                    struct a inherits b {} struct b { field c type array<a> {} }      | inherits itself
                    """)
    void reportsEachProblemOfAStructThatContainsItselfOnce(String structs, String problem) {
        compile("schema s { document s {\n" + structs.replace("} struct", "}\nstruct") + "\n} }");

        assertThat(findings.problems()).singleElement().asString().contains(problem);
    }

    @Test
    void findsTheStructsThatContainThemselvesAndNoOthers() {
        String structs =
                """
                struct a { field b type b {} }
                struct b { field c type array<c> {} field e type e {} }
                struct c { field b type map<string, b> {} field d type d {} }
                struct d { field f type f {} }
                struct e { field x type int {} }
                struct f { field f type f {} }
                struct g inherits e { field a type a {} }
                """;

        compile("schema s { document s {\n" + structs + "} }");

        assertThat(findings.problems()).isEmpty();
        assertThat(findings.notices())
                .extracting(Notice::message)
                .filteredOn(message -> message.contains("contains itself"))
                .extracting(message -> message.replaceAll(".*struct '(.)' contains.*", "$1"))
                .containsExactlyInAnyOrder("b", "c", "f");
    }

    @Test
    void readsManyStructsThatContainEachOther() {
        var structs = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            structs.append("struct s%d { field a type s%d {} }\n".formatted(i, (i + 1) % 20_000));
        }

        compile("schema s { document s {\n" + structs + "} }");

        assertThat(findings.problems()).isEmpty();
    }

    @Test
    void boundsStructsThatContainThemselves() {
        var members = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            members.append("field b%d type array<a> {}\n".formatted(i));
        }

        compile("schema s { document s {\nstruct a {\n" + members + "}\n} }");

        assertThat(findings.problems())
                .singleElement()
                .asString()
                .contains(
                        "struct 'a' contains itself: nested 4 deep, it has more than 1,000 fields");
    }

    @Test
    void boundsStructsOfStructs() {
        var structs = new StringBuilder("struct s0 { field a type int {} }\n");
        for (int i = 1; i < 40; i++) {
            structs.append("struct s%d { field a type s%d {} }%n".formatted(i, i - 1));
        }
        compile("schema s { document s {}\n" + structs + "}");
        assertThat(findings.problems())
                .first()
                .asString()
                .contains("structs hold or inherit structs more than 32 deep");

        var wide = new StringBuilder("struct s0 { field a type int {} }\n");
        for (int i = 1; i < 20; i++) {
            wide.append(
                    "struct s%d { field a type s%d {} field b type s%d {} }%n"
                            .formatted(i, i - 1, i - 1));
        }
        var more = new Findings();
        compile("schema s { document s {}\n" + wide + "}", more);
        assertThat(more.problems())
                .first()
                .asString()
                .contains(
                        "struct 's9' has 1534 fields with those of the structs in it, more than 1000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    field a type map<string,int> { indexing: attribute } => a field of type map<string, int> cannot be an attribute as a whole; make its parts attributes, in a struct-field
                    field a type array<person> { indexing: attribute }   => a field of type array<person> cannot be an attribute as a whole; make its parts attributes, in a struct-field
                    field a type tensor(x{},y[2]) { indexing { attribute } attribute: distance-metric: angle } => unknown distance metric 'angle'; there are angular, dotproduct, euclidean, geodegrees, hamming, prenormalized-angular
                    field a type tensor(x{}) { indexing { attribute | index } } => an index of vectors needs exactly one indexed dimension, not tensor(x{})
                    """)
    void rejectsForbiddenTypes(String field, String message) {
        compile(document(field));

        assertThat(findings.problems()).first().asString().contains(": " + message + "\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tensor(x{})", "tensor(x[2],y[2])", "tensor(x{},y[2])", "tensor(x[2])"})
    void saysNothingOfTensorsThatOnlyRankingReads(String type) {
        compile(document("field a type " + type + " { indexing: attribute | summary }"));

        assertThat(findings.problems()).isEmpty();
        assertThat(findings.notices())
                .extracting(Notice::message)
                .noneMatch(message -> message.contains("'a'"));
    }

    @Test
    void ranksWithTensorsOfMappedDimensions() {
        compile(
                document(
                        "field a type tensor(x{}) { indexing: attribute }",
                        "rank-profile p { first-phase { expression: sum(attribute(a)) } }"));
        assertThat(findings.problems()).isEmpty();
    }

    @Test
    void ranksWithTheOneNumberOfAPosition() {
        String profile = "rank-profile p { first-phase { expression: attribute(a_zcurve) } }";
        for (String type : List.of("position", "array<position>")) {
            compile(document("field a type " + type + " { indexing: attribute }", profile));
        }
        assertThat(findings.problems()).isEmpty();

        compile(document("field a type position { indexing: summary }", profile));
        assertThat(findings.problems())
                .singleElement()
                .asString()
                .contains("names the field 'a_zcurve', which does not exist");
    }

    @Test
    void comparesNeighborsAmongSeveralVectorsOfADocument() {
        var findings = new Findings();
        compile(
                document(
                        "field a type tensor(x{},y[2]) { indexing: attribute }",
                        "rank-profile p { first-phase { expression: closeness(field, a) * sum(closest(a)) } }"),
                findings);
        assertThat(findings.problems()).isEmpty();

        compile(
                document(
                        "field a type tensor(y[2]) { indexing: attribute }",
                        "rank-profile p { first-phase { expression: sum(closest(a)) } }"),
                findings);
        assertThat(findings.problems())
                .first()
                .asString()
                .contains("'closest(a)' cannot be: field 'a' has no mapped dimension");
    }

    private FieldType type(String written) {
        return compile(document("field a type " + written + " {}"))
                .orElseThrow()
                .field("a")
                .orElseThrow()
                .field()
                .type();
    }

    private static String document(String field) {
        return document(field, "");
    }

    private static String document(String field, String item) {
        return "schema s { document s {\n\n" + STRUCTS + "\n" + field + "\n}\n" + item + "\n}";
    }

    private Optional<Schema> compile(String text) {
        return compile(text, findings);
    }

    private static Optional<Schema> compile(String text, Findings findings) {
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
                                        Set.of("s", "other"),
                                        Set.of()),
                                findings));
    }

    /** Returns the type with the fields of its structs. */
    private static String text(FieldType type) {
        return switch (type) {
            case FieldType.Primitive primitive -> primitive.text();
            case FieldType.ReferenceOf reference -> reference.text();
            case FieldType.TensorOf tensor -> tensor.text();
            case FieldType.ArrayOf(var element) -> "array<" + text(element) + ">";
            case FieldType.WeightedSetOf(var element) -> "weightedset<" + text(element) + ">";
            case FieldType.MapOf(var key, var value) ->
                    "map<" + text(key) + ", " + text(value) + ">";
            case StructOf(var name, var fields) ->
                    name
                            + fields.stream()
                                    .map(FieldTypesTest::text)
                                    .collect(Collectors.joining(" ", "{", "}"));
        };
    }

    private static String text(Field field) {
        return field.name() + " " + text(field.type());
    }
}
