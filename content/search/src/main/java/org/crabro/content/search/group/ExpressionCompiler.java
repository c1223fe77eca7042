package org.crabro.content.search.group;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.protocol.grouping.GroupBucket;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupFilter;
import org.crabro.protocol.grouping.GroupFunction;
import org.crabro.protocol.grouping.GroupMath;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.ListPlan;
import org.crabro.protocol.grouping.TimeWidth;
import org.crabro.protocol.search.Collation;
import org.crabro.protocol.search.TextOrder;

/**
 * Compiles expressions to evaluators for the fields of a schema.
 *
 * <p>A scope is a field of many elements by which rows were grouped. Within a scope, reading the
 * field reads only one element.
 */
final class ExpressionCompiler {
    /** The maximum number of bits of {@code fixedwidth} and {@code md5}. */
    private static final int DIGEST_BITS_MAX = 8 * 4_096;

    private final FieldReaderCompiler readers;
    private final ZoneId zone;
    private final long nowSeconds;
    private boolean readsIds;

    /**
     * @param fields receives the fields that are read
     */
    ExpressionCompiler(Schema schema, QueryFields fields, ZoneId zone, long nowSeconds) {
        this.readers = new FieldReaderCompiler(schema, fields);
        this.zone = zone;
        this.nowSeconds = nowSeconds;
    }

    /** Returns the names that match no field. */
    Set<String> unknown() {
        return readers.unknown();
    }

    /** Returns the names of the fields that are read. */
    Set<String> read() {
        return readers.read();
    }

    boolean readsIds() {
        return readsIds;
    }

    /** Returns the time zone of time functions. */
    ZoneId zone() {
        return zone;
    }

    /**
     * Rejects {@code fill(...)} for groups without defined steps between them.
     *
     * @param by the evaluator of the list's group-by expression
     */
    void checkSteps(ListPlan plan, Evaluator by) {
        if (by.kind() != ValueKind.WHOLE && !(by instanceof FixedWidth)) {
            throw rejected(
                    plan.by(),
                    "fill(...) is for whole numbers, fixedwidth(...), time.bucket(...) and"
                            + " predefined(...)");
        }
    }

    /** Returns how many expressions were compiled that read the one element of a scope. */
    int elementReads(int scope) {
        return readers.elementReads(scope);
    }

    int scopeCount() {
        return readers.scopeCount();
    }

    /**
     * Compiles an expression.
     *
     * @param entered the scopes of the rows
     * @throws QueryRejectedException if the types do not match
     */
    Evaluator compile(GroupExpression expression, Set<Integer> entered) {
        return switch (expression) {
            case GroupExpression.Whole(long value) -> new Constants(new GroupValue.Whole(value));
            case GroupExpression.Real(double value) -> new Constants(new GroupValue.Real(value));
            case GroupExpression.Text(var value) -> new Constants(new GroupValue.Text(value));
            case GroupExpression.FieldOf field -> readers.reader(field, "", entered);
            case GroupExpression.Call call -> call(call, entered);
            case GroupExpression.Predefined _ ->
                    throw rejected(expression, "buckets can only be grouped by");
            case GroupExpression.Aggregate _,
                    GroupExpression.Quantiles _,
                    GroupExpression.Summary _ ->
                    throw rejected(
                            expression, "an aggregate is a value of a group, not of a document");
        };
    }

    /** Compiles a group-by expression, which may be buckets. */
    Evaluator compileKey(GroupExpression expression, Set<Integer> entered) {
        return switch (expression) {
            case GroupExpression.Predefined(var value, var buckets) ->
                    buckets(expression, value, buckets, entered);
            case GroupExpression.Call(var function, var arguments)
                    when function == GroupFunction.FIXED_WIDTH ->
                    fixedWidth(expression, arguments, entered);
            default -> compile(expression, entered);
        };
    }

    private Evaluator fixedWidth(
            GroupExpression expression, List<GroupExpression> arguments, Set<Integer> entered) {
        Evaluator operand = number(arguments.getFirst(), entered);
        return switch (arguments.get(1)) {
            case GroupExpression.Whole(long width) when width > 0 -> new FixedWidth(operand, width);
            case GroupExpression.Real(double width) when width > 0 && Double.isFinite(width) ->
                    new FixedWidth(operand, width);
            default -> throw rejected(expression, "the width is a number above 0");
        };
    }

    private Evaluator buckets(
            GroupExpression expression,
            GroupExpression value,
            List<GroupBucket> buckets,
            Set<Integer> entered) {
        Evaluator operand = compile(value, entered);
        GroupValue end = buckets.getFirst().from().or(() -> buckets.getFirst().to()).orElseThrow();
        boolean ofTexts = end instanceof GroupValue.Text || end instanceof GroupValue.Raw;
        if (ofTexts == operand.kind().isNumber()) {
            throw rejected(
                    expression,
                    ofTexts
                            ? "the buckets are of strings and the values are numbers"
                            : "the buckets are of numbers and the values are strings");
        }
        if (end instanceof GroupValue.Real && operand.kind() != ValueKind.REAL) {
            operand = new NumberFunction(GroupFunction.TO_DOUBLE, ValueKind.REAL, operand);
        }
        return new PredefinedBuckets(operand, buckets);
    }

    private Evaluator call(GroupExpression.Call call, Set<Integer> entered) {
        GroupFunction function = call.function();
        List<GroupExpression> arguments = call.arguments();
        if (GroupMath.isReal(function) && arguments.size() == 1) {
            return new NumberFunction(
                    function, ValueKind.REAL, number(arguments.getFirst(), entered));
        }
        return switch (function) {
            case ADD, SUB, MUL, DIV, MOD, AND, OR, XOR, MIN, MAX, POW, HYPOT ->
                    folded(function, call, entered);
            case NEG -> {
                Evaluator operand = number(arguments.getFirst(), entered);
                yield new NumberFunction(
                        function,
                        operand.kind() == ValueKind.REAL ? ValueKind.REAL : ValueKind.WHOLE,
                        operand);
            }
            case ZCURVE_X, ZCURVE_Y -> zcurve(call, entered);
            case TO_LONG, TO_DOUBLE -> {
                Evaluator operand = compile(arguments.getFirst(), entered);
                ValueKind kind =
                        function == GroupFunction.TO_LONG ? ValueKind.WHOLE : ValueKind.REAL;
                yield operand.kind().isNumber()
                        ? new NumberFunction(function, kind, operand)
                        : new TextNumber(function, operand);
            }
            case STRLEN -> new TextNumber(function, text(arguments.getFirst(), call, entered));
            case TO_STRING ->
                    new TextFunction(
                            function, ValueKind.TEXT, compile(arguments.getFirst(), entered), 0);
            case TO_RAW ->
                    new TextFunction(
                            function, ValueKind.RAW, compile(arguments.getFirst(), entered), 0);
            case NORMALIZE_SUBJECT ->
                    new TextFunction(
                            function, ValueKind.TEXT, text(arguments.getFirst(), call, entered), 0);
            case MD5, XOR_BIT ->
                    new TextFunction(
                            function,
                            ValueKind.RAW,
                            compile(arguments.getFirst(), entered),
                            bits(call));
            case CAT -> new Concatenation(ValueKind.RAW, all(arguments, entered));
            case STRCAT -> new Concatenation(ValueKind.TEXT, all(arguments, entered));
            case SIZE, SORT, REVERSE ->
                    new ListFunction(function, compile(arguments.getFirst(), entered));
            case INTERPOLATED_LOOKUP ->
                    new ElementAt(
                            function,
                            number(arguments.getFirst(), entered),
                            number(arguments.get(1), entered));
            case ARRAY_AT ->
                    new ElementAt(
                            function,
                            compile(arguments.getFirst(), entered),
                            number(arguments.get(1), entered));
            case YEAR,
                    MONTH_OF_YEAR,
                    DAY_OF_MONTH,
                    DAY_OF_YEAR,
                    DAY_OF_WEEK,
                    ISO_DAY_OF_WEEK,
                    HOUR_OF_DAY,
                    MINUTE_OF_HOUR,
                    SECOND_OF_MINUTE,
                    DATE ->
                    new TimeFunction(
                            function, seconds(arguments.getFirst(), entered), zone.getRules());
            case TIME_BUCKET -> timeBuckets(call, entered);
            case GEO_KM, GEO_MILES -> distance(call, entered);
            case DOCUMENT_ID -> {
                readsIds = true;
                yield new LocalIds();
            }
            case RELEVANCE -> new Scores();
            case NOW -> new Constants(new GroupValue.Whole(nowSeconds));
            case ATTRIBUTE -> {
                if (arguments.getFirst() instanceof GroupExpression.FieldOf field) {
                    yield readers.reader(field, "", entered);
                }
                throw rejected(call, "attribute(...) takes the name of a field");
            }
            case FIXED_WIDTH -> throw rejected(call, "buckets can only be grouped by");
            case UCA -> collated(call, entered);
            case DEBUG_WAIT ->
                    throw rejected(call, function.text() + " only delays the query: remove it");
            case EXP,
                    LOG,
                    LOG1P,
                    LOG10,
                    SQRT,
                    CBRT,
                    SIN,
                    COS,
                    TAN,
                    ASIN,
                    ACOS,
                    ATAN,
                    SINH,
                    COSH,
                    TANH,
                    ASINH,
                    ACOSH,
                    ATANH,
                    FLOOR ->
                    throw new IllegalStateException("a function of one number: " + function);
        };
    }

    private Evaluator timeBuckets(GroupExpression.Call call, Set<Integer> entered) {
        List<GroupExpression> arguments = call.arguments();
        TimeWidth width =
                constant(arguments, 1)
                        .flatMap(TimeWidth::of)
                        .orElseThrow(() ->
                                rejected(
                                        call,
                                        "the width is a number of s, m or h that a day is a"
                                                + " multiple of, or of d, w, mo or y, such as \"15m\""
                                                + " or \"1d\""));
        ZoneId own = zone;
        if (arguments.size() > 2) {
            try {
                own = ZoneId.of(constant(arguments, 2).orElse(""));
            } catch (DateTimeException _) {
                throw rejected(call, "there is no time zone " + arguments.get(2).text());
            }
        }
        return new TimeBuckets(seconds(arguments.getFirst(), entered), width, own);
    }

    private Evaluator collated(GroupExpression.Call call, Set<Integer> entered) {
        List<GroupExpression> arguments = call.arguments();
        Optional<String> locale = constant(arguments, 1);
        if (locale.filter(Collation::isLocale).isEmpty() && arguments.size() > 1) {
            throw rejected(call, "the locale is a language tag such as \"de\" or \"en-US\"");
        }
        Optional<TextOrder.Strength> strength =
                constant(arguments, 2)
                        .flatMap(name ->
                                Stream.of(TextOrder.Strength.values())
                                        .filter(each -> each.name().equalsIgnoreCase(name))
                                        .findFirst());
        if (strength.isEmpty() && arguments.size() > 2) {
            throw rejected(
                    call, "the strength is PRIMARY, SECONDARY, TERTIARY, QUATERNARY or IDENTICAL");
        }
        return new CollationKeys(
                text(arguments.getFirst(), call, entered),
                Collation.of(new TextOrder.Collated(locale, strength)));
    }

    /** Returns an argument that is a string or an unquoted name. */
    private static Optional<String> constant(List<GroupExpression> arguments, int index) {
        return index >= arguments.size()
                ? Optional.empty()
                : switch (arguments.get(index)) {
                    case GroupExpression.Text(var text) -> Optional.of(text);
                    case GroupExpression.FieldOf(var name, _, _) -> Optional.of(name);
                    default -> Optional.empty();
                };
    }

    private Evaluator folded(
            GroupFunction function, GroupExpression.Call call, Set<Integer> entered) {
        Evaluator result = number(call.arguments().getFirst(), entered);
        for (GroupExpression argument : call.arguments().subList(1, call.arguments().size())) {
            result = new Arithmetic(function, result, number(argument, entered));
        }
        return result;
    }

    private List<Evaluator> all(List<GroupExpression> arguments, Set<Integer> entered) {
        return arguments.stream().map(argument -> compile(argument, entered)).toList();
    }

    /** Compiles an expression to numbers; those of strings and bytes are as for tolong. */
    Evaluator number(GroupExpression argument, Set<Integer> entered) {
        return number(argument, GroupFunction.TO_LONG, entered);
    }

    /**
     * Compiles an expression to numbers.
     *
     * @param ofTexts converts strings and bytes
     */
    Evaluator number(GroupExpression argument, GroupFunction ofTexts, Set<Integer> entered) {
        Evaluator evaluator = compile(argument, entered);
        return evaluator.kind().isNumber() ? evaluator : new TextNumber(ofTexts, evaluator);
    }

    /** Compiles a time to seconds since 1970; a field can have a smaller unit. */
    private Evaluator seconds(GroupExpression argument, Set<Integer> entered) {
        Evaluator operand = number(argument, entered);
        long perSecond =
                named(argument) instanceof GroupExpression.FieldOf field
                        ? readers.perSecond(field)
                        : 1;
        return perSecond == 1 ? operand : new Seconds(operand, perSecond);
    }

    private Evaluator text(GroupExpression argument, GroupExpression of, Set<Integer> entered) {
        Evaluator evaluator = compile(argument, entered);
        if (evaluator.kind().isNumber()) {
            throw rejected(of, argument.text() + " is a number and no string");
        }
        return evaluator;
    }

    private static int bits(GroupExpression.Call call) {
        if (call.arguments().get(1) instanceof GroupExpression.Whole(long bits)
                && bits > 0
                && bits % Byte.SIZE == 0
                && bits <= DIGEST_BITS_MAX) {
            return (int) bits;
        }
        throw rejected(call, "the number of bits is a multiple of 8, at most " + DIGEST_BITS_MAX);
    }

    /**
     * Computes a coordinate. The two coordinates of a number are interleaved bits; a position
     * stores them separately.
     */
    private Evaluator zcurve(GroupExpression.Call call, Set<Integer> entered) {
        GroupFunction function = call.function();
        GroupExpression place = readers.position(named(call.arguments().getFirst()));
        if (place instanceof GroupExpression.FieldOf field && readers.isPosition(field)) {
            String part = function == GroupFunction.ZCURVE_X ? "lng" : "lat";
            return new Microdegrees(function, readers.reader(field, part, entered));
        }
        return new NumberFunction(function, ValueKind.WHOLE, number(place, entered));
    }

    /** Returns the argument of {@code attribute(...)}; any other expression as it is. */
    private static GroupExpression named(GroupExpression expression) {
        return expression instanceof GroupExpression.Call(var function, var arguments)
                        && function == GroupFunction.ATTRIBUTE
                ? arguments.getFirst()
                : expression;
    }

    private Evaluator distance(GroupExpression.Call call, Set<Integer> entered) {
        if (!(named(call.arguments().getFirst()) instanceof GroupExpression.FieldOf field)) {
            throw rejected(call, "it takes the name of a field of positions");
        }
        return new DistanceFromPlace(
                readers.reader(field, "lat", entered),
                readers.reader(field, "lng", entered),
                degrees(call, 1),
                degrees(call, 2),
                call.function() == GroupFunction.GEO_KM ? 1 : DistanceFromPlace.KM_PER_MILE);
    }

    private static double degrees(GroupExpression.Call call, int argument) {
        return switch (call.arguments().get(argument)) {
            case GroupExpression.Whole(long value) -> value;
            case GroupExpression.Real(double value) -> value;
            default -> throw rejected(call, "latitude and longitude are numbers");
        };
    }

    /** Compiles a filter of rows. */
    RowFilter compile(GroupFilter filter, Set<Integer> entered) {
        return switch (filter) {
            case GroupFilter.Regex(var pattern, var value) -> {
                Evaluator evaluator = compile(value, entered);
                if (evaluator.kind() != ValueKind.TEXT) {
                    evaluator =
                            new TextFunction(GroupFunction.TO_STRING, ValueKind.TEXT, evaluator, 0);
                }
                yield new RowFilter.Regex(pattern(pattern), evaluator);
            }
            case GroupFilter.Range range ->
                    new RowFilter.Range(
                            number(range.value(), entered),
                            range.from(),
                            range.to(),
                            range.fromIncluded(),
                            range.toIncluded());
            case GroupFilter.IsTrue(var value) -> {
                Evaluator evaluator = compile(value, entered);
                if (evaluator.kind() != ValueKind.TRUTH
                        && !readers.unknown().contains(value.text())) {
                    throw rejected(value, "istrue takes a boolean expression");
                }
                yield new RowFilter.IsTrue(evaluator);
            }
            case GroupFilter.Not(var operand) -> new RowFilter.Not(compile(operand, entered));
            case GroupFilter.And(var operands) ->
                    new RowFilter.Several(
                            operands.stream().map(each -> compile(each, entered)).toList(), false);
            case GroupFilter.Or(var operands) ->
                    new RowFilter.Several(
                            operands.stream().map(each -> compile(each, entered)).toList(), true);
        };
    }

    private static Pattern pattern(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new QueryRejectedException(
                    "grouping by the pattern %s: %s at index %d"
                            .formatted(text, e.getDescription(), e.getIndex()));
        }
    }

    static QueryRejectedException rejected(GroupExpression expression, String problem) {
        return new QueryRejectedException(
                "grouping by %s: %s".formatted(expression.text(), problem));
    }
}
