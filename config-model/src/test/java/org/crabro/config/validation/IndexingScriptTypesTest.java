package org.crabro.config.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.Findings;
import org.crabro.config.parser.SchemaParser;
import org.crabro.config.parser.SourceText;
import org.crabro.config.services.ContentCluster.Mode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The types that steps of indexing scripts accept, and the messages for others. */
class IndexingScriptTypesTest {
    private static final String FIELDS =
            """
            struct person { field name type string {} field born type int {} }
            struct pair { field left type string {} field right type string {} }
            field s type string {} field i type int {} field l type long {} field b type bool {}
            field d type double {} field f type float {} field y type byte {} field u type uri {}
            field texts type array<string> {} field ints type array<int> {}
            field tags type weightedset<string> {} field m type map<string, int> {}
            field byNumber type map<int, string> {} field p type person {} field two type pair {}
            field people type array<person> {} field where type position {}
            field raw type raw {} field cond type predicate {}
            field v type tensor<float>(x[9]) {} field w type tensor(k{},x[9]) {}
            field grid type tensor(x[2],y[2]) {}
            """;

    private final Findings findings = new Findings();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tensor<float>(k{}): input s | embed | attribute",
                "tensor<float>(k{},x[3]): input s | embed | attribute",
                "tensor<float>(a{},b{}): input s | embed | attribute",
                "tensor<float>(k{},x[3]): input texts | embed mini k | attribute",
                "tensor<float>(a{},b{}): input texts | embed mini b | attribute",
                "tensor<float>(a{},b{},x[3]): input texts | embed mini a | attribute",
                "tensor<int8>(x[3]): input s | embed | pack_bits | attribute",
                "tensor<int8>(x[3]): input s | embed | binarize 0.5 | pack_bits | attribute",
                "tensor<int8>(k{},x[3]): input texts | embed | pack_bits | attribute",
                "string: input s | lowercase | trim | normalize | index",
                "string: input s | substring 0 5 | summary",
                "array<string>: input s | split \", *\" | index",
                "string: input ints | join \"-\" | index",
                "int: input i + 1 | attribute",
                "long: input i * input l | attribute",
                "double: input d - 1 | attribute",
                "double: input f | attribute",
                "long: input i | attribute",
                "float: input y | attribute",
                "string: input u | index",
                "double: input i || 0.5 | attribute",
                "int: input s | to_int | attribute",
                "byte: input i | to_byte | attribute",
                "bool: input s | to_bool | attribute",
                "bool: true | attribute",
                "uri: input s | to_uri | index",
                "position: input s | to_pos | attribute",
                "long: input where | zcurve | attribute",
                "long: input s | to_epoch_second | attribute",
                "long: now | attribute",
                "int: random 10 | attribute",
                "int: input l | random | attribute",
                "int: input s | hash | attribute",
                "long: input s | hash | attribute",
                "array<long>: input texts | for_each { hash } | attribute",
                "string: input i | base64encode | attribute",
                "string: input s | hex_decode | hex_encode | attribute",
                "string: input s | base64decode | hexencode | attribute",
                "string: hostname | summary",
                "string: documentid | summary",
                "string: documentid group | summary",
                "string: input s | set_language | get_language | summary",
                "string: input s | tokenize normalize stem:\"BEST\" max-length:5 keep-case | index",
                "string: input s | exact | ngram 3 | index",
                "array<string>: input s | to_array | index",
                "weightedset<string>: input s | to_wset create_if_non_existent remove_if_zero | index",
                "array<string>: input texts | for_each { _ . \"!\" | lowercase } | index",
                "array<string>: input people | for_each { get_field name } | index",
                "array<int>: input m | for_each { get_field $value } | attribute",
                "array<string>: input m | for_each { get_field $key } | index",
                "weightedset<string>: input tags | for_each { lowercase } | index",
                "pair: input two | for_each { lowercase } | summary",
                "int: input m | get_value a | attribute",
                "string: input byNumber | get_value \"5\" | index",
                "string: input p.name | index",
                "string: input p | get_field name | index",
                "array<string>: input texts . input texts | index",
                "string: input s . \" \" . input i . input b | index",
                "string: input s . input texts | index",
                "string: input texts . input tags | index",
                "string: input v . \"\" | index",
                "string: input s | { set_var x | this } | get_var x | index",
                "string: (input s || \"none\") . input i | index",
                "string: select_input { s: index; u: this; }",
                "tensor<float>(x[9]): input v | binarize 0.5 | attribute",
                "tensor<int8>(x[2]): input v | pack_bits | attribute",
                "tensor(x[9]): input v | attribute",
                "tensor<bfloat16>(x[9]): input v | attribute",
                "tensor(x[2]): input v | pack_bits | attribute",
                "tensor<int8>(k{},x[2]): input w | binarize | pack_bits | attribute",
                "tensor<float>(c{},x[3]): input s | chunk fixed-length 10 | embed mini | attribute",
                "tensor<float>(c{},x[3]): input s | chunk sentence | embed | attribute",
                "string: if (input i > 5) { \"big\" | index } else { \"small\" | index }",
                "string: if (input s == \"a\") { input s | index } else if (input b == true) { \"b\" | index }",
                "string: input s | switch { case \"a\": \"A\" | index; default: index; }",
                "string: guard { input s | index }",
                "string: input s | echo | passthrough | summary",
                "string: input s | index e"
            })
    void acceptsMatchingTypes(String script) {
        compile(script);

        assertThat(findings.problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    string: input i | lowercase | index       => 11: lowercase takes a string, but its input is of type int
                    string: input texts | trim | index        => 15: trim takes a string (write for_each { trim }), but its input is of type array<string>
                    string: input i | substring 0 5 | index   => 11: substring takes a string, but its input is of type int
                    string: input s | substring 5 2 | index   => 21: substring needs two numbers from 0 on that do not fall
                    string: input s | split "[" | index       => 17: "[" is no regular expression: Unclosed character class
                    string: input s | join "," | index        => 11: join takes an array of texts or numbers, but its input is of type string
                    string: input people | join "," | index   => 16: join takes an array of texts or numbers, but its input is of type array<person>
                    int: input s + 1 | attribute              => 1: '+' takes numbers, but this is of type string
                    int: 1 * input b | attribute              => 5: '*' takes numbers, but this is of type bool
                    int: input l | attribute                  => 11: the value is of type long, but field 'e' is of type int
                    float: input d | attribute                => 11: the value is of type double, but field 'e' is of type float
                    string: input s || input i | index        => 12: the alternatives of '||' have one type: this is int, the first is string
                    array<string>: input s . input texts | index => 25: the value is of type string, but field 'e' is of type array<string>
                    string: input texts . input texts | index => 29: the value is of type array<string>, but field 'e' is of type string
                    int: input texts | to_int | attribute     => 15: to_int takes a text, a number or a bool, but its input is of type array<string>
                    string: input raw | to_string | index     => 13: to_string takes a text, a number or a bool, but its input is of type raw
                    long: input s | zcurve | attribute        => 11: zcurve takes a position, but its input is of type string
                    string: input s | base64encode | index    => 11: base64encode takes a whole number, but its input is of type string
                    long: input i | base64decode | attribute  => 11: base64decode takes a string, but its input is of type int
                    string: documentid usr | index            => 12: an id has the parts documenttype, group, namespace, number and specific, not 'usr'
                    string: documentid grop | index           => 12: an id has the parts documenttype, group, namespace, number and specific, not 'grop'; did you mean 'group'?
                    int: random 0 | attribute                 => 8: random needs a number of at least 1
                    int: input s | random | attribute         => 11: random takes a whole number, but its input is of type string
                    string: get_var x | index                 => 9: variable 'x' is not set before
                    string: input s | { set_var name | this } | get_var nam | index => 45: variable 'nam' is not set before; did you mean 'name'?
                    string: input s | { set_var x; input i | set_var x } => 42: variable 'x' is of type string elsewhere, and of type int here
                    string: input p.nme | index               => 7: person has no field 'nme'; did you mean 'name'?
                    string: input s.name | index              => 7: 'name' would be a field of a struct, but this is of type string
                    string: input p | get_field nme | index   => 21: person has no field 'nme'; did you mean 'name'?
                    string: input m | for_each { get_field key } | index => 32: entry of map<string, int> has no field 'key'; did you mean '$key'?
                    int: input s | get_value a | attribute    => 11: get_value takes a map, but its input is of type string
                    string: input byNumber | get_value a | index => 28: the keys of the map are of type int, which 'a' is not
                    string: input s | for_each { lowercase } | index => 11: for_each takes a collection, but its input is of type string
                    person: input p | for_each { to_string } | summary => 11: for_each over a struct needs fields of one type, not person
                    pair: input two | for_each { to_bool } | summary => 13: fields of a struct keep their type string, and cannot become bool
                    weightedset<string>: input tags | for_each { split "," } | index => 14: elements of a weighted set cannot become array<string>
                    weightedset<string>: input texts | to_wset | index => 15: to_wset takes a text, a number or a bool, but its input is of type array<string>
                    weightedset<string>: input s | to_wset create | index => 19: expected create_if_non_existent or remove_if_zero but found 'create'
                    array<string>: input texts | for_each { index } => 26: the value is of type string, but field 'e' is of type array<string>
                    array<int>: input v | to_array | attribute => 11: to_array takes anything but a tensor, but its input is of type tensor<float>(x[9])
                    tensor(x[9]): input s | binarize | attribute => 11: binarize takes a tensor, but its input is of type string
                    tensor<int8>(x[2]): input grid | pack_bits | attribute => 14: pack_bits takes a tensor with one indexed dimension, but its input is of type tensor(x[2],y[2])
                    tensor<int8>(x[9]): input v | attribute => 11: the value is of type tensor<float>(x[9]), but field 'e' is of type tensor<int8>(x[9])
                    tensor<float>(x[2],y[2]): input grid | attribute => 14: the value is of type tensor(x[2],y[2]), but field 'e' is of type tensor<float>(x[2],y[2])
                    tensor<int8>(x[3]): input v | pack_bits | attribute => 23: the value is of type tensor<int8>(x[2]), but field 'e' is of type tensor<int8>(x[3])
                    array<string>: input s | chunk | index    => 11: expected chunk sentence or chunk fixed-length and a number; chunkers of the application are not built; a document processor of the application can cut texts
                    array<string>: input s | chunk sentences | index => 17: expected chunk sentence or chunk fixed-length and a number but found 'sentences'; chunkers of the application are not built; a document processor of the application can cut texts
                    array<string>: input s | chunk fixed-length | index => 17: chunk fixed-length needs a number of at least 1, as in chunk fixed-length 1000
                    array<string>: input s | chunk fixed-length 0 | index => 30: chunk fixed-length needs a number of at least 1, as in chunk fixed-length 1000
                    string: input s | generate x | index      => 11: there is no field generator; add a component of class ai.vespa.llm.generation.LanguageModelFieldGenerator to a container in services.xml
                    tensor<float>(x[3]): input s | embed other | attribute => 17: there is no embedder 'other', only mini
                    tensor<float>(k{}): input s | embed mini par | attribute => 22: embed of a string takes no dimension: a string has no elements to label
                    tensor<float>(x[3],y[3]): input s | embed | attribute => 11: embed fills a tensor with one dimension, with a mapped and an indexed one, or with two mapped ones, such as tensor<float>(x[384]), but field 'e' is of type tensor<float>(x[3],y[3])
                    tensor<float>(a{},b{},x[3]): input s | embed | attribute => 11: embed fills a tensor with one dimension, with a mapped and an indexed one, or with two mapped ones, such as tensor<float>(x[384]), but field 'e' is of type tensor<float>(a{},b{},x[3])
                    tensor<float>(a{},b{},c{}): input s | embed | attribute => 11: embed fills a tensor with one dimension, with a mapped and an indexed one, or with two mapped ones, such as tensor<float>(x[384]), but field 'e' is of type tensor<float>(a{},b{},c{})
                    string: input s | embed | index           => 11: embed fills a tensor with one dimension, with a mapped and an indexed one, or with two mapped ones, such as tensor<float>(x[384]), but field 'e' is of type string
                    tensor<float>(x[3]): input texts | embed | attribute => 15: embed of an array<string> fills a tensor with a mapped and an indexed dimension, with two mapped ones, or with two and an indexed one, such as tensor<float>(chunk{},x[384]), but field 'e' is of type tensor<float>(x[3])
                    tensor<float>(k{}): input texts | embed | attribute => 15: embed of an array<string> fills a tensor with a mapped and an indexed dimension, with two mapped ones, or with two and an indexed one, such as tensor<float>(chunk{},x[384]), but field 'e' is of type tensor<float>(k{})
                    tensor<float>(a{},b{}): input texts | embed | attribute => 15: tensor<float>(a{},b{}) has two mapped dimensions: name after the embedder which of a and b is for the elements of the array
                    tensor<float>(a{},b{},x[3]): input texts | embed mini x | attribute => 26: tensor<float>(a{},b{},x[3]) has no mapped dimension 'x', only a and b
                    tensor<float>(a{},b{},x[3]): input texts | embed mini a b | attribute => 28: embed takes the name of one dimension
                    tensor<int8>(x[3]): input s | embed | binarize | attribute | pack_bits | attribute => 30: the value is of type tensor<float>(x[24]), but field 'e' is of type tensor<int8>(x[3])
                    tensor<float>(x[3]): input ints | embed | attribute => 14: embed takes a string or an array<string>, but its input is of type array<int>
                    string: if (input i == "5") { "x" | index } => 16: numbers are compared with numbers, texts with texts and bools with bools, but these are int and string
                    string: if (input texts == input texts) { "x" | index } => 20: numbers are compared with numbers, texts with texts and bools with bools, but these are array<string> and array<string>
                    string: if (input i == 5) { index }       => 21: this step has no input; expected input before it
                    string: input i | switch { case "a": "x" | index; } => 11: switch takes a string, but its input is of type int
                    string: input s | switch { case "a": index; case "a": index; } => 42: case "a" is declared twice
                    string: select_input { q: index; }        => 16: input reads 'q', which is no field of the document
                    string: select_input { s: index; s: index; } => 26: field 's' is declared twice
                    string: select_input { i: index; }        => 19: the value is of type int, but field 'e' is of type string
                    string: input s | optimize_predicate | index => 11: optimize_predicate takes a predicate, but its input is of type string
                    string: input s | passthrough f           => 23: the script of field 'e' writes field 'f', but may write its own alone
                    string: clear_state | index               => 15: this step has no input; expected input before it
                    string: lowercase | index                 => 1: field 'e' is outside the document, so its script has to start with input and the name of a document field
                    """)
    void rejectsOtherTypes(String script, String message) {
        compile(script);

        assertThat(findings.problems())
                .first()
                .asString()
                .startsWith("schemas/s.sd:16:" + message + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    lowercase | index             => the script of document field 'a' changes its value
                    "x" | index                   => the script of document field 'a' changes its value
                    input b | index               => the script of document field 'a' changes its value
                    input b | passthrough         => the script of document field 'a' changes its value
                    for_each { this } | index     => for_each takes a collection
                    """)
    void documentFieldsKeepTheirValue(String script, String message) {
        compileSchema(
                "schema s { document s { field b type string {} field a type string {\nindexing: "
                        + script
                        + "\n} } }");

        assertThat(findings.problems()).first().asString().contains(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "index",
                "tokenize | exact | this | _ | set_language | index",
                "if (input b == \"x\") { index } else { summary | attribute }",
                "{ index; summary; }",
                "select_input { a: index; }",
                "switch { case \"x\": index; default: summary }",
                "guard { index }",
                "passthrough | index"
            })
    void documentFieldsMaySendTheirValueAnywhere(String script) {
        compileSchema(
                "schema s { document s { field b type string {} field a type string {\nindexing: "
                        + script
                        + "\n} } }");

        assertThat(findings.problems()).isEmpty();
    }

    private void compile(String typeAndScript) {
        int colon = typeAndScript.indexOf(": ");
        compileSchema(
                "schema s { document s {\n"
                        + FIELDS
                        + "\n}\nfield e type "
                        + typeAndScript.substring(0, colon)
                        + " { indexing {\n"
                        + typeAndScript.substring(colon + 2)
                        + "\n} } }");
    }

    private void compileSchema(String text) {
        SchemaParser.Result parsed = SchemaParser.parse(new SourceText("schemas/s.sd", text));
        parsed.errors().forEach(error -> findings.problem(String.valueOf(error.getMessage())));
        parsed.schema()
                .filter(_ -> parsed.errors().isEmpty())
                .ifPresent(schema ->
                        SchemaCompiler.compile(
                                schema,
                                new Components(
                                        Optional.of(Set.of("mini")),
                                        Set.of(Mode.INDEX),
                                        Map.of(),
                                        Map.of(),
                                        Set.of("s"),
                                        Set.of()),
                                findings));
    }
}
