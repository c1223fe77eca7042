package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Packages that would deploy and then answer wrongly are refused, those next to them are not. */
class SilentlyWrongPackagesTest {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="queries" version="1.0">
                <search/>
                <document-api/>
                <document-processing><chain id="default" inherits="indexing"/><chain id="ours" inherits="indexing"/></document-processing>
                %s
              </container>
              <content id="north" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="%s" mode="%s"/>%s</documents>
              </content>
              %s
            </services>
            """;

    private static String problems(Map<String, String> files) {
        return PackageMessages.of(new CorpusFile.Case("", files, "", "", "", Set.of())).problems();
    }

    private static String problems(
            String inContainer, String inDocuments, String inServices, Map<String, String> more) {
        Map<String, String> files = new TreeMap<>(more);
        files.put(
                "services.xml",
                SERVICES.formatted(inContainer, "note", "index", inDocuments, inServices));
        files.put("schemas/note.sd", "schema note { document note {} }");
        return problems(files);
    }

    private static void check(String problems, String expected) {
        if (expected == null) {
            assertThat(problems).isEmpty();
        } else {
            assertThat(problems).contains(expected);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    field a type weightedset<double> { indexing: attribute } | not double
                    field a type weightedset<float> { indexing: attribute } | not float
                    field a type weightedset<float16> { indexing: summary } | not float16
                    field a type weightedset<long> { indexing: attribute } |
                    field a type weightedset<bool> { indexing: attribute } |
                    field a type map<double, string> { indexing: summary } |
                    field a type predicate { indexing: attribute } | predicate 'a' needs an arity
                    field a type predicate { index { lower-bound: 3 } indexing: attribute } | predicate 'a' needs an arity
                    field a type predicate { indexing: summary } |
                    field a type predicate { index { arity: 2 } indexing: attribute } |
                    field a type predicate { index { arity: 1 } indexing: attribute } | expected an integer from 2
                    field a type string { index { arity: 2 } indexing: index } | arity is for predicates, not for type string
                    field a type array<int> { index { arity: 2 } indexing: attribute } | arity is for predicates, not for type array<int>
                    field a type int { id: 100 indexing: attribute } | id 100 is not for fields
                    field a type int { id: 127 indexing: attribute } | id 127 is not for fields
                    field a type int { id: -1 indexing: attribute } | id -1 is not for fields
                    field a type int { id: 99 indexing: attribute } |
                    field a type int { id: 128 indexing: attribute } |
                    struct s { field a type int { id: 110 } } | id 110 is not for fields
                    struct s { field x type int {} } field a type s { alias: b } | 'a' is of type s, which cannot have an alias
                    struct s { field x type int {} } field a type array<s> { alias: b } | cannot have an alias
                    field a type map<string, int> { alias: b } | which cannot have an alias
                    field a type position { alias: b indexing: attribute } |
                    field a type array<string> { alias: b indexing: attribute } |
                    field a type weightedset<string> { alias: b indexing: attribute } |
                    """)
    void checksFields(String field, String expected) {
        Map<String, String> files = new TreeMap<>();
        files.put("services.xml", SERVICES.formatted("", "note", "index", "", ""));
        files.put("schemas/note.sd", "schema note { document note { " + field + " } }");
        check(problems(files), expected);
    }

    @ParameterizedTest
    @CsvSource({"and", "or", "not", "null", "true", "false", "id", "Not"})
    void refusesTypesCalledAsAWordOfSelections(String name) {
        for (String mode : new String[] {"index", "streaming"}) {
            Map<String, String> files = new TreeMap<>();
            files.put("services.xml", SERVICES.formatted("", name, mode, "", ""));
            files.put(
                    "schemas/" + name + ".sd", "schema " + name + " { document " + name + " {} }");
            assertThat(problems(files)).contains("'" + name + "' is a word of document selections");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    <nodes><jvm allocated-memory="50"/><node hostalias="a"/></nodes> | expected a percentage, as in 50%
                    <nodes><jvm allocated-memory="50%"/><node hostalias="a"/></nodes> |
                    <nodes allocated-memory="1g"><node hostalias="a"/></nodes> | expected a percentage, as in 50%
                    """)
    void checksMemoryOfContainers(String nodes, String expected) {
        check(problems(nodes, "", "", Map.of()), expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    <document-processing cluster="queries" chain="default"/> | chain 'default' cannot be an indexing chain
                    <document-processing cluster="queries" chain="ours"/> |
                    <document-processing cluster="queries"/> |
                    """)
    void checksIndexingChains(String processing, String expected) {
        check(problems("", processing, "", Map.of()), expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    <routing version="1.0"><routingtable protocol="document"/></routing> |
                    <routing version="2.0"><routingtable protocol="document"/></routing> | routing/@version
                    <routing><routingtable protocol="document"/></routing> | routing needs version
                    <routing version="1.0"><routingtable protocol="document"><route name="r" hops="nowhere"/></routingtable></routing> | there is no hop 'nowhere'
                    <routing version="1.0"><routingtable protocol="document"><route name="r" hops="queries/chain.x north"/></routingtable></routing> |
                    <routing version="1.0"><routingtable protocol="document"><route name="r" hops="h"/><hop name="h" selector="[AND:north]"><recipient session="north"/></hop></routingtable></routing> |
                    <routing version="1.0"><routingtable protocol="document"><route name="r" hops="r2 route:x [Content:cluster=north]"/><route name="r2" hops="indexing"/></routingtable></routing> |
                    """)
    void checksRoutes(String routing, String expected) {
        check(problems("", "", routing, Map.of()), expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    <page><section source="x"/></page> | page needs id
                    <page id="a"><include idref="nobody"/></page> | there is no page 'nobody'
                    <page id="a"><section><include idref="nobody"/></section></page> | there is no page 'nobody'
                    <page id="a"><include idref="b"/></page> |
                    """)
    void checksPageTemplates(String page, String expected) {
        for (String directory : new String[] {"page-templates/", "search/page-templates/"}) {
            Map<String, String> more =
                    Map.of(directory + "x.xml", page, directory + "b.xml", "<page id=\"b\"/>");
            check(problems("", "", "", more), expected);
        }
    }
}
