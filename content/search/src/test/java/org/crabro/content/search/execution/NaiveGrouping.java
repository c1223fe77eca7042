package org.crabro.content.search.execution;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.document.Document;
import org.crabro.document.FieldValue;
import org.crabro.protocol.grouping.Aggregator;
import org.crabro.protocol.grouping.GroupBucket;
import org.crabro.protocol.grouping.GroupCondition;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupFill;
import org.crabro.protocol.grouping.GroupFilter;
import org.crabro.protocol.grouping.GroupPlan;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.GroupingOperation.Order;
import org.crabro.protocol.grouping.GroupingOperation.Output;
import org.crabro.protocol.grouping.HitsPlan;
import org.crabro.protocol.grouping.ListPlan;
import org.crabro.protocol.search.Collation;
import org.crabro.protocol.search.TextOrder;

/**
 * Groups documents one at a time, with objects, as the specification says. It is slow and plain,
 * and shares no code with the tested classes.
 */
final class NaiveGrouping {
    private final ZoneId zone;
    private final ToDoubleFunction<Document> scores;

    NaiveGrouping(ZoneId zone, ToDoubleFunction<Document> scores) {
        this.zone = zone;
        this.scores = scores;
    }

    /** A document in a group, with the element of each field by which it is in the group. */
    private record Member(Document document, Map<String, Integer> elements) {}

    /** Returns the groups as text, a line per group. */
    String text(List<Document> documents, GroupPlan plan) {
        var text = new StringBuilder();
        group(documents.stream().map(each -> new Member(each, Map.of())).toList(), plan, "", text);
        return text.toString();
    }

    private void group(List<Member> members, GroupPlan plan, String indent, StringBuilder into) {
        for (Output output : plan.outputs()) {
            into.append(indent).append(output.label()).append(" = ");
            into.append(shown(aggregated(output.value(), members))).append('\n');
        }
        for (ListPlan list : plan.lists()) {
            list(members, list, indent, into);
        }
        for (HitsPlan hits : plan.hits()) {
            into.append(indent).append(hits.label()).append(":\n");
            members.stream()
                    .map(Member::document)
                    .distinct()
                    .sorted(
                            Comparator.comparingDouble(
                                            (Document each) -> -scores.applyAsDouble(each))
                                    .thenComparing(each -> each.id().toString()))
                    .limit(hits.max())
                    .forEach(each ->
                            into.append(indent).append("  ").append(each.id()).append('\n'));
        }
    }

    private void list(List<Member> members, ListPlan plan, String indent, StringBuilder into) {
        Map<Key, List<Member>> groups = new LinkedHashMap<>();
        for (Member member : members) {
            Optional<String> root = root(plan.by());
            List<Integer> positions = positions(plan.by(), member);
            List<Object> keys = key(plan.by(), member);
            for (int i = 0; i < keys.size(); i++) {
                Map<String, Integer> elements = new HashMap<>(member.elements);
                if (root.isPresent()) {
                    elements.put(root.get(), positions.get(i));
                }
                var ofValue = new Member(member.document, elements);
                if (plan.filter().isEmpty() || passes(plan.filter().get(), ofValue)) {
                    groups.computeIfAbsent(new Key(one(keys.get(i))), _ -> new ArrayList<>())
                            .add(ofValue);
                }
            }
        }
        boolean isInEmptyGroup = members.isEmpty() && !indent.isEmpty();
        if (plan.listed().fill().isPresent() && !isInEmptyGroup) {
            for (Object key : filled(plan.by(), plan.listed().fill().get(), groups.keySet())) {
                groups.putIfAbsent(new Key(key), List.of());
            }
        }
        for (GroupCondition condition : plan.listed().having()) {
            groups.values().removeIf(group -> !holds(condition, group));
        }
        for (Output output : plan.totals()) {
            into.append(indent)
                    .append(output.label())
                    .append(" = ")
                    .append(groups.size())
                    .append('\n');
        }
        if (!plan.listed().isListed()) {
            return;
        }
        into.append(indent)
                .append(plan.label().text())
                .append(" (")
                .append(groups.size())
                .append("):\n");
        groups.entrySet().stream()
                .sorted((a, b) ->
                        plan.listed().fill().isPresent()
                                ? a.getKey().compareTo(b.getKey())
                                : compare(a, b, plan.listed().order()))
                .limit(plan.listed().max() < 0 ? Long.MAX_VALUE : plan.listed().max())
                .forEach(entry -> {
                    into.append(indent).append("  ").append(entry.getKey()).append('\n');
                    group(entry.getValue(), plan.group(), indent + "    ", into);
                });
    }

    /** Tries every number between bounds, or between the least and the greatest. */
    private Set<Object> filled(GroupExpression by, GroupFill fill, Set<Key> filled) {
        if (by instanceof GroupExpression.Predefined(_, var buckets)) {
            return IntStream.range(0, buckets.size())
                    .mapToObj(index -> bucket(index, buckets.get(index)))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }
        double least = Double.POSITIVE_INFINITY;
        double most = Double.NEGATIVE_INFINITY;
        double step = isCall(by, "time.bucket") ? 43_200 : 1.0 / 64;
        if (fill.bounds().isPresent()) {
            least = fill.bounds().get().from().number();
            most = fill.bounds().get().to().number() - (step > 1 ? 1 : step);
        } else {
            for (Key key : filled) {
                double start = start(key, by);
                least = Math.min(least, start);
                most = Math.max(most, start);
            }
        }
        Set<Object> keys = new LinkedHashSet<>();
        for (double at = least; at < most + step; at += step) {
            keys.add(keyOf(Math.min(at, most), by));
        }
        return keys;
    }

    private static boolean isCall(GroupExpression by, String function) {
        return by instanceof GroupExpression.Call call && call.function().text().equals(function);
    }

    private double start(Key key, GroupExpression by) {
        if (!(key.value instanceof Bucket(var index, _))) {
            return ((Number) key.value).doubleValue();
        }
        return by instanceof GroupExpression.Call call && isReal(call)
                ? (index + 0.5) * width(call)
                : index;
    }

    private Object keyOf(double number, GroupExpression by) {
        long whole = (long) Math.floor(number);
        if (by instanceof GroupExpression.Call call && isCall(by, "time.bucket")) {
            return began(whole, ((GroupExpression.Text) call.arguments().get(1)).value());
        }
        if (by instanceof GroupExpression.Call call && isCall(by, "fixedwidth")) {
            return range(isReal(call) ? (Object) number : (Object) whole, call.arguments().get(1));
        }
        return whole;
    }

    private static boolean isReal(GroupExpression.Call ranges) {
        return !isWhole(ranges.arguments().getFirst())
                || ranges.arguments().get(1) instanceof GroupExpression.Real;
    }

    private static double width(GroupExpression.Call ranges) {
        return ranges.arguments().get(1) instanceof GroupExpression.Real(double width)
                ? width
                : ((GroupExpression.Whole) ranges.arguments().get(1)).value();
    }

    private boolean holds(GroupCondition condition, List<Member> members) {
        return switch (condition) {
            case GroupCondition.Compared(var left, var comparison, var right) -> {
                int compared = compare(aggregated(left, members), aggregated(right, members));
                yield switch (comparison) {
                    case EQUAL -> compared == 0;
                    case NOT_EQUAL -> compared != 0;
                    case LESS -> compared < 0;
                    case LESS_OR_EQUAL -> compared <= 0;
                    case GREATER -> compared > 0;
                    case GREATER_OR_EQUAL -> compared >= 0;
                };
            }
            case GroupCondition.Not(var operand) -> !holds(operand, members);
            case GroupCondition.And(var operands) ->
                    operands.stream().allMatch(each -> holds(each, members));
            case GroupCondition.Or(var operands) ->
                    operands.stream().anyMatch(each -> holds(each, members));
        };
    }

    /** Both zeros are one value. */
    private static Object one(Object value) {
        return value instanceof Double number ? (Object) (number + 0.0) : value;
    }

    /** The key of a group; sorted like values. */
    private record Key(Object value) implements Comparable<Key> {
        @Override
        public int compareTo(Key that) {
            return NaiveGrouping.compare(value, that.value);
        }

        @Override
        public String toString() {
            return value instanceof Bucket(var index, var text) ? text : shown(value);
        }
    }

    /** A bucket, in order by a number. */
    private record Bucket(double index, String text) {
        @Override
        public boolean equals(Object that) {
            return that instanceof Bucket other && text.equals(other.text);
        }

        @Override
        public int hashCode() {
            return text.hashCode();
        }
    }

    private int compare(
            Map.Entry<Key, List<Member>> a, Map.Entry<Key, List<Member>> b, List<Order> order) {
        for (Order each : order) {
            int compared =
                    compare(
                            aggregated(each.value(), a.getValue()),
                            aggregated(each.value(), b.getValue()));
            if (compared != 0) {
                return each.descending() ? -compared : compared;
            }
        }
        int byScore = Double.compare(best(b.getValue()), best(a.getValue()));
        return byScore != 0 ? byScore : a.getKey().compareTo(b.getKey());
    }

    private double best(List<Member> members) {
        return members.stream()
                .mapToDouble(each -> scores.applyAsDouble(each.document))
                .max()
                .orElse(0);
    }

    /** Bytes, as base64. */
    private record RowKeyBuffer(String base64) {
        byte[] bytes() {
            return Base64.getDecoder().decode(base64);
        }

        @Override
        public String toString() {
            return base64;
        }
    }

    /** NaN comes before every other number. */
    private static int compareNumbers(double a, double b) {
        if (Double.isNaN(a)) {
            return Double.isNaN(b) ? 0 : -1;
        }
        return Double.isNaN(b) ? 1 : Double.compare(a, b);
    }

    private static int compare(Object a, Object b) {
        if (a instanceof Long one && b instanceof Long other) {
            return Long.compare(one, other);
        }
        if (a instanceof Number one && b instanceof Number other) {
            return compareNumbers(one.doubleValue(), other.doubleValue());
        }
        if (a instanceof Bucket one && b instanceof Bucket other) {
            return Double.compare(one.index, other.index);
        }
        if (a instanceof Boolean one && b instanceof Boolean other) {
            return Boolean.compare(one, other);
        }
        if (a instanceof RowKeyBuffer one && b instanceof RowKeyBuffer other) {
            return Arrays.compareUnsigned(one.bytes(), other.bytes());
        }
        return Arrays.compareUnsigned(
                a.toString().getBytes(StandardCharsets.UTF_8),
                b.toString().getBytes(StandardCharsets.UTF_8));
    }

    static String shown(Object value) {
        return value instanceof Double number ? Double.toString(number + 0.0) : value.toString();
    }

    private Object aggregated(GroupExpression expression, List<Member> members) {
        return switch (expression) {
            case GroupExpression.Whole(long value) -> value;
            case GroupExpression.Real(double value) -> value;
            case GroupExpression.Aggregate(var aggregator, var argument) -> {
                if (aggregator == Aggregator.COUNTDOCS) {
                    yield members.stream().map(Member::document).distinct().count();
                }
                if (argument.isEmpty()) {
                    yield (long) members.size();
                }
                var values = new ArrayList<Object>();
                members.forEach(each -> values.addAll(values(argument.get(), each)));
                boolean whole = isWhole(argument.get());
                double[] numbers =
                        values.stream()
                                .filter(Number.class::isInstance)
                                .mapToDouble(each -> ((Number) each).doubleValue())
                                .toArray();
                yield switch (aggregator) {
                    case COUNT, COUNTDOCS -> throw new IllegalArgumentException(expression.text());
                    case SUM ->
                            whole
                                    ? (Object) values.stream().mapToLong(Long.class::cast).sum()
                                    : (Object) exactSum(numbers).doubleValue();
                    case AVG ->
                            values.isEmpty()
                                    ? 0.0
                                    : whole
                                            ? (double)
                                                            values.stream()
                                                                    .mapToLong(Long.class::cast)
                                                                    .sum()
                                                    / values.size()
                                            : exactSum(numbers).doubleValue() / values.size();
                    case MIN ->
                            values.isEmpty()
                                    ? empty(
                                            argument.get(),
                                            Long.MAX_VALUE,
                                            Double.POSITIVE_INFINITY)
                                    : Collections.min(values, NaiveGrouping::compare);
                    case MAX ->
                            values.isEmpty()
                                    ? empty(
                                            argument.get(),
                                            Long.MIN_VALUE,
                                            Double.NEGATIVE_INFINITY)
                                    : Collections.max(values, NaiveGrouping::compare);
                    case XOR ->
                            values.stream().mapToLong(Long.class::cast).reduce(0, (a, b) -> a ^ b);
                    case STDDEV -> deviation(numbers);
                };
            }
            case GroupExpression.Quantiles(var levels, var argument) -> {
                double[] sorted =
                        members.stream()
                                .flatMap(each -> values(argument, each).stream())
                                .mapToDouble(each -> ((Number) each).doubleValue() + 0.0)
                                .sorted()
                                .toArray();
                yield levels.stream()
                        .map(level ->
                                new GroupValue.Quantile(
                                        level,
                                        sorted.length == 0
                                                ? 0
                                                : sorted[
                                                        Math.max(
                                                                        1,
                                                                        (int)
                                                                                Math.ceil(
                                                                                        level
                                                                                                * sorted.length))
                                                                - 1]))
                        .toList()
                        .toString();
            }
            case GroupExpression.Call(var function, var arguments) -> {
                var operands = new ArrayList<Object>();
                arguments.forEach(each -> operands.add(aggregated(each, members)));
                Object result = operands.getFirst();
                for (Object each : operands.subList(1, operands.size())) {
                    result = calculate(function.text(), result, each);
                }
                yield operands.size() == 1 ? calculate(function.text(), result) : result;
            }
            default -> throw new IllegalArgumentException(expression.text());
        };
    }

    private static Object empty(GroupExpression expression, long whole, double real) {
        boolean isText =
                expression instanceof GroupExpression.FieldOf(var name, _, _)
                        && name.equals("code");
        return isText ? "" : isWhole(expression) ? (Object) whole : (Object) real;
    }

    private static boolean isWhole(GroupExpression expression) {
        return switch (expression) {
            case GroupExpression.Whole _ -> true;
            case GroupExpression.FieldOf(var name, _, _) ->
                    name.equals("size") || name.equals("sent");
            case GroupExpression.Call(var function, var arguments) ->
                    switch (function.text()) {
                        case "strlen", "tolong", "size", "xor" -> true;
                        case "math.floor", "todouble", "relevance" -> false;
                        default ->
                                function.text().startsWith("time.")
                                        || arguments.stream().allMatch(NaiveGrouping::isWhole);
                    };
            default -> false;
        };
    }

    private static BigDecimal exactSum(double[] numbers) {
        var sum = BigDecimal.ZERO;
        for (double each : numbers) {
            sum = sum.add(new BigDecimal(each));
        }
        return sum;
    }

    private static double deviation(double[] numbers) {
        if (numbers.length == 0) {
            return 0;
        }
        var count = BigDecimal.valueOf(numbers.length);
        var context = new MathContext(60);
        var mean = exactSum(numbers).divide(count, context);
        var sum = BigDecimal.ZERO;
        for (double each : numbers) {
            var off = new BigDecimal(each).subtract(mean);
            sum = sum.add(off.multiply(off));
        }
        return Math.sqrt(sum.divide(count, MathContext.DECIMAL64).doubleValue());
    }

    private boolean passes(GroupFilter filter, Member member) {
        return switch (filter) {
            case GroupFilter.Regex(var pattern, var value) ->
                    values(value, member).stream()
                            .anyMatch(each ->
                                    Pattern.compile(pattern).matcher(each.toString()).find());
            case GroupFilter.Range(var from, var to, var value, var fromIncluded, var toIncluded) ->
                    values(value, member).stream()
                            .mapToDouble(each -> ((Number) each).doubleValue())
                            .anyMatch(each ->
                                    (each > from || (fromIncluded && each == from))
                                            && (each < to || (toIncluded && each == to)));
            case GroupFilter.IsTrue(var value) -> values(value, member).contains(true);
            case GroupFilter.Not(var operand) -> !passes(operand, member);
            case GroupFilter.And(var operands) ->
                    operands.stream().allMatch(each -> passes(each, member));
            case GroupFilter.Or(var operands) ->
                    operands.stream().anyMatch(each -> passes(each, member));
        };
    }

    /**
     * Returns the field with whose elements the values of an expression correspond, if there is
     * one.
     */
    private static Optional<String> root(GroupExpression expression) {
        return switch (expression) {
            case GroupExpression.FieldOf(var name, _, _)
                    when name.equals("labels") || name.equals("tags") ->
                    Optional.of(name);
            case GroupExpression.Predefined(var value, _) -> root(value);
            case GroupExpression.Call(var function, var arguments)
                    when !List.of("size", "strcat", "cat").contains(function.text()) ->
                    arguments.stream().flatMap(each -> root(each).stream()).findFirst();
            default -> Optional.empty();
        };
    }

    private List<Integer> positions(GroupExpression by, Member member) {
        Optional<String> root = root(by);
        int count = key(by, member).size();
        if (root.isPresent() && member.elements.containsKey(root.get())) {
            return Collections.nCopies(count, member.elements.get(root.get()));
        }
        return IntStream.range(0, count).boxed().toList();
    }

    private List<Object> key(GroupExpression by, Member member) {
        return switch (by) {
            case GroupExpression.Predefined(var value, var buckets) ->
                    values(value, member).stream()
                            .<Object>map(each -> bucket(each, buckets))
                            .toList();
            case GroupExpression.Call(var function, var arguments)
                    when function.text().equals("fixedwidth") ->
                    values(arguments.getFirst(), member).stream()
                            .<Object>map(each -> range(each, arguments.get(1)))
                            .toList();
            default -> values(by, member);
        };
    }

    private static Bucket bucket(Object value, List<GroupBucket> buckets) {
        for (int i = 0; i < buckets.size(); i++) {
            GroupBucket bucket = buckets.get(i);
            if ((bucket.from().isEmpty() || compare(value, plain(bucket.from().get())) >= 0)
                    && (bucket.to().isEmpty() || compare(value, plain(bucket.to().get())) < 0)) {
                return bucket(i, bucket);
            }
        }
        return new Bucket(-1, "none");
    }

    private static Bucket bucket(int index, GroupBucket bucket) {
        return new Bucket(
                index,
                bucket.from().map(GroupValue::text).orElse("")
                        + ".."
                        + bucket.to().map(GroupValue::text).orElse(""));
    }

    private static Object plain(GroupValue value) {
        return value instanceof GroupValue.Whole(long number)
                ? (Object) number
                : value instanceof GroupValue.Real(double number) ? (Object) number : value.text();
    }

    private static Bucket range(Object value, GroupExpression width) {
        if (value instanceof Long number && width instanceof GroupExpression.Whole(long of)) {
            long from = Math.floorDiv(number, of) * of;
            return new Bucket(from, from + ".." + (from + of));
        }
        double of =
                width instanceof GroupExpression.Whole(long whole)
                        ? whole
                        : ((GroupExpression.Real) width).value();
        double index = Math.floor(((Number) value).doubleValue() / of);
        return new Bucket(index, (index * of + 0.0) + ".." + ((index + 1) * of + 0.0));
    }

    private List<Object> values(GroupExpression expression, Member member) {
        return switch (expression) {
            case GroupExpression.Whole(long value) -> List.of(value);
            case GroupExpression.Real(double value) -> List.of(value);
            case GroupExpression.Text(var value) -> List.of(value);
            case GroupExpression.FieldOf(var name, _, _) -> field(name, member);
            case GroupExpression.Call(var function, var arguments) ->
                    call(function.text(), arguments, member);
            default -> throw new IllegalArgumentException(expression.text());
        };
    }

    private List<Object> call(String function, List<GroupExpression> arguments, Member member) {
        if (function.equals("relevance")) {
            return List.of(scores.applyAsDouble(member.document));
        }
        List<Object> first = values(arguments.getFirst(), member);
        if (function.equals("size")) {
            return List.of((long) first.size());
        }
        if (function.equals("strcat")) {
            var text = new StringBuilder();
            arguments.forEach(
                    each -> values(each, member).forEach(value -> text.append(written(value))));
            return List.of(text.toString());
        }
        List<Object> result = first;
        if (function.equals("time.bucket")) {
            String width = ((GroupExpression.Text) arguments.get(1)).value();
            return first.stream().<Object>map(each -> began((Long) each, width)).toList();
        }
        if (function.equals("uca")) {
            var order = new TextOrder.Collated(Optional.of("sv"), Optional.empty());
            Collation collation = Collation.of(order);
            return first.stream()
                    .<Object>map(each ->
                            new RowKeyBuffer(
                                    Base64.getEncoder()
                                            .encodeToString(collation.key(each.toString()))))
                    .toList();
        }
        if (arguments.size() == 1) {
            return result.stream().map(each -> calculate(function, each)).toList();
        }
        boolean many = root(arguments.getFirst()).isPresent();
        for (GroupExpression each : arguments.subList(1, arguments.size())) {
            result = together(function, result, many, values(each, member), root(each).isPresent());
            many |= root(each).isPresent();
        }
        return result;
    }

    private List<Object> together(
            String function, List<Object> a, boolean manyA, List<Object> b, boolean manyB) {
        if (a.isEmpty() || b.isEmpty()) {
            return !manyA || !manyB ? List.of() : a.isEmpty() ? b : a;
        }
        var result = new ArrayList<Object>();
        for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
            if (a.size() == 1 || b.size() == 1 || (i < a.size() && i < b.size())) {
                result.add(
                        calculate(
                                function,
                                a.get(Math.min(i, a.size() - 1)),
                                b.get(Math.min(i, b.size() - 1))));
            } else {
                result.add(i < a.size() ? a.get(i) : b.get(i));
            }
        }
        return result;
    }

    private Object calculate(String function, Object a) {
        return switch (function) {
            case "neg" -> a instanceof Long number ? (Object) (-number) : (Object) (-(Double) a);
            case "math.floor" -> Math.floor(((Number) a).doubleValue());
            case "tolong" -> a instanceof Double number ? rounded(number) : a;
            case "todouble" -> ((Number) a).doubleValue();
            case "strlen" -> (long) a.toString().getBytes(StandardCharsets.UTF_8).length;
            case "tostring" -> written(a);
            default -> time(function, (Long) a);
        };
    }

    /** Returns the start of a period of the calendar; weeks count from a Monday in 1970. */
    private long began(long seconds, String width) {
        ZonedDateTime time = Instant.ofEpochSecond(seconds).atZone(zone);
        LocalDate day = time.toLocalDate();
        LocalDate monday = LocalDate.of(1970, 1, 5);
        return switch (width) {
            case "15m" ->
                    time.truncatedTo(ChronoUnit.MINUTES).toEpochSecond()
                            - time.getMinute() % 15 * 60L;
            case "6h" -> day.atTime(time.getHour() / 6 * 6, 0).atZone(zone).toEpochSecond();
            case "1d", "3d" -> {
                int days = Integer.parseInt(width.substring(0, 1));
                yield start(
                        LocalDate.ofEpochDay(Math.floorDiv(day.toEpochDay(), (long) days) * days));
            }
            case "1w", "2w" -> {
                int days = 7 * Integer.parseInt(width.substring(0, 1));
                long since = ChronoUnit.DAYS.between(monday, day);
                yield start(monday.plusDays(Math.floorDiv(since, days) * (long) days));
            }
            case "1mo" -> start(day.withDayOfMonth(1));
            default -> start(day.withDayOfYear(1));
        };
    }

    private long start(LocalDate day) {
        return day.atStartOfDay(zone).toEpochSecond();
    }

    private Object time(String function, long seconds) {
        ZonedDateTime time = Instant.ofEpochSecond(seconds).atZone(zone);
        return switch (function) {
            case "time.year" -> (long) time.getYear();
            case "time.monthofyear" -> (long) time.getMonthValue();
            case "time.dayofmonth" -> (long) time.getDayOfMonth();
            case "time.dayofyear" -> time.getDayOfYear() - 1L;
            case "time.isodayofweek" -> (long) time.getDayOfWeek().getValue();
            case "time.dayofweek" -> time.getDayOfWeek().getValue() % 7L;
            case "time.hourofday" -> (long) time.getHour();
            case "time.minuteofhour" -> (long) time.getMinute();
            case "time.secondofminute" -> (long) time.getSecond();
            case "time.date" ->
                    "%d-%d-%d"
                            .formatted(time.getYear(), time.getMonthValue(), time.getDayOfMonth());
            default -> throw new IllegalArgumentException(function);
        };
    }

    private static long rounded(double number) {
        return number < 0 ? -Math.round(-number) : Math.round(number);
    }

    private static String written(Object value) {
        if (value instanceof Double number) {
            String text = Double.toString(number);
            return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
        }
        return value.toString();
    }

    private static Object calculate(String function, Object a, Object b) {
        if (a instanceof Long one && b instanceof Long other) {
            return switch (function) {
                case "add" -> one + other;
                case "sub" -> one - other;
                case "mul" -> one * other;
                case "div" -> other == 0 ? 0L : one / other;
                case "mod" -> other == 0 ? 0L : one % other;
                case "min" -> Math.min(one, other);
                case "max" -> Math.max(one, other);
                case "xor" -> one ^ other;
                default -> throw new IllegalArgumentException(function);
            };
        }
        double one = ((Number) a).doubleValue();
        double other = ((Number) b).doubleValue();
        return switch (function) {
            case "add" -> one + other;
            case "sub" -> one - other;
            case "mul" -> one * other;
            case "div" -> other == 0 ? 0.0 : one / other;
            case "mod" -> other == 0 ? 0.0 : one % other;
            case "min" -> Math.min(one, other);
            case "max" -> Math.max(one, other);
            case "xor" -> rounded(one) ^ rounded(other);
            default -> throw new IllegalArgumentException(function);
        };
    }

    private static List<Object> field(String name, Member member) {
        Optional<FieldValue> value = Optional.ofNullable(member.document.fields().get(name));
        return switch (name) {
            case "labels", "tags" -> {
                List<Object> all =
                        value
                                .map(each -> ((FieldValue.ArrayValue) each).elements())
                                .orElse(List.of())
                                .stream()
                                .map(NaiveGrouping::plain)
                                .toList();
                yield member.elements.containsKey(name)
                        ? List.of(all.get(member.elements.get(name)))
                        : all;
            }
            case "size", "sent" -> List.of(value.map(NaiveGrouping::plain).orElse(0L));
            case "price", "weight" -> List.of(value.map(NaiveGrouping::plain).orElse(0.0));
            case "read" -> List.of(value.map(NaiveGrouping::plain).orElse(false));
            default -> List.of(value.map(NaiveGrouping::plain).orElse(""));
        };
    }

    private static Object plain(FieldValue value) {
        return switch (value) {
            case FieldValue.IntValue(int number) -> (long) number;
            case FieldValue.LongValue(long number) -> number;
            case FieldValue.FloatValue(float number) -> (double) number;
            case FieldValue.DoubleValue(double number) -> number;
            case FieldValue.BoolValue(boolean truth) -> truth;
            case FieldValue.StringValue(var text) -> text;
            default -> throw new IllegalArgumentException(value.toString());
        };
    }
}
