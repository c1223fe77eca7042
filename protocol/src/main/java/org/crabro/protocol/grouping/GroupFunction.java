package org.crabro.protocol.grouping;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The functions of grouping expressions on the values of a document. */
public enum GroupFunction {
    ADD("add", 2, Integer.MAX_VALUE),
    SUB("sub", 2, Integer.MAX_VALUE),
    MUL("mul", 2, Integer.MAX_VALUE),
    DIV("div", 2, Integer.MAX_VALUE),
    MOD("mod", 2, Integer.MAX_VALUE),
    NEG("neg", 1, 1),
    AND("and", 2, Integer.MAX_VALUE),
    OR("or", 2, Integer.MAX_VALUE),
    XOR("xor", 2, Integer.MAX_VALUE),
    MIN("min", 2, Integer.MAX_VALUE),
    MAX("max", 2, Integer.MAX_VALUE),
    CAT("cat", 1, Integer.MAX_VALUE),
    STRCAT("strcat", 1, Integer.MAX_VALUE),
    STRLEN("strlen", 1, 1),
    SIZE("size", 1, 1),
    SORT("sort", 1, 1),
    REVERSE("reverse", 1, 1),
    TO_STRING("tostring", 1, 1),
    TO_LONG("tolong", 1, 1),
    TO_DOUBLE("todouble", 1, 1),
    TO_RAW("toraw", 1, 1),
    EXP("math.exp", 1, 1),
    LOG("math.log", 1, 1),
    LOG1P("math.log1p", 1, 1),
    LOG10("math.log10", 1, 1),
    SQRT("math.sqrt", 1, 1),
    CBRT("math.cbrt", 1, 1),
    SIN("math.sin", 1, 1),
    COS("math.cos", 1, 1),
    TAN("math.tan", 1, 1),
    ASIN("math.asin", 1, 1),
    ACOS("math.acos", 1, 1),
    ATAN("math.atan", 1, 1),
    SINH("math.sinh", 1, 1),
    COSH("math.cosh", 1, 1),
    TANH("math.tanh", 1, 1),
    ASINH("math.asinh", 1, 1),
    ACOSH("math.acosh", 1, 1),
    ATANH("math.atanh", 1, 1),
    FLOOR("math.floor", 1, 1),
    POW("math.pow", 2, 2),
    HYPOT("math.hypot", 2, 2),
    MD5("md5", 2, 2),
    XOR_BIT("xorbit", 2, 2),
    FIXED_WIDTH("fixedwidth", 2, 2),
    INTERPOLATED_LOOKUP("interpolatedlookup", 2, 2),
    ARRAY_AT("array.at", 2, 2),
    YEAR("time.year", 1, 1),
    MONTH_OF_YEAR("time.monthofyear", 1, 1),
    DAY_OF_MONTH("time.dayofmonth", 1, 1),
    DAY_OF_YEAR("time.dayofyear", 1, 1),
    DAY_OF_WEEK("time.dayofweek", 1, 1),
    ISO_DAY_OF_WEEK("time.isodayofweek", 1, 1),
    HOUR_OF_DAY("time.hourofday", 1, 1),
    MINUTE_OF_HOUR("time.minuteofhour", 1, 1),
    SECOND_OF_MINUTE("time.secondofminute", 1, 1),
    DATE("time.date", 1, 1),
    /** The start of the hour, the day or the month of a time. */
    TIME_BUCKET("time.bucket", 2, 3),
    ZCURVE_X("zcurve.x", 1, 1),
    ZCURVE_Y("zcurve.y", 1, 1),
    /** The distance to a location in km, written {@code geo_distance(field, lat, lon).km}. */
    GEO_KM("geo_distance", 3, 3),
    /** The distance in miles, written {@code geo_distance(field, lat, lon).miles}. */
    GEO_MILES("geo_distance", 3, 3),
    UCA("uca", 1, 3),
    NORMALIZE_SUBJECT("normalizesubject", 1, 1),
    DOCUMENT_ID("docidnsspecific", 0, 0),
    RELEVANCE("relevance", 0, 0),
    NOW("now", 0, 0),
    ATTRIBUTE("attribute", 1, 1),
    DEBUG_WAIT("debugwait", 3, 3);

    private static final Map<String, GroupFunction> BY_NAME =
            Stream.of(values())
                    .filter(each -> each != GEO_MILES)
                    .collect(Collectors.toUnmodifiableMap(each -> each.text, each -> each));

    private final String text;
    private final int least;
    private final int most;

    GroupFunction(String text, int least, int most) {
        this.text = text;
        this.least = least;
        this.most = most;
    }

    /** Returns the function with a name in requests, in any case. */
    public static Optional<GroupFunction> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name.toLowerCase(Locale.ROOT)));
    }

    /** Returns the name in requests. */
    public String text() {
        return text;
    }

    /** Returns the suffix after the arguments. */
    String unit() {
        return switch (this) {
            case GEO_KM -> ".km";
            case GEO_MILES -> ".miles";
            default -> "";
        };
    }

    /** Returns whether the function accepts a number of arguments. */
    public boolean accepts(int count) {
        return count >= least && count <= most;
    }

    /** Returns the number of arguments as text, for errors. */
    public String arguments() {
        if (least == most) {
            return least == 0 ? "no arguments" : least + (least == 1 ? " argument" : " arguments");
        }
        return most == Integer.MAX_VALUE
                ? "at least " + least + (least == 1 ? " argument" : " arguments")
                : least + " to " + most + " arguments";
    }
}
