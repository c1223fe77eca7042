package org.crabro.container.yql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.TermSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimpleQueryParserTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    weakAnd | blue whale              | (weakand default:blue default:whale)
                    weakAnd | blue                    | default:blue
                    weakAnd | blue -whale             | (without default:blue default:whale)
                    weakAnd | -blue -whale            | (without true default:blue default:whale)
                    weakAnd | it's a-b                | (weakand (and default:it default:s) (and default:a default:b))
                    weakAnd | -a.b c                  | (without default:c (and default:a default:b))
                    weakAnd | "blue whale" x          | (weakand (phrase default blue whale) default:x)
                    weakAnd | "blue" ""               | default:blue
                    weakAnd | "not closed             | (phrase default not closed)
                    weakAnd | title:blue x            | (weakand title:blue default:x)
                    weakAnd | unknown:blue            | (and default:unknown default:blue)
                    weakAnd | http://a.b/c            | (and default:http default:a default:b default:c)
                    weakAnd | repo:owner/name x       | (weakand repo:owner/name default:x)
                    weakAnd | repo:"a b"              | repo:"a b"
                    weakAnd | repo:own*               | {prefix}repo:own
                    weakAnd | actor.login:me          | actor.login:me
                    weakAnd | title:(a -b)            | (without title:a title:b)
                    weakAnd | (a b) c                 | (weakand (or default:a default:b) default:c)
                    weakAnd | a ) b ( c               | (weakand default:a default:b default:c)
                    weakAnd | blu* *ue *lu*           | (weakand {prefix}default:blu {suffix}default:ue {substring}default:lu)
                    weakAnd | a! b!! c!70             | (weakand {weight 150}default:a {weight 200}default:b {weight 70}default:c)
                    weakAnd | "a b"!                  | {weight 150}(phrase default a b)
                    weakAnd | -5 12.5 5a              | (weakand default:-5 default:12.5 default:5a)
                    weakAnd | --5 a                   | (without default:a default:-5)
                    weakAnd | -(5) a                  | (without default:a default:5)
                    weakAnd | year:>2000 year:<5      | (weakand (range year <2000;]) (range year [;5>))
                    weakAnd | year:[1;9] year:[;2.5;10] | (weakand (range year [1;9]) (range year [;2.5]))
                    weakAnd | title:{name:blue year:>2000 x} y | (weakand (same title name:blue (range year <2000;]) :x) default:y)
                    weakAnd | -title:{name:"a b" n:5}  | (without true (same title (phrase name a b) n:5))
                    weakAnd | +title:{name:blu* )x(   | (same title {prefix}name:blu :x)
                    weakAnd | title:{} {a}            | default:a
                    weakAnd | - + * ! ()              | -
                    weakAnd | ½ .. ,,                 | -
                    all     | a -b c                  | (without (and default:a default:c) default:b)
                    any     | a b                     | (or default:a default:b)
                    any     | a-b c                   | (or (and default:a default:b) default:c)
                    any     | +a b +c -d              | (without (rank (and default:a default:c) default:b) default:d)
                    any     | +a                      | default:a
                    web     | a OR b OR c d           | (or default:a default:b (and default:c default:d))
                    web     | a b OR c                | (or (and default:a default:b) default:c)
                    web     | a -x b OR c -y          | (without (or (and default:a default:b) default:c) default:x default:y)
                    web     | OR a OR                 | (and default:OR default:a)
                    web     | a OR OR b               | (or default:a default:b)
                    web     | +a OR -b                | (without default:a default:b)
                    web     | (a b) "c d"             | (and default:a default:b (phrase default c d))
                    phrase  | a -b "c                 | (phrase default a b c)
                    phrase  | a                       | default:a
                    tokenize | a -b title:c           | (weakand default:a default:b default:title default:c)
                    """)
    void readsWhatAUserWrote(String grammar, String text, String tree) {
        assertThat(read(grammar, text)).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    weakAnd | wi-fi router            | (weakand (and default:wi default:fi) default:router)
                    weakAnd | wi-fi                   | (and default:wi default:fi)
                    weakAnd | (wi-fi a) b             | (weakand (or (and default:wi default:fi) default:a) default:b)
                    weakAnd | a -wi-fi                | (without default:a (and default:wi default:fi))
                    weakAnd | no:a-b/c d              | (weakand (and default:no default:a default:b default:c) default:d)
                    weakAnd | title:wi-fi a           | (weakand (and title:wi title:fi) default:a)
                    weakAnd | "wi-fi" a               | (weakand (phrase default wi fi) default:a)
                    weakAnd | wi-f* a                 | (weakand (and default:wi {prefix}default:f) default:a)
                    weakAnd | lines:wi-fi a           | (weakand (phrase lines wi fi) default:a)
                    weakAnd | lines:wi-f*             | (onear lines 1 lines:wi {prefix}lines:f)
                    weakAnd | repo:wi-fi a            | (weakand repo:wi-fi default:a)
                    all     | wi-fi router            | (and default:wi default:fi default:router)
                    any     | wi-fi router            | (or (and default:wi default:fi) default:router)
                    any     | +wi-fi router           | (rank (and default:wi default:fi) default:router)
                    web     | wi-fi OR router         | (or (and default:wi default:fi) default:router)
                    """)
    void matchesAllWordsOfAUnit(String grammar, String text, String tree) {
        assertThat(read(grammar, text)).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    rock -& roll        | (weakand default:rock default:roll)
                    rock - roll         | (weakand default:rock default:roll)
                    rock -              | default:rock
                    -./01 a             | (weakand default:01 default:a)
                    a -roll             | (without default:a default:roll)
                    a -title:roll       | (without default:a title:roll)
                    a -_own:roll        | (without default:a _own:roll)
                    a -_roll            | (weakand default:a default:roll)
                    a -"b c"            | (without default:a (phrase default b c))
                    a -(b c)            | (without default:a (or default:b default:c))
                    a -*oll             | (without default:a {suffix}default:oll)
                    a -* b              | (weakand default:a default:b)
                    a -12               | (weakand default:a default:-12)
                    a --12              | (without default:a default:-12)
                    a -(12)             | (without default:a default:12)
                    a -year:12          | (without default:a year:12)
                    a -12b              | (without default:a default:12b)
                    a -[1;5]            | (weakand default:a (range default [1;5]))
                    a -<5               | (weakand default:a (range default [;5>))
                    a -year:[1;5]       | (without default:a (range year [1;5]))
                    a -year:<5          | (without default:a (range year [;5>))
                    a -repo:/b          | (without default:a repo:/b)
                    a --b               | (without default:a default:b)
                    """)
    void excludesOnlyWhatBeginsRightAfterAMinus(String text, String tree) {
        assertThat(read("weakAnd", text)).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    moss\\!300 stone    | (weakand {weight 300}default:moss default:stone)
                    moss?!              | {weight 150}default:moss
                    wi-fi,!!            | (and {weight 200}default:wi {weight 200}default:fi)
                    "a b".!70           | {weight 70}(phrase default a b)
                    moss\\ !300         | (weakand default:moss default:300)
                    moss\\a!300         | (and {weight 300}default:moss {weight 300}default:a)
                    """)
    void ignoresSignsBetweenAWordAndItsWeight(String text, String tree) {
        assertThat(read("weakAnd", text)).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    label:two words;; blue        | (weakand label:"two words" default:blue)
                    label:"a (b" -c);;!70 blue    | (weakand {weight 70}label:"\\"a (b\\" -c)" default:blue)
                    label:(a) b                   | label:"(a) b"
                    label:two words               | label:"two words"
                    a -label:b c;; d              | (without (weakand default:a default:d) label:"b c")
                    (label:a b;; c) d             | (weakand (or label:"a b" default:c) default:d)
                    label:;; a                    | default:a
                    mark:"a) b                    | (weakand mark:"\\"a)" default:b)
                    repo:"two words" b            | (weakand repo:"two words" default:b)
                    repo:a) b                     | (weakand repo:a default:b)
                    """)
    void readsExactValuesToTheirTerminator(String text, String tree) {
        assertThat(read("weakAnd", text)).isEqualTo(tree);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    near  | sddocname:book a b | (and sddocname:book (near default 2 default:a default:b))
                    oNear | a sddocname:book   | (and sddocname:book default:a)
                    near  | sddocname:book     | sddocname:book
                    weakAnd | sddocname:book a | (and sddocname:book default:a)
                    weakAnd | a sddocname:book b -c | (without (and sddocname:book (weakand default:a default:b)) default:c)
                    weakAnd | sddocname:book a sddocname:page | (and (or sddocname:book sddocname:page) default:a)
                    weakAnd | sddocname:book   | sddocname:book
                    weakAnd | a -sddocname:book | (without default:a sddocname:book)
                    any   | sddocname:book a   | (or sddocname:book default:a)
                    """)
    void keepsConditionsOnTheTypeApartFromWords(String grammar, String text, String tree) {
        assertThat(read(grammar, text)).isEqualTo(tree);
    }

    private static String read(String grammar, String text) {
        return SimpleQueryParser.parse(
                        text,
                        Grammar.of(grammar).orElseThrow(),
                        "default",
                        RequestDouble.EMPTY,
                        TermSettings.DEFAULT)
                .map(QueryText::of)
                .orElse("-");
    }

    /** Each of these was quadratic, or deep, with a plain implementation. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a OR ",
                "a.",
                "a-",
                "title:{",
                "title:{a:",
                "{",
                "}",
                "-",
                "_",
                "label:",
                "a\\",
                "\"a\"-",
                "(",
                "a:",
                "!",
                "a!",
                "<1 ",
                "1",
                "[1",
                " ",
                "\"a ",
                "\"",
                "+"
            })
    void readsLongTextsInTimeThatGrowsAsTheyDo(String part) {
        String text = "[" + part.repeat(200_000);
        for (String grammar : List.of("web", "weakAnd", "any", "phrase", "tokenize")) {
            assertThatCode(() ->
                            SimpleQueryParser.parse(
                                    text,
                                    Grammar.of(grammar).orElseThrow(),
                                    "default",
                                    RequestDouble.EMPTY,
                                    TermSettings.DEFAULT))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void boundsParentheses() {
        String deep = "(".repeat(10_000) + "a";

        assertThat(
                        SimpleQueryParser.parse(
                                        deep,
                                        Grammar.DEFAULT,
                                        "default",
                                        RequestDouble.EMPTY,
                                        TermSettings.DEFAULT)
                                .map(QueryText::of))
                .hasValue("default:a");
    }
}
