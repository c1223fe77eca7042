package org.crabro.container.yql;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.crabro.protocol.query.QueryText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Broken conditions as JSON end in the one exception that the parser declares. */
class SelectJsonFuzzTest {
    private static final int ROUNDS = 20_000;

    private static final List<String> TREES =
            List.of(
                    "{\"and\":[{\"contains\":[\"title\",\"x\"]},{\"not\":[{\"matches\":[\"b\",\"^y\"]}]}]}",
                    "{'and_not':[{'in':['a',1,2]},{'equals':{'field':'a','value':5,'index':2}}]}",
                    "{'rank':[{'range':['a',{'>=':1,'<':2.5}]},{'contains':['a',{'equiv':['x','y']}]}]}",
                    "{'weakAnd':{'children':[{'contains':['a',{'phrase':['x','y']}]}],"
                            + "'attributes':{'targetHits':7}}}",
                    "{'contains':{'children':['a','x'],'attributes':{'weight':150,'prefix':true}}}",
                    "{'contains':['a',{'near':{'children':['x','y'],'attributes':{'distance':5}}}]}",
                    "{'contains':['a',{'onear':['x',{'phrase':['y','z']}]}]}",
                    "{'contains':['a',{'alternatives':{'x':1.0,'y':0.5}}]}",
                    "{'contains':['a',{'fuzzy':{'children':['x'],'attributes':{'maxEditDistance':1}}}]}",
                    "{'contains':['a',{'text':{'query':'blue whale','attributes':{'grammar':'all'}}}]}",
                    "{'contains':['a',{'sameElement':[{'n':'x'},{'y':5},{'range':['z',{'<':2}]},'w']}]}",
                    "{'or':[{'weightedSet':['a',{'x':1,'y':2}]},{'dotProduct':['a',[[1,10],[2,20]]]}]}",
                    "{'wand':{'children':['a',{'x':1}],'attributes':{'scoreThreshold':5}}}",
                    "{'nearestNeighbor':{'children':['v','q'],'attributes':{'targetHits':3}}}",
                    "{'or':[{'geoLocation':['p',1,'E2','1 deg']},{'geoBoundingBox':['p',1,2,3,4]}]}",
                    "{'or':[{'userInput':['a b']},{'predicate':['a',{'x':'y'},{'z':5}]},true]}");

    private static final List<String> OPERATORS =
            List.of(
                    "and",
                    "or",
                    "not",
                    "and_not",
                    "rank",
                    "weakAnd",
                    "contains",
                    "matches",
                    "in",
                    "equals",
                    "range",
                    "weightedSet",
                    "dotProduct",
                    "wand",
                    "nearestNeighbor",
                    "geoLocation",
                    "geoBoundingBox",
                    "predicate",
                    "userInput",
                    "phrase",
                    "near",
                    "onear",
                    "equiv",
                    "alternatives",
                    "fuzzy",
                    "text",
                    "uri",
                    "sameElement",
                    "children",
                    "attributes",
                    "field",
                    "value",
                    "index",
                    "query",
                    "targetHits",
                    "weight",
                    "distance",
                    ">=",
                    "<",
                    "=",
                    "");

    private static final List<String> VALUES =
            List.of(
                    "'title'",
                    "'x'",
                    "''",
                    "'a.b'",
                    "'@q'",
                    "'\\u0000'",
                    "'\\ud800'",
                    "'('",
                    "'N40;W3'",
                    "0",
                    "-1",
                    "7",
                    "2.5",
                    "1e999",
                    "-1e-999",
                    "9223372036854775807",
                    "9223372036854775808",
                    "2147483648",
                    "true",
                    "false",
                    "null",
                    "[]",
                    "{}");

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);
    private final RequestDouble request =
            new RequestDouble(Map.of("q", "a (b OR -c) \"d", "query", "x"));

    @Test
    void anyConditionsAreReadOrRefused() {
        int read = 0;
        for (int round = 0; round < ROUNDS; round++) {
            read += where(round % 2 == 0 ? damaged(pick(TREES)) : made(random.nextInt(6)));
        }
        assertThat(read).as("seed %d", seed).isBetween(ROUNDS / 100, ROUNDS);
    }

    @Test
    void anyFieldsAndGroupingsAreReadOrRefused() {
        String groupings =
                "[{'all':{'group':'a','max':5,'order':'-count()','each':{'output':['count()',"
                        + "'sum(b)'],'label':'x'}}},{'each':{'output':'summary()'}}]";
        for (int round = 0; round < ROUNDS; round++) {
            String fields = damaged("['title', 'a.b', 'year']");
            String grouping = damaged(groupings);
            refusedOrRead(fields, "fields", () -> SelectJson.fields(fields));
            refusedOrRead(
                    grouping,
                    "grouping",
                    () -> GroupingParser.parse(GroupingJson.grouping(grouping)));
        }
    }

    /** On a small stack, so that the depth must be limited by the parser. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'not':[|]}",
                "{'and':[|,true]}",
                "{'and_not':[true,|]}",
                "{'weakAnd':{'children':[|],'attributes':{'targetHits':7}}}",
                "{'contains':['a',{'phrase':[|]}]}",
                "{'contains':['a',{'sameElement':[|]}]}",
                "{'in':['a',|]}",
                "[|]",
                "{'a':|}",
                "{'contains':{'children':['a','x'],'attributes':{'a':|}}}"
            })
    void nestingIsBounded(String around) throws Exception {
        int hole = around.indexOf('|');
        String open = around.substring(0, hole);
        String close = around.substring(hole + 1);
        for (int depth : new int[] {10, 60, 66, 99, 100, 101, 199, 200, 201, 1_000, 100_000}) {
            for (String end : List.of(close.repeat(depth), "")) {
                String text = open.repeat(depth) + "true" + end;
                var task = new FutureTask<>(() -> where(text));
                new Thread(null, task, "nested", 1 << 19).start();

                int read = task.get();

                assertThat(read)
                        .as("%s, %d deep", around, depth)
                        .isLessThanOrEqualTo(depth > 200 ? 0 : 1);
            }
        }
    }

    /** Allocated memory is the measure of work: twice the text allocates at most twice as much. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'or':[|{'contains':['a','x']},|true]}",
                "{'contains':['a',{'phrase':[|'x',|'y']}]}",
                "{'in':['a',|1,|2]}",
                "{'weightedSet':['a',{|'k#':1,|'x':2}]}",
                "{'contains':['a','|word |']}",
                "{'userInput':['|word -other (|']}",
                "{'range':['a',{|'<':1,|'>':0}]}",
                "[|1,|",
                "{'and':[|\n|5"
            })
    void worksInProportionToTheText(String pattern) {
        String[] parts = pattern.split("\\|", -1);
        where(repeated(parts, 500));

        long few = allocated(repeated(parts, 2_000));
        long many = allocated(repeated(parts, 8_000));

        assertThat(many).as("%s: %d bytes", pattern, few).isLessThan(6 * few);
    }

    private static String repeated(String[] parts, int times) {
        var text = new StringBuilder(parts[0]);
        for (int i = 0; i < times; i++) {
            text.append(parts[1].replace("#", Integer.toString(i)));
        }
        return text.append(parts[2]).toString();
    }

    private long allocated(String text) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        where(text);
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    /** Returns 1 if {@code text} was read, 0 if it was refused. */
    private int where(String text) {
        return refusedOrRead(text, "where", () -> QueryText.of(SelectJson.where(text, request)));
    }

    private int refusedOrRead(String text, String part, Runnable read) {
        try {
            read.run();
            return 1;
        } catch (YqlSyntaxException e) {
            assertThat(e.getMessage())
                    .as("%s, seed %d", text, seed)
                    .startsWith("Could not create ")
                    .containsPattern(":L[0-9]+:[0-9]+ ")
                    .hasSizeLessThan(2_000);
            return 0;
        } catch (RuntimeException | StackOverflowError e) {
            String shown = text.substring(0, Math.min(text.length(), 1_000));
            throw new AssertionError(part + " <" + shown + ">, seed " + seed, e);
        }
    }

    /** Any operator over any operands, most of which do not fit. */
    private String made(int depth) {
        return switch (depth == 0 ? random.nextInt(3) : 3 + random.nextInt(6)) {
            case 0, 1 -> pick(VALUES);
            case 2 -> pick(TREES);
            case 3, 4 -> "{'%s':[%s]}".formatted(pick(OPERATORS), some(depth - 1, false));
            case 5 ->
                    "{'%s':{'children':[%s],'attributes':{%s}}}"
                            .formatted(
                                    pick(OPERATORS), some(depth - 1, false), some(depth - 1, true));
            case 6 -> "{'%s':[%s,%s]}".formatted(pick(OPERATORS), pick(VALUES), made(depth - 1));
            case 7 -> "{%s}".formatted(some(depth - 1, true));
            default -> "[%s]".formatted(some(depth - 1, false));
        };
    }

    private String some(int depth, boolean named) {
        var parts = new ArrayList<String>();
        for (int i = random.nextInt(4); i > 0; i--) {
            parts.add(
                    (named ? "'" + pick(OPERATORS) + "':" : "") + made(random.nextInt(depth + 1)));
        }
        return String.join(",", parts);
    }

    /** A right text with a character removed, doubled or replaced, or a name or value put there. */
    private String damaged(String right) {
        var text = new StringBuilder(right);
        for (int i = random.nextInt(3); i >= 0 && !text.isEmpty(); i--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(6)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, text.charAt(at));
                case 2 -> text.setCharAt(at, (char) random.nextInt(128));
                case 3 -> text.setLength(at);
                case 4 -> replace(text, at, "'", "'" + pick(OPERATORS) + "'");
                default -> replace(text, at, "'", pick(VALUES));
            }
        }
        return text.toString();
    }

    /** Replaces the string after {@code from}, including its quotes. */
    private static void replace(StringBuilder text, int from, String quote, String with) {
        int start = text.indexOf(quote, from);
        int end = text.indexOf(quote, start + 1);
        if (start >= 0 && end >= 0) {
            text.replace(start, end + 1, with);
        }
    }

    private String pick(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
