package org.crabro.config.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.crabro.config.application.Findings;
import org.crabro.config.application.MapFiles;
import org.crabro.config.application.Notice;
import org.crabro.config.parser.SourceText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleParserTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    a b -> c;                | Sequence[parts=[a, b]]
                    a, b c                   | Choice[parts=[a, Sequence[parts=[b, c]]]]
                    a & b, c                 | Choice[parts=[Every[parts=[a, b]], c]]
                    (a, b) c                 | Sequence[parts=[Choice[parts=[a, b]], c]]
                    p/t:[c]                  | Bound[name=p, part=Labeled[label=t, part=Named[name=c]]]
                    t:(a b)                  | Labeled[label=t, part=Sequence[parts=[a, b]]]
                    . a ... [...] b .        | Sequence[parts=[Start[], a, Ellipsis[], Bound[name=..., part=Ellipsis[]], b, End[]]]
                    !a !(b c)                | Sequence[parts=[Not[part=a], Not[part=Sequence[parts=[b, c]]]]]
                    [a] <= '5' "b c"         | Sequence[parts=[Compared[left=Named[name=a], operator=AT_MOST, right=Literal[value=5]], Phrase[words=[b, c]]]]
                    parameter.x =~ 'y z'     | Compared[left=Parameter[name=x], operator=CONTAINS, right=Literal[value=y z]]
                    a.b-c d'e                | Sequence[parts=[a.b-c, d'e]]
                    a.                       | Sequence[parts=[a, End[]]]
                    """)
    void readsConditions(String text, String expected) {
        String rule = text.endsWith(";") ? text : text + " -> x;";

        RuleFile file = RuleParser.parse(new SourceText("r.sr", rule));

        assertThat(file.statements()).hasSize(1);
        String shown =
                ((RuleFile.Rule) file.statements().getFirst())
                        .rule()
                        .condition()
                        .toString()
                        .replaceAll("Word\\[text=([^,]+), key=]", "$1");
        assertThat(shown).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    ;                      | []
                    b c;                   | [SAME b, SAME c]
                    ?b =c +d $e -f;        | [OR b, EQUIV c, AND d, RANK e, NOT f]
                    -t:b!150 t:[x]!20;     | [NOT t:b!150, SAME t:[x]!20]
                    [...] "b c" [x*];      | [SAME [...], SAME "b c", SAME [x*]]
                    parameter.hits='5' b;  | [hits='5', SAME b]
                    'c++';                 | [SAME c++]
                    """)
    void readsProducts(String text, String expected) {
        RuleFile file = RuleParser.parse(new SourceText("r.sr", "a +> " + text));

        var rule = ((RuleFile.Rule) file.statements().getFirst()).rule();
        assertThat(rule.replaces()).isFalse();
        assertThat(rule.products().stream().map(RuleParserTest::shown).toList().toString())
                .isEqualTo(expected);
    }

    private static String shown(RuleProduct product) {
        return switch (product) {
            case RuleProduct.Setting(var name, var value) -> name + "='" + value + "'";
            case RuleProduct.Words(var type, var label, var produced, var weight) ->
                    type
                            + " "
                            + (label.isEmpty() ? "" : label + ":")
                            + switch (produced) {
                                case RuleProduct.Produced.Word(var text) -> text;
                                case RuleProduct.Produced.Phrase(var words) ->
                                        '"' + String.join(" ", words) + '"';
                                case RuleProduct.Produced.Matched(var name) -> "[" + name + "]";
                                case RuleProduct.Produced.Everything(var name) -> "[" + name + "*]";
                            }
                            + (weight == 100 ? "" : "!" + weight);
        };
    }

    @Test
    void readsDirectivesAndComments() {
        RuleFile file =
                RuleParser.parse(
                        new SourceText(
                                "r.sr",
                                """
                                # The rules of the shop.
                                @default
                                @stemming(false) # exact words
                                @language(de-AT)
                                @include(other.sr);
                                [c] :- a,
                                   b; # two lines
                                """));

        assertThat(file.isDefault()).isTrue();
        assertThat(file.words()).isEqualTo(new RuleWords(false, "de"));
        assertThat(file.statements())
                .extracting(each -> each.getClass().getSimpleName())
                .containsExactly("Include", "Definition");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    a                 | rules/r.sr:1:2: expected '->', '+>' or another condition but found the end of the file
                    a -> b            | rules/r.sr:1:7: expected a word, '[' or ';' but found the end of the file
                    -> b;             | rules/r.sr:1:1: expected a condition but found '-'
                    (a -> b;          | rules/r.sr:1:4: expected ')' but found '-'
                    [a -> b;          | rules/r.sr:1:4: expected ']' but found '-'
                    [c] :- ;          | rules/r.sr:1:8: expected a condition but found ';'
                    a 'b -> c;        | rules/r.sr:1:11: expected ''' but found the end of the file
                    "" -> c;          | rules/r.sr:1:1: expected words between the quotes
                    a -> b!x;         | rules/r.sr:1:8: expected a weight in percent but found 'x'
                    a -> b='c';       | rules/r.sr:1:6: a value can be set for a parameter, as in parameter.b='value'; for a word in a field write b:value
                    a -> (b);         | rules/r.sr:1:6: expected a word, '[' or ';' but found '('
                    @automata(x.fsa)  | rules/r.sr:1:1: @automata is not built: write the words of the automaton as named conditions, such as [brand] :- sony, dell;
                    @other            | rules/r.sr:1:1: expected @default, @include, @stemming, @language or @automata but found '@other'
                    @default a        | rules/r.sr:1:10: expected the end of the line but found 'a'
                    @stemming(no)     | rules/r.sr:1:1: expected @stemming(true) or (false)
                    @include(x)       | rules/r.sr:1:1: there is no rule base 'x'
                    @include(r)       | rules/r.sr:1:1: rule base 'r' includes itself: r
                    [c] -> b;         | rules/r.sr:1:1: there is no condition [c]
                    a -> [c];         | rules/r.sr:1:1: the condition of the rule has no part [c]
                    a -> [c*];        | rules/r.sr:1:1: there is no condition [c]
                    [c] :- a [c];     | rules/r.sr:1:1: condition [c] refers to itself
                    [c] :- @super, a; | rules/r.sr:1:1: @super: no included rule base defines [c]
                    @super -> a;      | rules/r.sr:1:1: @super is for named conditions
                    """)
    void saysWhatIsWrongAndWhere(String text, String message) {
        var findings = new Findings();

        RuleBaseLinker.read(new MapFiles(Map.of("rules/r.sr", text)), findings);

        assertThat(findings.problems()).hasSize(1);
        assertThat(findings.problems().getFirst()).startsWith(message + "\n");
    }

    @Test
    void automataAreNotBuiltAndAMessageSaysSo() {
        var findings = new Findings();

        RuleBaseLinker.read(
                new MapFiles(Map.of("rules/r.sr", "@automata(words.fsa)\na -> b;")), findings);

        assertThat(findings.problems())
                .singleElement()
                .asString()
                .contains("@automata is not built");
    }

    @Test
    void conditionsAreNestedToALimit() {
        String nested = "(".repeat(60) + "a" + ")".repeat(60) + " -> b;";

        assertThatExceptionOfType(RuleSyntaxException.class)
                .isThrownBy(() -> RuleParser.parse(new SourceText("r.sr", nested)))
                .withMessageContaining("conditions can be nested 50 levels deep");
    }

    @Test
    void oneRuleBaseIsTheDefault() {
        var findings = new Findings();

        RuleBaseLinker.read(
                new MapFiles(Map.of("rules/a.sr", "@default", "rules/b.sr", "@default")), findings);

        assertThat(findings.problems())
                .containsExactly(
                        "rules/b.sr: rules/a.sr is the default, too; one rule base can be");
    }

    /** The example of Vespa's guide defines a condition twice. */
    @Test
    void theLastDefinitionOfAConditionCounts() {
        var findings = new Findings();

        RuleBases bases =
                RuleBaseLinker.read(
                        new MapFiles(Map.of("rules/r.sr", "[b] :- brand:[b];\n[b] :- sony, dell;")),
                        findings);

        assertThat(bases.byName()).containsKey("r");
        assertThat(findings.notices())
                .extracting(Notice::message)
                .containsExactly(
                        "rules/r.sr:1:1: condition [b] is defined again at line 2, which counts");
    }
}
