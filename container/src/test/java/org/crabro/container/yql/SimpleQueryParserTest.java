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
                    weakAnd | it's a-b                | (weakand default:it default:s default:a default:b)
                    weakAnd | -a.b c                  | (without default:c (and default:a default:b))
                    weakAnd | "blue whale" x          | (weakand (phrase default blue whale) default:x)
                    weakAnd | "blue" ""               | default:blue
                    weakAnd | "not closed             | (phrase default not closed)
                    weakAnd | title:blue x            | (weakand title:blue default:x)
                    weakAnd | unknown:blue            | (weakand default:unknown default:blue)
                    weakAnd | http://a.b/c            | (weakand default:http default:a default:b default:c)
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
                    web     | a OR b OR c d           | (and (or default:a default:b default:c) default:d)
                    web     | +a OR -b                | (without default:a default:b)
                    web     | (a b) "c d"             | (and default:a default:b (phrase default c d))
                    phrase  | a -b "c                 | (phrase default a b c)
                    phrase  | a                       | default:a
                    tokenize | a -b title:c           | (weakand default:a default:b default:title default:c)
                    """)
    void readsWhatAUserWrote(String grammar, String text, String tree) {
        String read =
                SimpleQueryParser.parse(
                                text,
                                Grammar.of(grammar).orElseThrow(),
                                "default",
                                RequestDouble.EMPTY,
                                TermSettings.DEFAULT)
                        .map(QueryText::of)
                        .orElse("-");

        assertThat(read).isEqualTo(tree);
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
