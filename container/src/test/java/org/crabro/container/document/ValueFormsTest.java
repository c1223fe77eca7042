package org.crabro.container.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.route.SelectionFilter;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.LeftOutCells;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every form of a value is encoded directly as a row, with the result of the path through values.
 */
class ValueFormsTest {
    private static final DocumentId ID = DocumentId.parse("id:ns:made::1");

    @TempDir static Path directory;

    private static ApplicationModel model;

    @BeforeAll
    static void compile() throws Exception {
        model =
                StreamedType.model(
                        "made",
                        directory,
                        """
                        schema made {
                          document made {
                            struct pair { field a type string {} field b type int {} }
                            struct outer { field p type pair {} field ps type array<pair> {} }
                            field s type string { indexing: summary }
                            field i type int { indexing: summary }
                            field l type long { indexing: summary }
                            field o type byte { indexing: summary }
                            field g type bool { indexing: summary }
                            field f type float { indexing: summary }
                            field d type double { indexing: summary }
                            field r type raw { indexing: summary }
                            field u type uri { indexing: summary }
                            field p type position { indexing: summary }
                            field pair type pair { indexing: summary }
                            field outer type outer { indexing: summary }
                            field pairs type array<pair> { indexing: summary }
                            field ws type weightedset<string> { indexing: summary }
                            field wi type weightedset<int> { indexing: summary }
                            field ms type map<string, string> { indexing: summary }
                            field mi type map<int, pair> { indexing: summary }
                            field x type tensor<float>(x[2]) { indexing: attribute }
                            field y type tensor<int8>(x[2],y[2]) { indexing: attribute }
                            field k type tensor<float>(k{}) { indexing: attribute }
                            field km type tensor(k{},m{}) { indexing: attribute }
                            field kx type tensor<bfloat16>(k{},x[2]) { indexing: attribute }
                            field xs type tensor<double>(x[1000]) { indexing: attribute }
                            field kxs type tensor<double>(k{},x[1000]) { indexing: attribute }
                            field kmx type tensor<float>(k{},m{},x[2]) { indexing: attribute }
                          }
                        }
                        """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    s   | 'text'
                    s   | 42
                    s   | -1.5e3
                    s   | true
                    i   | '42'
                    i   | '-007'
                    l   | 9223372036854775807
                    l   | '-9223372036854775808'
                    o   | '-128'
                    g   | 'TRUE'
                    f   | 'nan'
                    f   | '-Infinity'
                    f   | 1.00000017881393432617187499
                    f   | 1e-40
                    f   | -0.0
                    d   | '.5'
                    d   | 'inf'
                    r   | 'AQID'
                    r   | ''
                    r   | 'AQ\\nID'
                    r   | 'A-Q_I D'
                    u   | 'http://example.org/?q=%20'
                    p   | 'N37.4;W122.5'
                    p   | '-122000000;37000000'
                    p   | {'lat':37.4,'lng':-122.12345678}
                    p   | {'longitude':'2','latitude':1}
                    p   | {'x':1000000,'y':'-2000000'}
                    p   | {'x':2147483647,'y':'-2147483648'}
                    p   | {'lat':91,'lng':-2147.483648}
                    pair | {}
                    pair | {'a':'x','b':1}
                    pair | {'b':1,'a':'x'}
                    pair | {'a':'x','b':1,'a':'longer'}
                    pair | {'a':'x','b':null,'a':null}
                    outer | {'ps':[{'b':2},{'b':3,'a':'y'}],'p':{'b':1}}
                    pairs | [{'a':'x'},{},{'b':2,'a':'y'}]
                    ws  | {}
                    ws  | {'b':1,'a':-2}
                    ws  | {'a':1,'b':2,'a':'3'}
                    wi  | {'7':1,'-07':2,'007':3}
                    ms  | {}
                    ms  | {'b':'x','a':'y'}
                    ms  | {'a':'short','b':'x','a':'much longer','b':'','c':'z'}
                    ms  | []
                    ms  | [{'key':'a','value':'x'},{'value':'y','key':'b'}]
                    ms  | [{'value':'y','key':'b'},{'key':'a','value':'x','value':'z'},{'key':'b','value':1}]
                    mi  | {'1':{'b':2,'a':'x'},'2':{}}
                    mi  | [{'value':{'a':'x'},'key':7}]
                    x   | ['1','NaN']
                    x   | {'type':'tensor(x[2])','values':[1,-0.0]}
                    x   | {'values':[1,2],'type':'tensor'}
                    x   | {'values':[1,2],'values':[3,4]}
                    x   | {'cells':[],'values':[3,4]}
                    x   | {'values':[3,4],'cells':[]}
                    x   | {}
                    x   | {'cells':[]}
                    x   | {'type':'tensor<float>(x[2])'}
                    y   | {'cells':[],'type':'tensor<int8>(x[2],y[2])'}
                    x   | '3FC0C000'
                    x   | '01fF'
                    x   | '3FF00000000000007FF0000000000000'
                    x   | {'cells':[{'address':{'x':'1'},'value':2.5}]}
                    x   | [{'value':1,'address':{'x':1}},{'address':{'x':0},'value':'inf'}]
                    y   | {'cells':[{'address':{'y':1,'x':0},'value':300},{'address':{'x':1,'y':1},'value':-1}]}
                    k   | {}
                    k   | []
                    k   | {'b':1,'a':2.5,'ä':'nan'}
                    k   | {'a':1,'a':2}
                    k   | {'cells':{'b':1,'a':2}}
                    k   | {'cells':1,'blocks':2,'values':3,'type':4}
                    k   | {'type':'5'}
                    k   | {'type':'tensor<float>(k{})','cells':[]}
                    k   | {'cells':[{'address':{'k':'b'},'value':1},{'value':2,'address':{'k':7}}]}
                    k   | [{'address':{'k':'b'},'value':1},{'address':{'k':'b'},'value':2}]
                    km  | {'cells':[{'address':{'m':'z','k':'a'},'value':1},{'address':{'k':'a','m':'b'},'value':2}]}
                    km  | [{'address':{'k':'aa','m':'b'},'value':1},{'address':{'k':'a','m':'ab'},'value':2}]
                    kx  | {'b':[1,2],'a':'3F804000'}
                    kx  | {'blocks':{'b':[1,2],'a':[[3],[4]]}}
                    kx  | {'blocks':[1,2],'cells':[3,4],'values':[5,6],'type':[7,8]}
                    kx  | {'blocks':[{'address':{'k':'b'},'values':[1,2]},{'values':'0102','address':{'k':'a'}}]}
                    kx  | {'cells':[{'address':{'k':'b','x':1},'value':1},{'address':{'x':'0','k':'a'},'value':2}]}
                    kx  | {'blocks':{'a':[1,2]},'cells':[{'address':{'k':'a','x':0},'value':3}]}
                    kx  | {'a':{'values':[1,2]},'b':{'cells':[{'address':{'x':1},'value':7}]}}
                    kmx | {'blocks':[{'address':{'m':'q','k':'p'},'values':[1,2]},{'address':{'m':'a','k':'p'},'values':[3,4]}]}
                    kmx | [{'address':{'m':'q','k':'p','x':1},'value':1},{'address':{'x':0,'k':'p','m':'q'},'value':2}]
                    i   | '\\u0034\\u0032'
                    l   | '\\u0663'
                    g   | 7
                    g   | 'no, \\u0074rue'
                    f   | -0
                    d   | -0
                    d   | 1e00000000000000000002
                    d   | -1e-99999999999
                    p   | {'l\\u0061t':1,'lng':2}
                    pair | {'a':null,'\\u0062':1,'a':'x'}
                    pair | {'b':1,'a':null}
                    outer | {'ps':[{'b':2}],'p':null}
                    ms  | [{'k\\u0065y':'a','value':'x'}]
                    x   | {'type':[{'any':null}],'values':[1,2]}
                    x   | {'values':[],'cells':[],'values':[[],[1],[[2,[]]]]}
                    x   | [0.5,[0.25]]
                    x   | '\\u0030102'
                    x   | '7FC123457F800001'
                    x   | [{'address':{'x':'+1'},'value':2}]
                    x   | [{'address':{'x':99999999999,'x':1},'value':2}]
                    x   | [{'\\u0061ddress':{'\\u0078':'001'},'value':2}]
                    k   | {'\\b\\uffff':1}
                    k   | [{'address':{'k':null},'value':1}]
                    k   | {'cells':[5]}
                    k   | {'type':'\\u0074ensor<float>(k{})','c\\u0065lls':{'a':1}}
                    """)
    void goesStraightIntoTheRow(String field, String value) {
        assertStraight("{'%s':%s}".formatted(field, value).replace('\'', '"'));
    }

    /** Enough entries to detect work per entry that depends on all earlier ones. */
    @Test
    void acceptsMapsAndTensorsOfManyEntries() {
        String members =
                IntStream.range(0, 20_000)
                        .mapToObj(i -> "\"%d\":%d".formatted(i * 7_919 % 15_000, i % 100))
                        .collect(Collectors.joining(",", "{", "}"));

        assertStraight("{\"wi\":%s,\"ms\":%s,\"k\":%s}".formatted(members, members, members));
        assertStraight("{\"wi\":{\"1\":2}}");
    }

    /** Omitted cells count: 8,000 bytes for 50 bytes of JSON each. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{%s,'i':7}|'xs':{'cells':[{'address':{'x':1},'value':2}]}",
                "{'kxs':{%s},'i':7}|'a':{'cells':[{'address':{'x':1},'value':7}]}"
            })
    void leavesToOthersWhatTakesMuchMoreThanItSays(String form) {
        String[] parts = form.replace('\'', '"').split("\\|", -1);
        String again = String.join(",", Collections.nCopies(2_000, parts[1]));

        assertThat(straight(body(parts[0].formatted(parts[1])))).isNull();
        assertThat(straight(body(parts[0].formatted(again)))).isNull();
    }

    /** The reader of values reports the error. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "'x':{'values':[]}",
                "'x':{'cells':[],'values':[1]}",
                "'kx':{'a':{}}",
                "'kx':{'a':{'cells':[]}}",
                "'p':'N91;E0'",
                "'p':{'lat':2147.483648,'lng':0}",
            })
    void leavesToOthersWhatLacksCellsOrIsOutOfRange(String field) {
        assertThat(straight(body("{%s}".formatted(field).replace('\'', '"')))).isNull();
    }

    private static byte[] body(String fields) {
        return ("{\"fields\":" + fields + "}").getBytes(UTF_8);
    }

    private static Write.@Nullable Row straight(byte[] body) {
        var rows = new MapOfRows(model);
        return new JsonRowPuts(
                        new ServedTypes(model, Map.of(), false),
                        rows,
                        new SelectionFilter(model, rows, InstantSource.system()).filter(rows))
                .read(ID, body, WriteParameters.NONE, () -> {});
    }

    private static void assertStraight(String fields) {
        byte[] body = body(fields);
        Write.Row straight = straight(body);

        assertThat(straight).as("read straight").isNotNull();
        DocumentType type = Objects.requireNonNull(model.schemas().get("made")).documentType();
        Document other =
                new DocumentReader(type)
                        .read(ID, new ByteArrayInputStream(body), LeftOutCells.UNCOUNTED)
                        .document();
        assertThat(Objects.requireNonNull(straight).bytes())
                .isEqualTo(
                        RowEncoding.encode(
                                new Row(ID, 0, type.fingerprint(), false, other.fields()), type));
    }
}
