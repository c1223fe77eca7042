package org.crabro.container.yql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.TermSettings;
import org.junit.jupiter.api.Test;

/** Broken statements end in the one exception that the parser declares, and in nothing else. */
class YqlFuzzTest {
    private static final int ROUNDS = 20_000;

    private static final List<String> PIECES =
            List.of(
                    "select",
                    "*",
                    "from",
                    "sources",
                    "where",
                    "true",
                    "title",
                    "contains",
                    "\"x\"",
                    "and",
                    "or",
                    "!",
                    "(",
                    ")",
                    "{",
                    "}",
                    "[",
                    "]",
                    "targetHits",
                    ":",
                    "10",
                    ",",
                    "nearestNeighbor",
                    "range",
                    "userInput",
                    "@q",
                    "@none",
                    "in",
                    "not",
                    "is",
                    "null",
                    "=",
                    "<",
                    ">=",
                    "-",
                    "Infinity",
                    "1.5",
                    "9999999999999999999",
                    "phrase",
                    ".",
                    "order",
                    "by",
                    "limit",
                    "offset",
                    "timeout",
                    "desc",
                    "|",
                    ";",
                    "'",
                    "\\",
                    "/*",
                    "//",
                    "#",
                    "\n",
                    "\u0000",
                    "\ud800",
                    "é",
                    "prefix",
                    "weight",
                    "matches",
                    "grammar");

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);
    private final RequestDouble request =
            new RequestDouble(Map.of("q", "a (b OR -c) \"d", "query", "x"));

    @Test
    void anyStatementIsReadOrRefused() {
        int read = 0;
        for (int round = 0; round < ROUNDS; round++) {
            String statement = round % 2 == 0 ? pieces() : damaged();
            try {
                QueryText.of(YqlParser.parse(statement, request).tree());
                read++;
            } catch (YqlSyntaxException e) {
                assertThat(e.getMessage())
                        .as("%s, seed %d", statement, seed)
                        .startsWith("Could not create query from YQL: query:L");
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("statement <" + statement + ">, seed " + seed, e);
            }
        }
        assertThat(read).as("seed %d", seed).isPositive();
    }

    @Test
    void anyTextOfAUserIsRead() {
        String signs = "ab1 -+()\"*!:;[]<>.'{}OR\ud83d\ude00\ud800é&@#";
        for (int round = 0; round < ROUNDS; round++) {
            var text =
                    new StringBuilder(round % 7 == 0 ? "title:" : round % 11 == 0 ? "repo:" : "");
            for (int i = random.nextInt(30); i > 0; i--) {
                text.append(signs.charAt(random.nextInt(signs.length())));
            }
            for (String name : List.of("weakAnd", "all", "any", "web", "phrase", "tokenize")) {
                try {
                    SimpleQueryParser.parse(
                                    text.toString(),
                                    Grammar.of(name).orElseThrow(),
                                    "default",
                                    RequestDouble.EMPTY,
                                    TermSettings.DEFAULT)
                            .ifPresent(QueryText::of);
                } catch (RuntimeException e) {
                    throw new AssertionError(name + " <" + text + ">, seed " + seed, e);
                }
            }
        }
    }

    private String pieces() {
        var statement = new StringBuilder("select * from sources * where ");
        for (int i = random.nextInt(20); i > 0; i--) {
            statement.append(PIECES.get(random.nextInt(PIECES.size())));
            statement.append(random.nextInt(4) == 0 ? "" : " ");
        }
        return statement.toString();
    }

    /** A right statement with a character removed, doubled or replaced here and there. */
    private String damaged() {
        var statement =
                new StringBuilder(
                        "select title from music where ({targetHits:10,label:'l'}nearestNeighbor(v,"
                                + " q) or userInput(@q)) and !(year in (1, 2)) and range(p, 1.5, 2e3)"
                                + " order by year desc limit 10 offset 2");
        for (int i = random.nextInt(3); i >= 0; i--) {
            int at = random.nextInt(statement.length());
            switch (random.nextInt(3)) {
                case 0 -> statement.deleteCharAt(at);
                case 1 -> statement.insert(at, statement.charAt(at));
                default -> statement.setCharAt(at, (char) random.nextInt(128));
            }
        }
        return statement.toString();
    }
}
