package org.crabro.container.yql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Random;
import org.crabro.protocol.grouping.GroupingException;
import org.crabro.protocol.grouping.GroupingLimits;
import org.crabro.protocol.grouping.GroupingOperation;
import org.crabro.protocol.grouping.GroupingPlanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupingParserTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    /** Groupings as written, and their canonical form. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    all(group(a))                         | all(group(a))
                    ALL ( GROUP ( a ) EACH ( OUTPUT ( COUNT ( ) ) ) ) | all(group(a) each(output(count())))
                    all(group(a) max(5) each(max(69) output(count()) each(output(summary(normal))))) | all(group(a) max(5) each(max(69) output(count()) each(output(summary(normal)))))
                    all(group(a) max(2) order(-count()) each(output(count())) as(foo) each(output(max(b))) as(bar)) | all(group(a) max(2) order(-count()) each(output(count())) as(foo) each(output(max(b))) as(bar))
                    all(group(predefined(price,bucket(0,100),bucket[100,inf))) each(output(count(), avg(price)))) | all(group(predefined(price, bucket[0, 100>, bucket[100, inf>)) each(output(count(), avg(price))))
                    all(group(time.year(date)) each(group(time.monthofyear(date)) each(output(sum(price))))) | all(group(time.year(date)) each(group(time.monthofyear(date)) each(output(sum(price)))))
                    all(group(a) order($cnt=count()) each(output($cnt))) | all(group(a) order(count()) each(output(count())))
                    all(alias(x, a + 1) group(a))         | !
                    all(group(a) alias(x, max(b)) order(-$x) each(output($x as(best)))) | all(group(a) order(-max(b)) each(output(max(b) as(best))))
                    all(max(2) all(group(a) each(output(count())))) | all(max(2) all(group(a) each(output(count()))))
                    all(where(true) all(group(f) each(output(count())))) | all(where(true) all(group(f) each(output(count()))))
                    all(group(f) each(output(count()))) where(true) | all(where(true) all(group(f) each(output(count()))))
                    all(group(f)) where($query)           | all(where($query) all(group(f)))
                    all(group(cat) filter(regex("^b", cat) or istrue(flag)) each(output(count()))) | all(group(cat) filter(regex("^b", cat) or istrue(flag)) each(output(count())))
                    all(group(a) keep(not (range(1, 2, b, false, true) and istrue(c)))) | all(group(a) filter(not (range(1.0, 2.0, b, false, true) and istrue(c))))
                    all(group(a) having(count()>=20 and max(b) != 3) each(output(count()))) | all(group(a) having(count() >= 20 and max(b) != 3) each(output(count())))
                    all(group(a) having(count() > 2 or not (max(b) = 1 and sum(c) < 5))) | all(group(a) having(count() > 2 or not (max(b) = 1 and sum(c) < 5)))
                    all(group(a) having((count() > 2 or (max(b) = 1)) and ((count() + 1) * 2) < 9)) | all(group(a) having((count() > 2 or max(b) = 1) and mul(add(count(), 1), 2) < 9))
                    all(group(a) having(not and(count(), 1) = 1 or (and(count(), (3)) > 0))) | all(group(a) having(not (and(count(), 1) = 1) or and(count(), 3) > 0))
                    all(group(a) having(($n=count()) > 2 and (not $n > 7))) | all(group(a) having(count() > 2 and not (count() > 7)))
                    all(group(a) having(countdocs()>1) having(count()>2) each(output(COUNTDOCS()))) | all(group(a) having(countdocs() > 1 and count() > 2) each(output(countdocs())))
                    all(group(a) having(count()==avg(b)) order(b)) | all(group(a) order(b) having(count() = avg(b)))
                    all(group(a) fill() each(output(count()))) | all(group(a) fill() each(output(count())))
                    all(group(a) fill ( -0x10, 2.5 ) max(3) each(output(count()))) | all(group(a) max(3) fill(-16, 2.5) each(output(count())))
                    all(group(a) max(inf) precision(100) accuracy(0.5) hint(singlepass)) | all(group(a) hint(singlepass) accuracy(0.5) precision(100) max(inf))
                    all(group(a/b*c))                     | all(group(div(a, mul(b, c))))
                    all(group(a-b+c))                     | all(group(add(sub(a, b), c)))
                    all(group(a%b/c))                     | all(group(div(mod(a, b), c)))
                    all(group(a/b%c))                     | all(group(div(a, mod(b, c))))
                    all(group(a+b-c))                     | all(group(add(a, sub(b, c))))
                    all(group((a+b)*c))                   | all(group(mul(add(a, b), c)))
                    all(group(4 - -1 - n))                | all(group(sub(sub(4, -1), n)))
                    all(group(-a))                        | all(group(neg(a)))
                    all(group(a) order(-avg(relevance())*count()) each()) | all(group(a) order(-mul(avg(relevance()), count())) each())
                    all(group(0x1F + 010 + 7L + 1.5e3))   | all(group(add(add(add(31, 8), 7), 1500.0)))
                    all(group(m{"k1"}.x))                 | all(group(m{"k1"}.x))
                    all(group(m{k1}))                     | all(group(m{"k1"}))
                    all(group(m{attribute(key)}.a.b))     | all(group(m{attribute(key)}.a.b))
                    all(group(geo_distance(attribute(pos), 70.1, 10.0).km)) | all(group(geo_distance(attribute(pos), 70.1, 10.0).km))
                    all(group(fixedwidth(n,3)))           | all(group(fixedwidth(n, 3)))
                    all(group(predefined(s,bucket[-inf,"bab">,bucket["bab"],bucket<"bab",inf]))) | all(group(predefined(s, bucket[-inf, "bab">, bucket["bab", "bab ">, bucket["bab ", inf>)))
                    all(group(predefined(s,bucket(a, b),bucket[bc],bucket<x, inf>))) | all(group(predefined(s, bucket["a", "b">, bucket["bc", "bc ">, bucket["x ", inf>)))
                    all(group(predefined(r,bucket({0,1},{1}),bucket[{2, 0xff}]))) | all(group(predefined(r, bucket[{0, 1}, {1}>, bucket[{2, 255}, {2, 255, 0}>)))
                    all(group(predefined(f,bucket[-inf, 3>, bucket[6, 8]))) | all(group(predefined(f, bucket[-inf, 3>, bucket[6, 9>)))
                    all(group(a) each(output(quantiles([0.5, 0.9], f)))) | all(group(a) each(output(quantiles([0.5,0.9],f))))
                    all(group(min(a, b)) each(output(min(a), xor(c)))) | all(group(min(a, b)) each(output(min(a), xor(c))))
                    all(group(max) each(output(count() as("how many")))) as(x) | !
                    all(group(max) each(output(count() as("how many"))) as(x)) | all(group(max) each(output(count() as("how many"))) as(x))
                    all(group(a), max(3), order(count()), each(output(count()), max(2))) | all(group(a) max(3) order(count()) each(max(2) output(count())))
                    all(group("it's") /* a comment */ # and more | all(group("it's"))
                    """)
    void readsWhatPeopleWrite(String written, String canonical) {
        if (canonical.equals("!")) {
            assertThatExceptionOfType(YqlSyntaxException.class)
                    .isThrownBy(() -> GroupingParser.parse(written));
            return;
        }
        // The last line leaves the end out, for the comment would hide it.
        String whole = written.contains("#") ? written + "\n)" : written;

        assertThat(GroupingParser.parse(whole))
                .extracting(GroupingOperation::text)
                .containsExactly(canonical);
        assertThat(GroupingParser.parse(canonical))
                .extracting(GroupingOperation::text)
                .containsExactly(canonical);
    }

    @Test
    void readsSeveralRequests() {
        assertThat(GroupingParser.parse("all(group(a)); each(output(summary()));"))
                .extracting(GroupingOperation::text)
                .containsExactly("all(group(a))", "each(output(summary()))");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    ``                        | 0  | expected all(...) or each(...), got the end
                    al(group(a))              | 0  | expected all(...) or each(...), got 'al'
                    all(group(a)              | 12 | expected a clause such as output(...), an operation or ')', got the end
                    all(group())              | 10 | expected an expression, got ')'
                    all(group(a+))            | 12 | expected an expression, got ')'
                    all(group(a) max(0))      | 17 | max is a whole number from 1 on
                    all(group(a) max(x))      | 17 | expected a whole number, got 'x'
                    all(group(foo(a)))        | 10 | there is no function 'foo'
                    all(group(strlen(a, b)))  | 10 | strlen takes 1 argument, not 2
                    all(group(count(a)))      | 10 | count takes no arguments, not 1
                    all(group($x))            | 10 | there is no alias '$x' here
                    all(group(a) where(x))    | 19 | expected true or $query, got 'x'
                    all(group(99999999999999999999)) | 10 | '99999999999999999999' is no whole number of 64 bits
                    all(group("a))            | 10 | a string that is not closed
                    all(group(predefined(a))) | 22 | expected ',', got ')'
                    all(group(predefined(a, bucket[-inf, inf>))) | 24 | a bucket has at least one end
                    all(group(predefined(a, bucket[-x, y>))) | 32 | expected a number, a string, bytes or inf, got 'x'
                    all(group(predefined(a, bucket[{256}, y>))) | 32 | a byte is a whole number from 0 to 255
                    all(group(predefined(a, bucket[{1}, y>))) | 24 | the ends of a bucket are not of one type
                    all(group(predefined(a, bucket[2, 1>))) | 24 | a bucket ends before it begins
                    all(group(predefined(a, bucket[1, "x">))) | 24 | the ends of a bucket are not of one type
                    all(group(predefined(a, bucket[1, 2>, bucket["a", "b">))) | 38 | the buckets of predefined(...) are not of one type
                    all(group(geo_distance(p, 1, 2).yards)) | 32 | expected km or miles
                    all(group(countdocs(a)))  | 10 | countdocs takes no arguments, not 1
                    all(group(a) having(count())) | 27 | expected one of =, !=, <, <=, > and >=, got ')'
                    all(group(a) having((count() > 1) > 2)) | 34 | expected ')', got '>'
                    all(group(a) having(count() > 1 or)) | 34 | expected an expression, got ')'
                    all(group(a) having((count() + 1)) | 33 | expected one of =, !=, <, <=, > and >=, got ')'
                    all(group(a) fill(1)) | 19 | expected ',', got ')'
                    all(group(a) fill(now(), 1)) | 18 | expected a number, got 'now'
                    all(group(a) fill(2, 2.0)) | 18 | the first bound of fill is below the second
                    all(group(a)) all(group(b)) | 14 | expected ';' or the end, got 'all'
                    all(group(a) filter(regex("*", a))) | 26 | the pattern '*' is wrong: missing argument to repetition operator at index 0
                    all(group(a) filter(regex("((a{999}){999}){999}", a))) | 26 | the pattern has more than 10000 steps with all its repetitions
                    all(group(a) accuracy(2)) | 13 | accuracy is above 0 and at most 1, not 2.0
                    """)
    void pointsAtWhatDoesNotFit(String written, int column, String problem) {
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> GroupingParser.parse(written))
                .withMessageStartingWith(
                        "Could not create grouping from select: select:L1:%d %s\n  "
                                .formatted(column, problem))
                .withMessageEndingWith("\n  " + " ".repeat(column) + "^");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    all(group(a) each(output(a)))     | a is a value of a document, but 'each(output(a))' applies to a group: use an aggregate, such as max(...)
                    all(group(a) output(max(b)))      | a list of groups can only output count(), not max(b), in 'all(group(a) output(max(b)))'; write outputs of each group in each(...)
                    all(group(a) all(group(b)))       | cannot group a list of groups: 'all(group(b))'
                    all(each(group(a)))               | cannot group a single hit: 'each(group(a))'
                    all(order(count()))               | cannot order a single group: 'all(order(count()))'
                    all(fill())                       | fill(...) needs a group(...) in 'all(fill())'
                    all(group(a) fill() output(count())) | fill(...) needs an each(...) in 'all(group(a) fill() output(count()))'
                    all(group(a) order(-count()) all(fill() each(output(count())))) | fill() sorts groups by a: remove order(...)
                    all(group(predefined(a, bucket[1, 2>)) fill(1, 2) each(output(count()))) | fill(1, 2): predefined(a, bucket[1, 2>) defines the groups: write fill()
                    all(each(output(count())))        | a single hit can only output summary(), not count()
                    all(each(max(2) output(summary()))) | max, order, having, fill and filter do not apply to a single hit: 'each(max(2) output(summary()))'
                    all(output(summary()))            | summary() applies to a hit, but 'all(output(summary()))' applies to a group: write each(output(summary()))
                    all(group(max(a)))                | max(a) is a value of a group, but 'all(group(max(a)))' needs a value of each document
                    all(group(a) each(output(count())) each(output(max(b)))) | two lists of one group have no label: add as(...) to 'each(output(max(b)))'
                    all(group(a) each(output(count())) as(x) each(output(max(b))) as(x)) | two lists of one group have the label 'x'
                    all(group(a) each(output(count() as(n), max(b) as(n)))) | two outputs of one group have the label 'n': count() and max(b)
                    all(group(a) each(all(group(b) where(true)))) | where(...) applies to the whole request, not to 'all(group(b) where(true))'
                    all(where(true) each(output(summary()))) | where(true) cannot show hits: 'all(where(true) each(output(summary())))'
                    all(group(a) max(inf) each(output(count()))) | the number of groups and hits is unbounded in 'all(group(a) max(inf) each(output(count())))'; add max(...), or set grouping.globalMaxGroups=-1 in the query profile
                    all(group(a) max(101) each(group(b) max(100) each(output(count())))) | 'all(group(a) max(101) each(group(b) max(100) each(output(count()))))' may show 10201 groups and hits, which exceeds grouping.globalMaxGroups=10000 of the query profile
                    """)
    void refusesWhatMakesNoSense(String written, String problem) {
        GroupingOperation operation = GroupingParser.parse(written).getFirst();

        assertThatExceptionOfType(GroupingException.class)
                .isThrownBy(
                        () -> GroupingPlanner.plan(operation, GroupingLimits.DEFAULT, List.of()))
                .withMessage(problem);
    }

    @Test
    void numbersListsInTheOrderOfTheRequest() {
        GroupingOperation operation =
                GroupingParser.parse(
                                "all(all(group(a) each(output(count()))) all(group(b) each()))")
                        .getFirst();

        assertThat(
                        GroupingPlanner.plan(operation, GroupingLimits.DEFAULT, List.of())
                                .root()
                                .lists())
                .extracting(list -> list.label().text() + " " + list.label().tag())
                .containsExactly("a 2", "b 4");
    }

    @Test
    void readsAnythingOrSaysWhyNot() {
        var random = new Random(SEED);
        String[] parts = {
            "all(",
            "each(",
            "group(",
            "output(",
            "count()",
            "max(",
            "3",
            ")",
            "a",
            "m{\"k\"}",
            "order(",
            "-",
            "+",
            "*",
            "/",
            "%",
            ",",
            "filter(",
            "having(",
            "fill(",
            "> 1",
            "regex(\"x\",",
            "not ",
            "and ",
            "or ",
            "where(true)",
            "as(x)",
            "$x",
            "=",
            "alias(x,",
            "predefined(",
            "bucket[1,2>",
            "\"",
            "'",
            "{",
            "}",
            "0x",
            "1.5",
            "inf",
            ";",
            "quantiles([",
            "0.5",
            "]",
            "summary(",
            "time.year(",
            "//",
            "\n",
            "\\",
            "é",
            "geo_distance(",
            ").km",
            "(",
        };
        for (int round = 0; round < 20_000; round++) {
            var text = new StringBuilder(random.nextBoolean() ? "all(group(a) " : "");
            for (int i = random.nextInt(25); i > 0; i--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            try {
                for (GroupingOperation operation : GroupingParser.parse(text.toString())) {
                    assertThat(GroupingParser.parse(operation.text()))
                            .as("%s, seed %d", text, SEED)
                            .extracting(GroupingOperation::text)
                            .containsExactly(operation.text());
                    GroupingPlanner.plan(operation, GroupingLimits.DEFAULT, List.of());
                }
            } catch (YqlSyntaxException | GroupingException e) {
                assertThat(e.getMessage()).as("%s, seed %d", text, SEED).isNotBlank();
            }
        }
    }

    @Test
    void boundsDepthAndWhatAliasesGrowTo() {
        refuses("all(".repeat(10_000), "more than 100 operations in one another");
        refuses("all(group(" + "(".repeat(10_000), "more than 100 expressions in one another");
        refuses("all(group(a) filter(" + "not ".repeat(10_000), "more than 100 conditions");
        refuses("all(group(a) having(" + "not ".repeat(10_000), "more than 100 conditions");
        refuses(
                "all(group(a) having(" + "(".repeat(10_000) + "count() > 1",
                "more than 100 conditions");
        refuses("all(group(a" + "+a".repeat(10_000) + "))", "more than 100 operands in a row");
        var doubling = new StringBuilder("all(group(a) alias(x0, a)");
        for (int i = 1; i < 60; i++) {
            doubling.append(" alias(x%d, $x%d + $x%d)".formatted(i, i - 1, i - 1));
        }
        refuses(doubling + ")", "more than 100000 expressions");
    }

    private static void refuses(String text, String problem) {
        assertThatExceptionOfType(YqlSyntaxException.class)
                .isThrownBy(() -> GroupingParser.parse(text))
                .withMessageContaining(problem);
    }
}
