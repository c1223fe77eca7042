package org.crabro.container.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.rules.RuleBase;
import org.crabro.config.rules.RuleBaseLinker;
import org.crabro.container.yql.FieldKind;
import org.crabro.container.yql.Grammar;
import org.crabro.container.yql.QueryContext;
import org.crabro.container.yql.SimpleQueryParser;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.TermSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queries of user input, in which {@code default:} is left out. */
class RuleRewriterTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    lotr -> lord of the rings;                  | all     | lotr                 | (and lord of the rings)
                    lotr -> lord of the rings;                  | all     | LOTR trilogy         | (and lord of the rings trilogy)
                    lotr -> lord of the rings;                  | weakAnd | lotr                 | (weakand lord of the rings)
                    lotr -> lord of the rings;                  | weakAnd | new lotr             | (weakand new lord of the rings)
                    lotr -> lord of the rings;                  | all     | a -lotr              | (without a (and lord of the rings))
                    lotr -> "lord of the rings";                | all     | lotr                 | (phrase default lord of the rings)
                    colour -> color;                            | all     | colour colour        | (and color color)
                    book -> tome;                               | all     | books                | tome
                    @stemming(false) book -> tome;              | all     | books                | books
                    farben -> color;                            | all     | farbe                | farbe
                    @language(de) farben -> color;              | all     | farbe                | color
                    colour -> color;                            | all     | "colour tv"          | (phrase default colour tv)
                    colour -> color; color -> red;              | all     | colour               | red
                    color -> red; colour -> color;              | all     | colour               | color
                    colour -> color;                            | all     | title:colour         | title:colour
                    title:colour -> color;                      | all     | title:colour colour  | (and color colour)
                    title:colour -> title:color;                | all     | title:colour         | title:color
                    [stop] -> ; [stop] :- the, of, and;         | all     | the lord of rings    | (and lord rings)
                    [stop] -> ; [stop] :- the, of;              | all     | -the lord            | lord
                    [stop] -> ; [stop] :- the;                  | all     | the -lord            | (without true lord)
                    the -> ;                                    | all     | the                  |
                    [brand] -> company:[brand]; [brand] :- sony, dell; | all | sony tv           | (and company:sony tv)
                    [brand] -> company:[brand]; [brand] :- sony ericsson, dell; | all | sony ericsson tv | (and (phrase company sony ericsson) tv)
                    [brand] -> company:[brand]; [brand] :- sony ericsson; | all | "sony ericsson" tv | (and (phrase company sony ericsson) tv)
                    [brand] -> company:[brand]!150; [brand] :- sony; | all | sony                | {weight 150}company:sony
                    [category] +> $category:[category]; [category] :- laptop, digital camera, camera; | all | digital camera | (rank (and digital camera) (phrase category digital camera))
                    [category] +> $category:[category]; [category] :- laptop, camera; | all | laptop bag | (rank (and laptop bag) category:laptop)
                    [category] +> $category:[category]; [category] :- laptop; | all | laptop       | (rank laptop category:laptop)
                    car +> automobile;                          | all     | red car              | (and red car automobile)
                    car +> =automobile;                         | all     | used car             | (and used (equiv car automobile))
                    car +> =automobile ="motor car";            | all     | car                  | (equiv car automobile (phrase default motor car))
                    sports car +> =roadster;                    | all     | red sports car       | (and red (equiv (phrase default sports car) roadster))
                    car -> =auto =automobile;                   | all     | red car              | (and red (equiv auto automobile))
                    car +> ?automobile;                         | all     | car                  | (or car automobile)
                    car +> ?automobile;                         | all     | red car              | (or (and red car) automobile)
                    car +> +fast;                               | any     | red car              | (and (or red car) fast)
                    car +> -toy;                                | all     | red car              | (without (and red car) toy)
                    car +> -toy;                                | all     | red car -blue        | (without (without (and red car) toy) blue)
                    car +> $red $blue;                          | all     | car                  | (rank car red blue)
                    [...] car -> what:[...];                    | all     | big red car          | (and what:big what:red)
                    buy [...] -> product:[...];                 | all     | buy red car          | (and product:red product:car)
                    buy ... now -> order;                       | all     | please buy a b now x | (and please order x)
                    buy … now -> order;                         | all     | buy now              | order
                    a [...] b [...] c -> [...];                 | all     | a x b y c            | (and x y)
                    from/[city] to/[city] -> origin:[from] goal:[to]; [city] :- oslo, rome; | all | oslo rome | (and origin:oslo goal:rome)
                    p/(new york) -> place:[p];                  | all     | new york             | (phrase place new york)
                    [city] -> place:[city]; [city] :- new york, new jersey, york; | all | new jersey york | (and (phrase place new jersey) place:york)
                    (in, at, on) [city] -> place:[city]; [city] :- oslo; | all | hotel at oslo   | (and hotel place:oslo)
                    a, b c -> d;                                | all     | b c a b              | (and d d b)
                    a & b -> c;                                 | all     | a b                  | (and a b)
                    a & !b -> c;                                | all     | a b                  | (and c b)
                    a !b -> c;                                  | all     | a b a                | (and a b c)
                    . a -> c;                                   | all     | a a                  | (and c a)
                    a . -> c;                                   | all     | a a                  | (and a c)
                    . a . -> c;                                 | all     | a                    | c
                    a a -> a;                                   | all     | a a a a              | a
                    a -> a b;                                   | all     | a a                  | (and a b a b)
                    a +> a;                                     | all     | a                    | (and a a)
                    a +> $a;                                    | all     | a                    | (rank a a)
                    a -> b; b -> a;                             | all     | a                    | a
                    a a -> b;                                   | all     | a -a                 | (without a a)
                    [n]='7' -> x; [n] :- 5, 7;                  | all     | 5 7                  | (and 5 x)
                    [n]<='7.0' -> x; [n] :- 5, 7, 9;            | all     | 5 7 9                | (and x x 9)
                    [n]>'5' -> x; [n] :- 5, 7, 9;               | all     | 5 7 9                | (and 5 x x)
                    [n]=~'on' -> x; [n] :- sony, dell;          | all     | sony dell            | (and x dell)
                    parameter.lang='de' a -> b;                 | all     | a                    | b
                    parameter.lang='en' a -> b;                 | all     | a                    | a
                    parameter.none a -> b;                      | all     | a                    | a
                    !parameter.none a -> b;                     | all     | a                    | b
                    parameter.lang +> $language:de;             | all     | a b                  | (rank (and a b) language:de)
                    parameter.lang -> x;                        | all     | a                    | (and a x)
                    [c*] +> =[c*]; [c] :- car, motor car;       | all     | car                  | (equiv car (phrase default motor car))
                    wi-fi -> wlan;                              | weakAnd | wi-fi router         | (weakand wlan router)
                    wlan -> 'wi-fi';                            | all     | wlan                 | wi-fi
                    "c++" -> cpp; c -> x;                       | tokenize | c                  | x
                    node.js -> x;                               | all     | node.js              | x
                    a -> b; # a comment; -> c                   | all     | a                    | b
                    a -> title:b;                               | all     | a year:>5            | (and title:b (range year <5;]))
                    a b -> c;                                   | all     | a year:>5 b          | (and a (range year <5;]) b)
                    a b -> c;                                   | all     | a b*                 | (and a {prefix}b)
                    a b -> c;                                   | all     | +(a b) d             | (and c d)
                    """)
    void aRuleRewritesAQuery(String rules, String grammar, String query, String expected) {
        RewrittenQuery rewritten = rewrite(rules, grammar, query, 1_000);

        assertThat(rewritten.tree().map(QueryText::of).orElse("").replace("default:", ""))
                .isEqualTo(expected == null ? "" : expected);
    }

    @Test
    void aRuleSetsAParameterThatLaterRulesSee() {
        RewrittenQuery rewritten =
                rewrite(
                        "cheap -> parameter.sorting='+price'; parameter.sorting='+price' a -> b;",
                        "all",
                        "cheap a",
                        1_000);

        assertThat(rewritten.settings()).isEqualTo(Map.of("sorting", "+price"));
        assertThat(rewritten.tree().map(QueryText::of)).contains("default:b");
    }

    @Test
    void theTraceShowsEachRuleThatMatches() {
        assertThat(rewrite("a -> b;\nc -> d;\nb +> e;", "all", "a x", 1_000).trace())
                .containsExactly(
                        "a -> b; made (and default:b default:x)",
                        "b +> e; made (and default:b default:e default:x)");
    }

    @Test
    void rulesThatMakeAQueryTooLargeAreStopped() {
        assertThatExceptionOfType(RuleLimitException.class)
                .isThrownBy(() -> rewrite("a -> b b; b -> a a;\na -> b b;", "all", "a a a", 10))
                .withMessage("rule base 'r' makes a query of more than 10 items");
    }

    @Test
    void rulesThatTryTooManyWaysAreStopped() {
        assertThatExceptionOfType(RuleLimitException.class)
                .isThrownBy(() ->
                        rewrite(
                                "... a ... a ... a ... a ... a ... b -> c;",
                                "all",
                                "a ".repeat(200),
                                1_000))
                .withMessage(
                        "rule base 'r' takes more than 1000000 steps for this query; rules.off=true leaves it out");
    }

    /** The same words as on the page of the reference, whose second definition counts. */
    @Test
    void anIncludingBaseExtendsAndReplacesConditions() {
        RuleBase base =
                base(
                        "r",
                        Map.of(
                                "r",
                                """
                                @include(shop.sr)
                                [category] :- @super, palmtop, phone;
                                [stop] :- a;
                                """,
                                "shop",
                                """
                                [stop] -> ;
                                [stop] :- the;
                                [category] -> category:[category];
                                [category] :- laptop, camera;
                                """));

        assertThat(text(base, "the laptop")).isEqualTo("(and the category:laptop)");
        assertThat(text(base, "a phone")).isEqualTo("category:phone");
    }

    private static String text(RuleBase base, String query) {
        return rewrite(base, "all", query, 1_000)
                .tree()
                .map(QueryText::of)
                .orElse("")
                .replace("default:", "");
    }

    private static RewrittenQuery rewrite(
            String rules, String grammar, String query, int maxItems) {
        String lines = rules.replaceAll("(@[a-z]+\\([a-z]+\\))", "$1\n");
        return rewrite(base("r", Map.of("r", lines)), grammar, query, maxItems);
    }

    private static RewrittenQuery rewrite(
            RuleBase base, String grammar, String query, int maxItems) {
        QueryNode tree =
                SimpleQueryParser.parse(
                                query,
                                Grammar.of(grammar).orElseThrow(),
                                "default",
                                new Fields(),
                                TermSettings.DEFAULT)
                        .orElseThrow();
        RuleOperator together =
                switch (grammar) {
                    case "all" -> RuleOperator.AND;
                    case "any" -> RuleOperator.OR;
                    default -> RuleOperator.WEAK_AND;
                };
        return RuleRewriter.rewrite(
                base,
                new RuleQuery(
                        tree,
                        new HashMap<>(Map.of("lang", "de")),
                        "default",
                        together,
                        TermSettings.DEFAULT,
                        maxItems));
    }

    private static RuleBase base(String name, Map<String, String> texts) {
        var findings = new Findings();
        var files = new HashMap<String, String>();
        texts.forEach((file, text) -> files.put("rules/" + file + ".sr", text));
        RuleBase base = RuleBaseLinker.read(new TextFiles(files), findings).byName().get(name);
        assertThat(findings.problems()).isEmpty();
        return Objects.requireNonNull(base);
    }

    private record TextFiles(Map<String, String> texts) implements ApplicationFiles {
        @Override
        public SortedSet<String> paths() {
            return new TreeSet<>(texts.keySet());
        }

        @Override
        public Optional<String> text(String path) {
            return Optional.ofNullable(texts.get(path));
        }

        @Override
        public Optional<Path> location(String path) {
            return Optional.empty();
        }
    }

    private static final class Fields implements QueryContext {
        private static final List<String> NAMES =
                new ArrayList<>(List.of("default", "title", "year"));

        @Override
        public Optional<String> parameter(String name) {
            return Optional.empty();
        }

        @Override
        public FieldKind fieldKind(String name) {
            return NAMES.contains(name) ? new FieldKind.Words(false) : new FieldKind.Unknown();
        }

        @Override
        public void count(int chars) {}

        @Override
        public Optional<QueryNode> userQuery() {
            return Optional.empty();
        }
    }
}
