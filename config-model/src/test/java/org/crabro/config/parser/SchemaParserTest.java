package org.crabro.config.parser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemaParserTest {
    @Test
    void readsAWholeSchema() {
        reads(
                """
                # Commits of people.
                schema commit {
                    stemming: none
                    document commit {
                        field subject type string {
                            indexing: index | summary
                            match { word   prefix }
                            index: enable-bm25
                        }
                        field added type long { indexing: attribute | summary
                            attribute: fast-search
                        }
                        field paths type array<string> {
                            indexing {
                                index;
                                summary
                            }
                        }
                        field type type string {}
                    }
                    field embedding type tensor<bfloat16>( x[ 384 ] )
                    {
                        indexing: (input subject || "") . " " . (input body || "") |
                            embed mini-lm | attribute | index
                        attribute {
                            distance-metric: angular
                            paged
                        }
                        index {
                            hnsw {
                                max-links-per-node: 16
                                multi-threaded-indexing: on
                            }
                        }
                    }
                    fieldset default { fields: subject, paths }
                    rank-profile base-one {
                        inputs {
                            query(q) tensor<float>(x[3]): [1, 2,
                                3]
                            limit double : 4.5
                            query(plain)
                        }
                        constants { k: 2.0 }
                    }
                    rank-profile hybrid inherits base-one, unranked {
                        function inline score(field, w) {
                            expression { w *
                                bm25(field) }
                        }
                        first-phase { expression: score(subject, 2) + closeness(field, embedding) }
                        match-features inherits base-one { bm25(subject) closeness(field, embedding)
                            score }
                        rank-properties {
                            bm25(subject).k1: 1.5
                            "a b".c : x.y
                        }
                        num-threads-per-search: 4
                        termwise-limit: 0.05
                    }
                    document-summary short-one inherits default {
                        summary subject {}
                        summary headline type string { source: subject }
                        from-disk
                    }
                }
                """,
                """
                schema commit
                document commit
                  (field subject string [index | summary] (match word prefix) index)
                  (field added long [attribute | summary] attribute)
                  (field paths array<string> [index ; summary])
                  (field type string)
                (field embedding tensor<bfloat16>(x[384]) \
                [(concat (first-of input subject "") " " (first-of input body "")) \
                | embed mini-lm | attribute | index] metric=angular attribute index hnsw)
                (fieldset default subject paths)
                (profile base-one (input q tensor<float>(x[3]) = [1, 2,
                                3]) (input limit double = 4.5) (input plain) (constant k = 2.0))
                (profile hybrid < base-one unranked (function score field w = w *
                                bm25(field)) (first score(subject, 2) + closeness(field, embedding))\
                (features < base-one bm25(subject) closeness(field, embedding) score) \
                (bm25(subject).k1 = 1.5) (a b.c = x.y))
                (summary short-one < default (subject) (headline subject))\
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    indexing: input a.b | index          => [input a.b | index]
                    indexing: input a . input b | index  => [(concat input a input b) | index]
                    indexing: input a."x"                => [(concat input a "x")]
                    indexing: input "a b" | index        => [input a b | index]
                    indexing: "q\\"\\u0041\\n" | index   => ["q"A\\n" | index]
                    indexing: index a-b                  => [index a-b]
                    indexing: (input a | embed) | index  => [input a | embed | index]
                    indexing: input | index # no more    => [input | index]
                    indexing { index; ; }                => [index]
                    """)
    void readsScripts(String script, String tree) {
        assertThat(DeclarationText.of(parse(field(script)).schema().orElseThrow()))
                .contains("(field f string " + tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            textBlock =
                    """
                    indexing: input a + 1 * 2 - 3 | attribute => [(- (+ input a (* 1 2)) 3) | attribute]
                    indexing: (1 + 2) / 3L % -4 . "x"    => [(concat (% (/ (+ 1 2) 3L) -4) "x")]
                    indexing: 1.5 . -2.5f . 0xFF . true . 0x10L => [(concat 1.5 -2.5f 255 true 16L)]
                    indexing: lowercase | trim|summary   => [lowercase | trim | summary]
                    indexing: split ", " | join '-'      => [split ,  | join -]
                    indexing: substring 1 5              => [substring 1 5]
                    indexing: random | random 5          => [random | random 5]
                    indexing: documentid | documentid group => [documentid | documentid group]
                    indexing: get_field $key | get_value "a b" | set_var x-y => [get_field $key | get_value a b | set_var x-y]
                    indexing: tokenize normalize stem:"ALL" profile:"p" max-length:5 keep-case | index => [tokenize | index]
                    indexing: embed colbert paragraph | embed | attribute => [embed colbert paragraph | embed | attribute]
                    indexing: chunk fixed-length 10 | chunk sentence => [chunk fixed-length 10 | chunk sentence]
                    indexing: to_wset create_if_non_existent remove_if_zero => [to_wset create_if_non_existent remove_if_zero]
                    indexing: binarize 0.5 | pack_bits | passthrough p => [binarize 0.5 | pack_bits | passthrough p]
                    indexing: _ | this | now | hash | to_int => [_ | this | now | hash | to_int]
                    indexing: for_each { lowercase | trim } => [(for-each lowercase | trim)]
                    indexing: { index; summary } | index => [{index ; summary} | index]
                    indexing: guard { index }            => [guard {index}]
                    indexing: if (input a == 5) { 1 } else { 2; 3 } => [(if (== input a 5) {1} else {2 ; 3})]
                    indexing: if (1 < 2) { 1 } else if (3 >= 4) { 2 } | index => [(if (< 1 2) {1} else {(if (>= 3 4) {2})}) | index]
                    indexing: if (input a . "x" != "y") { 1 } => [(if (!= (concat input a "x") "y") {1})]
                    indexing: switch { case "a": 1; case 'b': 2; default: 3; } => [(switch (a 1) (b 2) (default 3))]
                    indexing: select_input { a: lowercase | index; b.c: index } => [(select (a lowercase | index) (b.c index))]
                    """)
    void readsEveryKindOfStep(String script, String tree) {
        assertThat(DeclarationText.of(parse(field(script)).schema().orElseThrow()))
                .contains("(field f string " + tree + ")");
    }

    @Test
    void scriptsMayGoOverLines() {
        String script =
                """
                indexing {
                    # what it starts from
                    input a |
                        lowercase; # done
                    if (input b == 1
                        ) {
                        index;
                        summary
                    } else {
                        attribute
                    }
                    ;
                    switch {
                        case "x": index;

                        default: summary
                    };
                    for_each {
                        trim
                    }
                }
                """;

        assertThat(DeclarationText.of(parse(field(script)).schema().orElseThrow()))
                .contains(
                        "[input a | lowercase ; (if (== input b 1) {index ; summary} else"
                                + " {attribute}) ; (switch (x index) (default summary)) ;"
                                + " (for-each trim)]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    expression: a } } }               => a
                    expression { if(a > 1, {x:1}, 2) } } => if(a > 1, {x:1}, 2)
                    expression: a + b # and more      => a + b # and more
                    """)
    void keepsExpressionsUnparsed(String body, String expression) {
        String schema =
                "schema s { document s {}\nrank-profile p { first-phase { " + body + "\n}}}";

        var profile = parse(schema).schema().orElseThrow().rankProfiles().getFirst();

        assertThat(profile.phases().first().orElseThrow().text()).isEqualTo(expression);
    }

    @Test
    void anEmptyListOfFeaturesIsAList() {
        String schema = "schema s { document s {} rank-profile p { match-features { } } }";

        var profile = parse(schema).schema().orElseThrow().rankProfiles().getFirst();

        assertThat(profile.features().match().orElseThrow().features()).isEmpty();
    }

    @Test
    void keywordsAreNamesOfFields() {
        for (String word :
                new String[] {"text", "id", "source", "type", "rank", "query", "field"}) {
            reads(
                    "schema s { document s { field %s type int {} } }".formatted(word),
                    "schema s\ndocument s\n  (field %s int)".formatted(word));
        }
    }

    @Test
    void pointsAtWhatDoesNotFit() {
        rejects(
                "schema s {\n  document s {\n\tfield a typ string {}\n  }\n}",
                """
                s.sd:3:10: expected 'type' but found 'typ'
                  \tfield a typ string {}
                  \t        ^\
                """);
    }

    @Test
    void reportsEveryErrorOfAFile() {
        rejects(
                """
                schema s {
                    document s {
                        field a-b type string {}
                        field b type string
                        field c type string { indexng: index }
                        field d type int { indexing: atribute | summary }
                    }
                    rank-profile p {
                        first-phas { expression: 1 }
                        termwise-limit: 1
                        second-phase {
                            expression: 2
                        }
                        function f(x { expression: x }
                    }
                    filedset default { fields: a }
                }
                """,
                """
                s.sd:3:15: expected a field's name without dashes but found 'a-b'; write 'a_b'
                          field a-b type string {}
                                ^
                s.sd:4:28: expected '{' but found the end of the line
                          field b type string
                                             ^
                s.sd:5:31: expected one of alias, attribute, bolding, dictionary, id, index, indexing, kind, linguistics, map, match, normalizing, query-command, rank, rank-type, sorting, stemming, struct-field, summary, summary-to, weight, weightedset but found 'indexng'; did you mean 'indexing'?
                          field c type string { indexng: index }
                                                ^
                s.sd:6:38: expected an indexing expression but found 'atribute'; \
                did you mean 'attribute'?
                          field d type int { indexing: atribute | summary }
                                                       ^
                s.sd:9:9: expected one of approximate-threshold, constants, diversity, exploration-slack, filter-first-exploration, filter-first-threshold, filter-threshold, first-phase, function, global-phase, ignore-default-rank-features, inputs, macro, match-features, match-phase, min-hits-per-thread, mutate, num-search-partitions, num-threads-per-search, onnx-model, post-filter-threshold, prefetch-tensors, rank, rank-features, rank-profile, rank-properties, rank-type, second-phase, significance, strict, summary-features, target-hits-max-adjustment-factor, termwise-limit, weakand, weight but found 'first-phas'; did you mean 'first-phase'?
                          first-phas { expression: 1 }
                          ^
                s.sd:10:25: expected a number with a decimal point but found '1'; write 1.0
                          termwise-limit: 1
                                          ^
                s.sd:14:22: expected ')' but found '{'
                          function f(x { expression: x }
                                       ^
                s.sd:16:5: expected one of annotation, constant, document, document-summary, documentid, field, fieldset, import, index, model, onnx-model, rank-profile, raw-as-base64-in-summary, stemming, struct but found 'filedset'; did you mean 'fieldset'?
                      filedset default { fields: a }
                      ^\
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    ``                               => 1:1: expected 'schema' but found the end of the file
                    document {}                      => 1:1: a document without a schema needs a name
                    document d {} field              => 1:15: expected the end of the file but found 'field'
                    schema s-t {}                    => 1:8: expected the schema's name without dashes but found 's-t'; write 's_t'
                    schema s {                       => 1:11: expected the '}' for the '{' at line 1 but found the end of the file
                    schema s { } }                   => 1:14: expected the end of the file but found '}'
                    schema s { ? }                   => 1:12: expected one of annotation, constant, document, document-summary, documentid, field, fieldset, import, index, model, onnx-model, rank-profile, raw-as-base64-in-summary, stemming, struct but found '?'
                    schema s { index {} }            => 1:18: expected the index's name but found '{'
                    schema s { index i { fast } }    => 1:22: expected one of alias, arity, dense-posting-list-threshold, enable-bm25, hnsw, lower-bound, prefix, stemming, upper-bound but found 'fast'
                    schema s { import field a as c {} } => 1:25: expected a reference, a dot and a field, as in ref.name, but found 'a'
                    schema s { import field a.b.c as c {} } => 1:25: expected a reference, a dot and a field, as in ref.name, but found 'a.b.c'
                    schema s { import a.b as c {} }  => 1:19: expected 'field' but found 'a.b'
                    schema s { import field a.b {} } => 1:29: expected 'as' but found '{'
                    schema s { import field a.b as c { x } } => 1:36: expected '}' but found 'x'
                    schema s { onnx-model m {} }     => 1:23: onnx-model 'm' needs a file, or its uri
                    schema s { onnx-model m { uri: x } } => 1:32: expected a URI such as https://example.com/model.onnx but found 'x'
                    schema s { onnx-model m { file: /a } } => 1:33: expected a path in the package but found '/'
                    schema s { onnx-model m { execution-mode: fast } } => 1:43: expected one of adaptive, parallel, sequential but found 'fast'
                    schema s { onnx-model m { intraop-threads: x } } => 1:44: expected an integer but found 'x'
                    schema s { onnx-model m { fil: x } } => 1:27: expected one of execution-mode, file, gpu-device, input, interop-threads, intraop-threads, optimize-model, output, uri but found 'fil'; did you mean 'file'?
                    schema s { constant c {} }       => 1:21: constant 'c' needs a file, or its uri, and a type
                    schema s { constant c { type: tensor(x[2]) } } => 1:21: constant 'c' needs a file, or its uri, and a type
                    schema s { constant c { type: double } } => 1:31: expected a tensor type but found 'double'
                    schema s { document { item } }   => 1:23: expected one of annotation, field, struct but found 'item'
                    schema s { fieldset f { fields: } } => 1:33: expected a field's name but found '}'
                    schema s { fieldset f { match: wrd } } => 1:32: expected one of cased, exact, exact-terminator, gram, gram-size, max-length, max-occurrences, max-token-length, prefix, substring, suffix, text, token, uncased, word but found 'wrd'; did you mean 'word'?
                    schema s { document-summary d { summary t } } => 1:43: expected '{' but found '}'
                    schema s inherits t, u {}        => 1:20: expected '{' but found ','
                    schema s { rank-profile p { global-phase { keep-rank-count: 5 } } } => 1:44: expected one of expression, rank-score-drop-limit, rerank-count but found 'keep-rank-count'; did you mean 'rerank-count'?
                    schema s { rank-profile p { second-phase { rerank-count: x } } } => 1:58: expected an integer but found 'x'
                    schema s { rank-profile p { match-phase { order: up } } } => 1:50: expected one of ascending, descending but found 'up'
                    schema s { rank-profile p { match-phase { attribute: a } } } => 1:29: match-phase needs attribute and max-hits
                    schema s { rank-profile p { match-phase { max-hits: 5 } } } => 1:29: match-phase needs attribute and max-hits
                    schema s { rank-profile p { match-phase { attribute: a attribute: b } } } => 1:56: attribute is given twice
                    schema s { rank-profile p { diversity { attribute: a } } } => 1:29: diversity needs attribute and min-groups
                    schema s { rank-profile p { diversity { attribute: a min-groups: 0 } } } => 1:54: min-groups has to be at least 1
                    schema s { rank-profile p { diversity { cutoff-factor: 0.5 } } } => 1:56: expected a number of at least 1.0 but found '0.5'
                    schema s { rank-profile p { diversity { cutoff-strategy: hard } } } => 1:58: expected one of loose, strict but found 'hard'
                    schema s { rank-profile p { weakand { stopword-limit: 1.5 } } } => 1:55: expected a number from 0.0 to 1.0 but found '1.5'
                    schema s { rank-profile p { weakand { allow-drop-all: 1 } } } => 1:55: expected one of false, off, on, true but found '1'
                    schema s { rank-profile p { mutate { on-hit { a = 1 } } } } => 1:38: expected one of on-first-phase, on-match, on-second-phase, on-summary but found 'on-hit'
                    schema s { rank-profile p { mutate { on-match { a * 1 } } } } => 1:51: expected '=' but found '*'
                    schema s { rank-profile p { rank f { filter-threshold: 2.0 } } } => 1:56: expected a number from 0.0 to 1.0 but found '2.0'
                    schema s { rank-profile p { rank f { element-gap: far } } } => 1:51: expected an integer but found 'far'
                    schema s { rank-profile p { significance { use-models: true } } } => 1:44: expected 'use-model' but found 'use-models'; did you mean 'use-model'?
                    schema s { rank-profile p { termwise-limit: 1.5 } } => 1:45: expected a number from 0.0 to 1.0 but found '1.5'
                    schema s { rank-profile p { target-hits-max-adjustment-factor: 0.5 } } => 1:64: expected a number of at least 1.0 but found '0.5'
                    schema s { rank-profile p { num-threads-per-search: 99999999999999999999 } } => 1:53: expected an integer from 1 to 2147483647 but found '99999999999999999999'
                    schema s { rank-profile p { first-phase { expression: } } } => 1:55: expected a rank expression but found '}'
                    schema s { rank-profile p { first-phase { rank-score-drop-limit: 1 } } } => 1:66: expected a number with a decimal point but found '1'; write 1.0
                    schema s { rank-profile p { first-phase { expression { a } } => 1:61: expected the '}' for the '{' at line 1 but found the end of the file
                    schema s { rank-profile p { first-phase { expression { a => 1:57: expected the '}' for the '{' at line 1 but found the end of the file
                    schema s { rank-profile p { function f() { } } } => 1:42: function f has no expression
                    schema s { rank-profile p { constants { a string: 1 } } } => 1:43: a constant is a number or a tensor; texts are allowed in expressions, as in attribute(kind) == "a"
                    schema s { rank-profile p { inputs { query(a) tensor(x[2) } } } => 1:47: at character 11 of 'tensor(x[2)': expected ']' but found ')'
                    schema s { rank-profile p { constants { k file: f } } } => 1:43: expected one of double, float, int, long, string, tensor but found 'file'
                    schema s { rank-profile p { constants { k: file: f } } } => 1:41: constant 'k' in a file needs the type of a tensor
                    schema s { rank-profile p { match-features a } } => 1:44: expected ':' or '{' but found 'a'
                    schema s { rank-profile p { rank-properties { a b } } } => 1:51: expected a word or ':' but found '}'
                    schema s { rank-profile p { strict: on } } => 1:37: expected one of false, true but found 'on'
                    """)
    void reportsErrorsOfSchemas(String schema, String message) {
        assertThat(firstError(schema)).startsWith("s.sd:" + message + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    alias: "a"               => 8: expected another name of the field but found "a"
                    alias a.b c: d           => 11: expected ':' but found 'c'
                    attribute: sorting       => 19: expected '{' but found the end of the line
                    attribute: alias: "x"    => 19: expected another name of the field but found "x"
                    attribute: fast-serch    => 12: expected one of alias, distance-metric, enable-bit-vectors, enable-only-bit-vector, fast-access, fast-rank, fast-search, mutable, paged, sorting but found 'fast-serch'; did you mean 'fast-search'?
                    attribute = x            => 11: expected ':' or '{' but found '='
                    bolding: yes             => 10: expected one of false, off, on, true but found 'yes'
                    sorting: up              => 10: expected one of ascending, descending, function, locale, strength but found 'up'
                    sorting: function: fast  => 20: expected one of lowercase, raw, uca but found 'fast'
                    sorting { strength: high } => 21: expected one of identical, primary, quaternary, secondary, tertiary but found 'high'
                    linguistics: p           => 12: expected '{' but found ':'
                    linguistics { index: p } => 15: expected 'profile' but found 'index'
                    linguistics { profile { find: p } } => 25: expected one of index, search but found 'find'
                    id: x                    => 5: expected an integer but found 'x'
                    index: hnsw { max: 1 }   => 15: expected one of max-links-per-node, multi-threaded-indexing, neighbors-to-explore-at-insert but found 'max'
                    match: fuzzy             => 8: expected one of cased, exact, exact-terminator, gram, gram-size, max-length, max-occurrences, max-token-length, prefix, substring, suffix, text, token, uncased, word but found 'fuzzy'
                    stemming: most           => 11: expected one of best, multiple, none, shortest but found 'most'
                    struct-field a           => 15: expected '{' but found the end of the line
                    struct-field a { weight: 1 } => 18: expected one of attribute, indexing, kind, match, query-command, rank, struct-field, summary, summary-to but found 'weight'
                    struct-field a { struct-field b { index } } => 35: expected one of attribute, indexing, kind, match, query-command, rank, struct-field, summary, summary-to but found 'index'
                    summary other type strng full => 26: expected ':' or '{' but found 'full'
                    summary other { source } => 24: expected ':' but found '}'
                    weightedset: create      => 14: expected one of create-if-nonexistent, remove-if-zero but found 'create'
                    map: fast-search         => 1: map: fast-search is refused: no index of maps is kept
                    summary-to a             => 13: expected ':' but found the end of the line
                    indexing: lowercas       => 11: expected an indexing expression but found 'lowercas'; did you mean 'lowercase'?
                    indexing: 1.5.5          => 11: '1.5.5' is no number; write 5, 5L for a long, 1.5, 1.5f or 0xff
                    indexing: 5x             => 11: '5x' is no number; write 5, 5L for a long, 1.5, 1.5f or 0xff
                    indexing: 99999999999    => 11: '99999999999' is no number; write 5, 5L for a long, 1.5, 1.5f or 0xff
                    indexing: 1 + | index    => 15: expected an indexing expression such as input, embed or a string but found '|'
                    indexing: split 5        => 17: expected a string after split but found '5'
                    indexing: join           => 15: expected a string after join but found the end of the line
                    indexing: substring 1    => 22: expected an integer after substring but found the end of the line
                    indexing: substring 1 x  => 23: expected an integer after substring but found 'x'
                    indexing: ngram          => 16: expected an integer after ngram but found the end of the line
                    indexing: get_var | index => 19: expected a name after get_var but found '|'
                    indexing: tokenize stm   => 20: expected one of keep-case, max-length, max-occurrences, max-token-length, normalize, profile, stem but found 'stm'
                    indexing: tokenize stem:x => 25: expected a string after stem but found 'x'
                    indexing: if input a     => 14: expected '(' but found 'input'
                    indexing: if (1 = 1) { 2 } => 17: expected one of == != < <= > >= but found '='
                    indexing: if (1 == 1) 2  => 23: expected '{' but found '2'
                    indexing: if (1 == 1) { } => 25: expected an indexing expression such as input, embed or a string but found '}'
                    indexing: if (1 == 1) { 2 } else 3 => 34: expected '{' but found '3'
                    indexing: for_each index => 20: expected '{' but found 'index'
                    indexing: for_each { index; } => 27: expected '}' but found ';'
                    indexing: switch { "a": index } => 20: expected case or default but found '"'
                    indexing: switch { case a: index } => 25: expected a string after case but found 'a'
                    indexing: switch { default: index; default: index } => 36: expected case or '}' but found 'default'
                    indexing: select_input { a index } => 28: expected ':' but found 'index'
                    indexing: select_input { a: lowercase b: index } => 39: expected ';' but found 'b'
                    indexing: { index )      => 19: expected '}' but found ')'
                    indexing: input a index  => 19: expected '|', '||', '.' or the end of the line but found 'index'
                    indexing: "a             => 11: expected a closing " on the same line
                    indexing: "\\q"        => 12: expected one of \\n \\t \\r \\f \\b \\\\ \\" \\' \\uXXXX
                    indexing { index | }     => 20: expected an indexing expression such as input, embed or a string but found '}'
                    indexing: index summary: dynamic => 24: expected '|', '||', '.' or the end of the line but found ':'
                    """)
    void reportsErrorsOfFields(String item, String message) {
        assertThat(firstError("schema s { document s { field f type string {\n" + item + "\n} } }"))
                .startsWith("s.sd:2:" + message + "\n");
    }

    private static String firstError(String text) {
        return String.valueOf(parse(text).errors().getFirst().getMessage());
    }

    private static void reads(String text, String tree) {
        var result = parse(text);
        assertThat(result.errors()).isEmpty();
        assertThat(DeclarationText.of(result.schema().orElseThrow())).isEqualTo(tree);
    }

    private static void rejects(String text, String messages) {
        assertThat(
                        parse(text).errors().stream()
                                .map(Throwable::getMessage)
                                .collect(Collectors.joining("\n")))
                .isEqualTo(messages);
    }

    private static SchemaParser.Result parse(String text) {
        return SchemaParser.parse(new SourceText("s.sd", text));
    }

    private static String field(String body) {
        return "schema s {\ndocument s {\nfield f type string {\n" + body + "\n}}}";
    }
}
