package org.crabro.container.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.StructOf;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.ranking.kernel.DistanceMetric;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocationReaderTest {
    /** Where one field holds positions, and where two do. */
    private static final Schema SHOPS =
            schema("shops", Map.of("home", StructOf.POSITION, "title", Primitive.STRING));

    private static final Schema TRIPS =
            schema(
                    "trips",
                    Map.of(
                            "start",
                            StructOf.POSITION,
                            "stops",
                            new FieldType.ArrayOf(StructOf.POSITION)));

    private static final Schema WORDS = schema("words", Map.of("title", Primitive.STRING));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    pos.attribute=home                                | true
                    pos.radius=10 km                                  | true
                    pos.ll=N63.4;E10.4&pos.radius=110.946km           | (circle home 63.4 10.4 1.0)
                    pos.ll=63.4N 10.4E&pos.radius=110946 m            | (circle home 63.4 10.4 1.0)
                    pos.ll=E10.4;N63.4&pos.radius=68.939mi            | (circle home 63.4 10.4 1.0)
                    pos.ll=63.4,10.4&pos.radius=68.939 miles          | (circle home 63.4 10.4 1.0)
                    pos.ll=59N54.6;10E45&pos.radius=1d                | (circle home 59.91 10.75 1.0)
                    pos.ll=E10o45;N59°30'36&pos.radius=1d             | (circle home 59.51 10.75 1.0)
                    pos.ll=59°30'36"S,10°45'W&pos.radius=1d           | (circle home -59.51 -10.75 1.0)
                    pos.ll=-59o30 +10o45&pos.radius=1d                | (circle home -59.5 10.75 1.0)
                    pos.ll=10E45;-59o30&pos.radius=1d                 | (circle home -59.5 10.75 1.0)
                    pos.ll=-10E45;S-59o30&pos.radius=1d               | (circle home 59.5 -10.75 1.0)
                    POS.LL=S63.4; W10.4&pos.radius=2 deg              | (circle home -63.4 -10.4 2.0)
                    pos.ll=-63.4;-10.4&pos.radius=500000              | (circle home -63.4 -10.4 0.5)
                    pos.ll=63.4;10.4&pos.radius=-1                    | (circle home 63.4 10.4 -1.0E-6)
                    pos.ll=63.4;10.4                                  | (circle home 63.4 10.4 0.4506696951670182)
                    pos.xy=10400000;63400000&pos.radius=1d            | (circle home 63.4 10.4 1.0)
                    pos.bb=n=64,s=63,e=11,w=10                        | (box home 63.0 10.0 64.0 11.0)
                    pos.bb=W=W10.5, E=E170, S=S2, N=N3                | (box home -2.0 -10.5 3.0 170.0)
                    pos.bb=n=3,s=2,e=-170,w=170                       | (box home 2.0 170.0 3.0 -170.0)
                    pos.bb=n=3,s=2,e=1,w=0&pos.ll=0;0&pos.radius=1d   | (and (box home 2.0 0.0 3.0 1.0) (circle home 0.0 0.0 1.0))
                    ranking.location=(2,10400000,63400000,50000,0,1,0) | (circle home 63.4 10.4 0.05)
                    ranking.location=(2,10400000,63400000,50000,0,1,0,CalcLatLon) | (circle home 63.4 10.4 0.05)
                    ranking.location=(2,10400000,63400000,-1)         | (circle home 63.4 10.4 -1.0E-6)
                    ranking.location=[2,11000000,64000000,10000000,63000000] | (box home 63.0 10.0 64.0 11.0)
                    ranking.location=home:[2,1000000,0,0,1000000](2,0,0,1000000,0,1,0) | (and (box home 0.0 0.0 1.0 1.0) (circle home 0.0 0.0 1.0))
                    """)
    void positionsOfParametersHaveTheFormsOfFeeding(String parameters, String tree) {
        assertThat(QueryText.of(narrowed(parameters, SHOPS))).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    pos.ll=1;2&pos.attribute=stops&pos.radius=1d    | (circle stops 1.0 2.0 1.0)
                    pos.bb=n=2,s=1,e=2,w=1&pos.attribute=start      | (box start 1.0 1.0 2.0 2.0)
                    ranking.location=start:(2,0,0,1000000)          | (circle start 0.0 0.0 1.0)
                    """)
    void looksIntoTheFieldThatIsNamed(String parameters, String tree) {
        assertThat(QueryText.of(narrowed(parameters, TRIPS, SHOPS))).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    pos.ll=here | Could not set 'pos.ll': expected a latitude and a longitude such as N63.4;E10.4 but found 'here'
                    pos.ll=1;2;3 | Could not set 'pos.ll': expected a latitude and a longitude such as N63.4;E10.4 but found '1;2;3'
                    pos.ll=59.5N30;E1 | Could not set 'pos.ll': expected a latitude and a longitude such as N63.4;E10.4 but found '59.5N30;E1'
                    pos.ll=N59E;1 | Could not set 'pos.ll': expected a latitude and a longitude such as N63.4;E10.4 but found 'N59E;1'
                    pos.ll=N91;E1 | Could not set 'pos.ll': expected a latitude and a longitude such as N63.4;E10.4 but found 'N91;E1'
                    pos.xy=1.5;2 | Could not set 'pos.xy': expected microdegrees east and north such as 10400000;63400000 but found '1.5;2'
                    pos.xy=0;90000001 | Could not set 'pos.xy': expected microdegrees east and north such as 10400000;63400000 but found '0;90000001'
                    pos.ll=1;2&pos.xy=1;2 | expected one of pos.ll and pos.xy but found both
                    pos.ll=1;2&pos.radius=5 ft | Could not set 'pos.radius': expected a number and km, m, miles, mi, deg or d, or microdegrees but found '5 ft'
                    pos.ll=1;2&pos.radius=km | Could not set 'pos.radius': expected a number and km, m, miles, mi, deg or d, or microdegrees but found 'km'
                    pos.bb=n=1,s=0,e=1 | Could not set 'pos.bb': expected degrees of all four sides such as n=64,s=63,e=11,w=10 but found 'n=1,s=0,e=1'
                    pos.bb=n=0,s=1,e=1,w=0 | Could not set 'pos.bb': expected degrees of all four sides such as n=64,s=63,e=11,w=10 but found 'n=0,s=1,e=1,w=0'
                    pos.bb=n=1 s=0,e=1,w=0 | Could not set 'pos.bb': expected degrees of all four sides such as n=64,s=63,e=11,w=10 but found 'n=1 s=0,e=1,w=0'
                    pos.bb=n=2,s=0,e=1,w=0,n=1 | Could not set 'pos.bb': expected degrees of all four sides such as n=64,s=63,e=11,w=10 but found 'n=2,s=0,e=1,w=0,n=1'
                    ranking.location=(2,1,1,1] | Could not set 'ranking.location': expected (2,x,y,radius,0,1,0), [2,x,y,x,y] or both, in microdegrees, but found '(2,1,1,1]'
                    ranking.location=(2,1,1,1)(2,1,1,1)(2,1,1,1) | Could not set 'ranking.location': expected (2,x,y,radius,0,1,0), [2,x,y,x,y] or both, in microdegrees, but found '(2,1,1,1)(2,1,1,1)(2,1,1,1)'
                    ranking.location=(3,1,1,1) | Could not set 'ranking.location': expected (2,x,y,radius,0,1,0), [2,x,y,x,y] or both, in microdegrees, but found '(3,1,1,1)'
                    ranking.location=(2,1,1) | Could not set 'ranking.location': expected (2,x,y,radius,0,1,0), [2,x,y,x,y] or both, in microdegrees, but found '(2,1,1)'
                    ranking.location=(2,CalcLatLon,1,1) | Could not set 'ranking.location': expected (2,x,y,radius,0,1,0), [2,x,y,x,y] or both, in microdegrees, but found '(2,CalcLatLon,1,1)'
                    ranking.location=title:(2,1,1,1) | expected a field that holds positions, one of [home], but found 'title'
                    pos.ll=1;2&pos.attribute=nowhere | expected a field that holds positions, one of [home], but found 'nowhere'
                    """)
    void saysWhatWasExpected(String parameters, String message) {
        assertThatExceptionOfType(IllegalQueryException.class)
                .isThrownBy(() -> narrowed(parameters, SHOPS))
                .satisfies(e -> assertThat(e.error().message()).isEqualTo(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    trips | pos.ll: several fields hold positions: expected one of [start, stops] as pos.attribute
                    words | pos.ll: no field of [words] holds positions
                    """)
    void needsToKnowWhichFieldIsMeant(String type, String message) {
        assertThatExceptionOfType(IllegalQueryException.class)
                .isThrownBy(() -> narrowed("pos.ll=1;2", type.equals("trips") ? TRIPS : WORDS))
                .satisfies(e -> assertThat(e.error().message()).isEqualTo(message));
    }

    private static QueryNode narrowed(String parameters, Schema... schemas) {
        var values = new LinkedHashMap<String, String>();
        for (String pair : parameters.split("&", -1)) {
            String[] parts = pair.split("=", 2);
            values.put(parts[0], parts[1]);
        }
        return new LocationReader(new Parameters(values), List.of(schemas))
                .narrowed(new QueryNode.All());
    }

    private static Schema schema(String name, Map<String, FieldType> types) {
        var fields = new LinkedHashMap<String, SchemaField>();
        types.forEach((field, type) ->
                fields.put(
                        field,
                        new SchemaField(
                                new Field(field, type, true),
                                Set.of(Aspect.ATTRIBUTE),
                                MatchMode.WORD,
                                DistanceMetric.EUCLIDEAN,
                                new IndexingScript(List.of()))));
        return new Schema(
                name,
                new DocumentType(name, fields.values().stream().map(SchemaField::field).toList()),
                fields,
                new FieldNames(Map.of(), Map.of(), Map.of()),
                Map.of(),
                new SummaryRules(
                        Map.of("default", new DocumentSummary("default", List.of())),
                        SnippetRules.DEFAULT));
    }
}
