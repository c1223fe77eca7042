package org.crabro.container.processing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.Findings;
import org.crabro.config.parser.SchemaParser;
import org.crabro.config.parser.SourceText;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.validation.Components;
import org.crabro.config.validation.SchemaCompiler;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.TensorFormat;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The results of indexing scripts, as written in schemas, for the fields of a document. */
class IndexingLanguageTest {
    private static final String FIELDS =
            """
            struct person { field name type string {} field born type int {} }
            struct pair { field left type string {} field right type string {} }
            field s type string {} field i type int {} field l type long {} field b type bool {}
            field d type double {} field f type float {}
            field texts type array<string> {} field ints type array<int> {}
            field tags type weightedset<string> {} field m type map<string, int> {}
            field p type person {} field two type pair {} field people type array<person> {}
            field where type position {}
            field v type tensor<float>(x[9]) {} field w type tensor(k{},x[2]) {}
            """;
    private static final Surroundings SURROUNDINGS =
            new Surroundings(
                    () -> Instant.ofEpochSecond(1_000), bound -> bound - 1, () -> "here", Map.of());

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            textBlock =
                    """
                    string ~ input s | index                        ~ "s":"x"             ~ "x"
                    string ~ input s | index                        ~                     ~ -
                    string ~ "a\\tb" | index                         ~                     ~ "a\\tb"
                    string ~ input s | lowercase | index            ~ "s":"ÄB"            ~ "äb"
                    string ~ input s | trim | index                 ~ "s":" a b "         ~ "a b"
                    string ~ input s | normalize | index            ~ "s":"Blåbær É ñ"    ~ "Blabær E n"
                    string ~ input s | substring 1 3 | index        ~ "s":"a🐝cd"          ~ "🐝c"
                    string ~ input s | substring 5 9 | index        ~ "s":"abc"           ~ ""
                    array<string> ~ input s | split ", *" | index   ~ "s":"a,b,  c,,"     ~ ["a","b","c"]
                    array<string> ~ input s | split "," | index     ~ "s":""              ~ []
                    string ~ input ints | join "-" | index          ~ "ints":[1,2,3]      ~ "1-2-3"
                    string ~ input s . " " . input i . input b | index ~ "s":"x","i":5,"b":true ~ "x 5true"
                    string ~ input s . " " . input i | index        ~ "s":"x"             ~ -
                    array<string> ~ input texts . input texts | index ~ "texts":["a","b"] ~ ["a","b","a","b"]
                    array<string> ~ input texts . (input s | to_array) | index ~ "texts":["a"] ~ ["a"]
                    array<string> ~ input texts . (input s | to_array) | index ~ ~ -
                    string ~ input s . input texts | index           ~ "s":"x","texts":["a","b"] ~ "x[a, b]"
                    string ~ input texts . ";" . input ints | index  ~ "texts":["a"],"ints":[1,2] ~ "[a];[1, 2]"
                    string ~ input s . input texts | index           ~ "s":"x"             ~ -
                    string ~ input texts . input ints | index        ~ "ints":[1]          ~ -
                    string ~ input tags . input m | index            ~ "tags":{"a":5,"b":6},"m":{"c":1} ~ "{a=5, b=6}{c=1}"
                    string ~ "w" . input people | index              ~ "people":[{"name":"n","born":7}] ~ "w[{name=n, born=7}]"
                    string ~ "w" . input w | index                   ~ "w":{"a":[1,2]}     ~ "wtensor(k{},x[2]):{a:[1.0, 2.0]}"
                    weightedset<string> ~ input tags . (input s | to_wset) | index ~ "s":"x","tags":{"a":5} ~ {"a":5,"x":1}
                    map<string,int> ~ input m . input m | summary   ~ "m":{"a":1}         ~ {"a":1}
                    pair ~ input two . input two | summary          ~ "two":{"left":"a"}  ~ {"left":"a"}
                    string ~ (input s || "none") . "!" | index      ~                     ~ "none!"
                    string ~ (input s || "none") . "!" | index      ~ "s":"x"             ~ "x!"
                    double ~ input i || input d || 0.5 | attribute  ~ "i":3               ~ 3.0
                    double ~ input i || input d || 0.5 | attribute  ~ "d":1.5             ~ 1.5
                    int ~ 1 + 2 * 3 - 4 | attribute                 ~                     ~ 3
                    int ~ (1 + 2) * 3 | attribute                   ~                     ~ 9
                    int ~ 7 / 2 | attribute                         ~                     ~ 3
                    int ~ -7 % 4 | attribute                        ~                     ~ -3
                    long ~ input i * 3000000000L | attribute        ~ "i":2               ~ 6000000000
                    double ~ 0.1 + 0.2 | attribute                  ~                     ~ 0.3
                    double ~ 1.0 / 3 | attribute                    ~                     ~ 0.3333333333333333
                    float ~ input f + 1 | attribute                 ~ "f":0.5             ~ 1.5
                    double ~ input d * 2 | attribute                ~ "d":"Infinity"      ~ "Infinity"
                    int ~ input i + 1 | attribute                   ~                     ~ -
                    int ~ 0xff | attribute                          ~                     ~ 255
                    int ~ 2147483647 + 1 | attribute                ~                     ~ -2147483648
                    int ~ input s | to_int | attribute              ~ "s":"42"            ~ 42
                    int ~ input d | to_int | attribute              ~ "d":-1.9            ~ -1
                    long ~ input b | to_long | attribute            ~ "b":true            ~ 1
                    byte ~ input i | to_byte | attribute            ~ "i":300             ~ 44
                    float ~ input s | to_float | attribute          ~ "s":"1e2"           ~ 100.0
                    double ~ input i | to_double | attribute        ~ "i":2               ~ 2.0
                    bool ~ input s | to_bool | attribute            ~ "s":"no"            ~ true
                    bool ~ input s | to_bool | attribute            ~ "s":""              ~ false
                    bool ~ input d | to_bool | attribute            ~ "d":0               ~ false
                    string ~ input d | to_string | index            ~ "d":1               ~ "1.0"
                    uri ~ input s | to_uri | index                  ~ "s":"http://a"      ~ "http://a"
                    position ~ input s | to_pos | summary           ~ "s":"N1.5;W2"       ~ {"lat":1.5,"lng":-2.0}
                    long ~ input where | zcurve | attribute         ~ "where":{"x":1,"y":2} ~ 9
                    long ~ input where | zcurve | attribute         ~ "where":{"x":-1,"y":0} ~ 6148914691236517205
                    long ~ input s | to_epoch_second | attribute    ~ "s":"1970-01-02T00:00:01Z" ~ 86401
                    long ~ input s | to_epoch_second | attribute    ~ "s":"1970-01-01T02:00:00.5+01:00" ~ 3600
                    array<string> ~ input s | to_array | index      ~ "s":"x"             ~ ["x"]
                    weightedset<string> ~ input s | to_wset remove_if_zero | index ~ "s":"x" ~ {"x":1}
                    string ~ input l | base64encode | index         ~ "l":1               ~ "AQAAAAAAAAA"
                    long ~ input s | base64decode | attribute       ~ "s":"AQAAAAAAAAA"   ~ 1
                    long ~ input s | base64decode | attribute       ~ "s":""              ~ -9223372036854775808
                    string ~ input l | hexencode | index            ~ "l":-1              ~ "ffffffffffffffff"
                    long ~ input s | hex_decode | attribute         ~ "s":"ffffffffffffffff" ~ -1
                    long ~ input s | hash | attribute               ~ "s":""              ~ 8246050544436514353
                    int ~ input s | hash | attribute                ~ "s":""              ~ -586281423
                    string ~ documentid | summary                   ~                     ~ "id:ns:s:g=anna:one"
                    string ~ documentid namespace | summary         ~                     ~ "ns"
                    string ~ documentid documenttype | summary      ~                     ~ "s"
                    string ~ documentid group | summary             ~                     ~ "anna"
                    string ~ documentid number | summary            ~                     ~ -
                    string ~ documentid specific | summary          ~                     ~ "one"
                    long ~ now | attribute                          ~                     ~ 1000
                    int ~ random 10 | attribute                     ~                     ~ 9
                    int ~ input i | random | attribute              ~ "i":5               ~ 4
                    string ~ hostname | summary                     ~                     ~ "here"
                    string ~ get_language | summary                 ~                     ~ "un"
                    string ~ input s | set_language | get_language | summary ~ "s":"de"   ~ "de"
                    string ~ input s | tokenize stem:"ALL" | exact | ngram 2 | index ~ "s":"A b" ~ "A b"
                    string ~ input p.name | index                   ~ "p":{"name":"A"}    ~ "A"
                    string ~ input p.name | index                   ~ "p":{"born":1}      ~ -
                    int ~ input p | get_field born | attribute      ~ "p":{"born":1}      ~ 1
                    int ~ input m | get_value a | attribute         ~ "m":{"a":1,"b":2}   ~ 1
                    int ~ input m | get_value c | attribute         ~ "m":{"a":1,"b":2}   ~ -
                    array<string> ~ input texts | for_each { lowercase . "!" } | index ~ "texts":["A","b"] ~ ["a!","b!"]
                    array<string> ~ input people | for_each { get_field name } | index ~ "people":[{"name":"A"},{"born":1},{"name":"B"}] ~ ["A","B"]
                    array<string> ~ input m | for_each { get_field $key } | index ~ "m":{"a":1,"b":2} ~ ["a","b"]
                    array<int> ~ input m | for_each { (get_field $value) * 2 } | attribute ~ "m":{"a":1,"b":2} ~ [2,4]
                    weightedset<string> ~ input tags | for_each { lowercase } | index ~ "tags":{"A":1,"b":2} ~ {"a":1,"b":2}
                    pair ~ input two | for_each { lowercase } | summary ~ "two":{"left":"A","right":"B"} ~ {"left":"a","right":"b"}
                    array<int> ~ input texts | for_each { split "," | for_each { to_int } | join "" | to_int } | attribute ~ "texts":["1,2","3"] ~ [12,3]
                    string ~ input s | { set_var x | lowercase } | (get_var x) . "!" | index ~ "s":"A" ~ "A!"
                    string ~ input s | lowercase | set_var x | "y" | get_var x | index ~ "s":"A" ~ "a"
                    string ~ if (input i > 5) { "big" | index } else { "small" | index } ~ "i":6 ~ "big"
                    string ~ if (input i > 5) { "big" | index } else { "small" | index } ~ "i":5 ~ "small"
                    string ~ if (input i > 5) { "big" | index } else { "small" | index } ~       ~ -
                    string ~ if (input i >= 5.0) { "big" | index }  ~ "i":5               ~ "big"
                    string ~ if (input s < "b") { "low" | index } else if (input s != "z") { "mid" | index } else { "z" | index } ~ "s":"a" ~ "low"
                    string ~ if (input s < "b") { "low" | index } else if (input s != "z") { "mid" | index } else { "z" | index } ~ "s":"c" ~ "mid"
                    string ~ if (input s < "b") { "low" | index } else if (input s != "z") { "mid" | index } else { "z" | index } ~ "s":"z" ~ "z"
                    string ~ if (input b == true) { "yes" | index } ~ "b":true            ~ "yes"
                    string ~ input s | switch { case "a": "A" | index; case "b": "B" | index; default: index; } ~ "s":"b" ~ "B"
                    string ~ input s | switch { case "a": "A" | index; case "b": "B" | index; default: index; } ~ "s":"c" ~ "c"
                    string ~ select_input { s: index; i: to_string | index; } ~ "i":5     ~ "5"
                    string ~ select_input { s: index; i: to_string | index; } ~ "s":"x","i":5 ~ "x"
                    string ~ guard { input s | lowercase | index }  ~ "s":"X"             ~ "x"
                    string ~ input s | echo | this | _ | passthrough | summary ~ "s":"x"  ~ "x"
                    tensor<float>(x[9]) ~ input v | binarize 1.5 | attribute ~ "v":[1,2,3,0,0,0,0,0,2] ~ {"type":"tensor<float>(x[9])","values":[0.0,1.0,1.0,0.0,0.0,0.0,0.0,0.0,1.0]}
                    tensor(x[9]) ~ input v | attribute ~ "v":[1,2,3,0,0,0,0,0,2] ~ {"type":"tensor(x[9])","values":[1.0,2.0,3.0,0.0,0.0,0.0,0.0,0.0,2.0]}
                    tensor<bfloat16>(x[9]) ~ input v | attribute ~ "v":[1.0039,2,3,0,0,0,0,0,2] ~ {"type":"tensor<bfloat16>(x[9])","values":[1.0,2.0,3.0,0.0,0.0,0.0,0.0,0.0,2.0]}
                    tensor<float>(x[2]) ~ input v | pack_bits | attribute ~ "v":[1,0,0,0,0,0,1,1,1] ~ {"type":"tensor<float>(x[2])","values":[-125.0,-128.0]}
                    tensor<float>(k{},x[1]) ~ input w | binarize | pack_bits | attribute ~ "w":{"a":[0,5],"b":[1,0]} ~ {"type":"tensor<float>(k{},x[1])","blocks":{"a":[64.0],"b":[-128.0]}}
                    tensor<int8>(x[2]) ~ input v | pack_bits | attribute ~ "v":[1,0,0,0,0,0,1,1,1] ~ {"type":"tensor<int8>(x[2])","values":[-125,-128]}
                    tensor<int8>(k{},x[1]) ~ input w | binarize | pack_bits | attribute ~ "w":{"a":[0,5],"b":[1,0]} ~ {"type":"tensor<int8>(k{},x[1])","blocks":{"a":[64],"b":[-128]}}
                    array<string> ~ input s | chunk sentence | index ~ "s":"One is. Two? Three" ~ ["One is.","Two?","Three"]
                    array<string> ~ input s | chunk fixed-length 3 | index ~ "s":"abcdefg"   ~ ["abc","def","g"]
                    tensor<float>(x[2]) ~ input s | embed length | attribute ~ "s":"four"        ~ {"type":"tensor<float>(x[2])","values":[4.0,1.0]}
                    tensor<float>(x[2]) ~ input s | embed length | attribute ~ "s":" "           ~ -
                    tensor<float>(c{},x[2]) ~ input texts | embed length | attribute ~ "texts":["a"," ","abc"] ~ {"type":"tensor<float>(c{},x[2])","blocks":{"0":[1.0,1.0],"2":[3.0,1.0]}}
                    tensor<int8>(x[1]) ~ input s | embed length | pack_bits | attribute ~ "s":"four" ~ {"type":"tensor<int8>(x[1])","values":[-1]}
                    tensor<float>(w{}) ~ input s | embed words | attribute ~ "s":"a b a"  ~ {"type":"tensor<float>(w{})","cells":{"a":2.0,"b":1.0}}
                    tensor<float>(w{},x[2]) ~ input s | embed words | attribute ~ "s":"a b a" ~ {"type":"tensor<float>(w{},x[2])","blocks":{"a":[2.0,2.0],"b":[1.0,1.0]}}
                    tensor<float>(p{},w{}) ~ input texts | embed words p | attribute ~ "texts":["a b"," ","b"] ~ {"type":"tensor<float>(p{},w{})","cells":[{"address":{"p":"0","w":"a"},"value":1.0},{"address":{"p":"0","w":"b"},"value":1.0},{"address":{"p":"2","w":"b"},"value":1.0}]}
                    tensor<float>(w{},x[1],z{}) ~ input texts | embed words z | attribute ~ "texts":["a","a b"] ~ {"type":"tensor<float>(w{},x[1],z{})","blocks":[{"address":{"w":"a","z":"0"},"values":[1.0]},{"address":{"w":"a","z":"1"},"values":[1.0]},{"address":{"w":"b","z":"1"},"values":[1.0]}]}
                    tensor<float>(c{},x[2]) ~ input s | chunk sentence | embed length | attribute ~ "s":"A b. C." ~ {"type":"tensor<float>(c{},x[2])","blocks":{"0":[4.0,1.0],"1":[2.0,1.0]}}
                    """)
    void computes(String type, String script, String fed, String expected) {
        Document stored = process(type, script, fed == null ? "" : fed);

        assertThat(stored.value("e").map(IndexingLanguageTest::json).orElse("-"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            textBlock =
                    """
                    int ~ input s | to_int | attribute           ~ "s":"x"     ~ expected a whole number from -2147483648 to 2147483647 but found "x"
                    int ~ input s | to_int | attribute           ~ "s":"3000000000" ~ expected a whole number from -2147483648 to 2147483647 but found "3000000000"
                    double ~ input s | to_double | attribute     ~ "s":"x"     ~ expected a number but found "x"
                    uri ~ input s | to_uri | index               ~ "s":"a b"   ~ expected a URI but found "a b"
                    position ~ input s | to_pos | summary        ~ "s":"here"  ~ expected a position such as N37.4;W122.0 but found "here"
                    long ~ input s | to_epoch_second | attribute ~ "s":"today" ~ expected a time such as 2026-11-20T17:10:00Z but found "today"
                    long ~ input s | base64decode | attribute    ~ "s":"AAAAAAAAAAAAA" ~ expected up to 12 digits in base64 but found "AAAAAAAAAAAAA"
                    long ~ input s | hexdecode | attribute       ~ "s":"xyz"   ~ expected up to 16 hexadecimal digits but found "xyz"
                    int ~ input i / 0 | attribute                ~ "i":1       ~ division of 1 by zero
                    int ~ input i % 0 | attribute                ~ "i":1       ~ division of 1 by zero
                    int ~ input i | random | attribute           ~ "i":0       ~ random needs a number from 1 to 2^31-1, not 0
                    """)
    void refusesDocumentsThatItCannotWorkWith(
            String type, String script, String fed, String message) {
        assertThatExceptionOfType(InvalidDocumentException.class)
                .isThrownBy(() -> process(type, script, fed))
                .withMessage("id:ns:s:g=anna:one: field 'e': " + message);
    }

    @Test
    void aLanguageCountsForFieldsDeclaredBefore() {
        Schema schema =
                compile(
                        """
                        schema s { document s { field lang type string {} }
                            field e type string { indexing: get_language | summary }
                            field tag type string { indexing: input lang | set_language | summary }
                        }
                        """);

        assertThat(process(schema, "\"lang\":\"no\"").value("e"))
                .contains(new FieldValue.StringValue("no"));
    }

    @Test
    void everyStatementStartsFromTheSameValue() {
        Schema schema =
                compile(
                        """
                        schema s { document s { field a type string {
                            indexing { lowercase | set_var x; summary; index } } } }
                        """);

        assertThat(process(schema, "\"a\":\"X\"").value("a"))
                .contains(new FieldValue.StringValue("X"));
    }

    private static Document process(String type, String script, String fed) {
        return process(
                compile(
                        "schema s { document s {\n"
                                + FIELDS
                                + "\n}\nfield e type "
                                + type
                                + " { indexing {\n"
                                + script
                                + "\n} } }"),
                fed);
    }

    private static Document process(Schema schema, String fed) {
        var processor =
                new IndexingProcessor(
                        schema,
                        Map.of("length", new LengthEmbedder(), "words", new WordEmbedder()),
                        SURROUNDINGS);
        byte[] body = ("{\"fields\":{" + fed + "}}").getBytes(UTF_8);
        return processor.process(
                new DocumentReader(schema.documentType())
                        .read(
                                DocumentId.parse("id:ns:s:g=anna:one"),
                                new ByteArrayInputStream(body),
                                LeftOutCells.UNCOUNTED)
                        .document());
    }

    private static Schema compile(String text) {
        var findings = new Findings();
        SchemaParser.Result parsed = SchemaParser.parse(new SourceText("schemas/s.sd", text));
        assertThat(parsed.errors()).isEmpty();
        Optional<Schema> schema =
                SchemaCompiler.compile(
                        parsed.schema().orElseThrow(),
                        new Components(
                                Optional.of(Set.of("length", "words")),
                                Set.of(Mode.STREAMING),
                                Map.of(),
                                Map.of(),
                                Set.of("s"),
                                Set.of()),
                        findings);
        assertThat(findings.problems()).isEmpty();
        return schema.orElseThrow();
    }

    private static String json(FieldValue value) {
        var text = new StringWriter();
        try (JsonGenerator json =
                new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
            FieldValueWriter.write(json, value, TensorFormat.SHORT);
        }
        return text.toString();
    }

    /** Embeds a text as its length, and 1 for a document. */
    private static final class LengthEmbedder implements Embedder {
        @Override
        public DenseTensor embed(String text, Purpose purpose, TensorType type) {
            var cells = new double[type.cellCount()];
            Arrays.fill(cells, purpose == Purpose.DOCUMENT ? 1 : 2);
            cells[0] = text.length();
            return DenseTensor.of(type, cells);
        }

        @Override
        public void check(TensorType type) {
            if (type.cellCount() != 2 && type.cellCount() != 8) {
                throw new IllegalArgumentException("lengths have 2 or 8 cells");
            }
        }

        @Override
        public void close() {}
    }

    /** Counts words: each is a label, and its cells contain its count. */
    private static final class WordEmbedder implements Embedder {
        @Override
        public DenseTensor embed(String text, Purpose purpose, TensorType type) {
            throw new IllegalArgumentException("words have labels");
        }

        @Override
        public MixedTensor embedWithLabels(String text, Purpose purpose, TensorType type) {
            var words = new HashMap<List<String>, double[]>();
            for (String word : text.split(" ", -1)) {
                double[] cells =
                        words.computeIfAbsent(List.of(word), _ -> new double[type.subspaceSize()]);
                for (int i = 0; i < cells.length; i++) {
                    cells[i]++;
                }
            }
            return MixedTensor.of(type, words);
        }

        @Override
        public void check(TensorType type) {
            if (type.mappedCount() != 1) {
                throw new IllegalArgumentException("words have one label");
            }
        }

        @Override
        public void close() {}
    }
}
