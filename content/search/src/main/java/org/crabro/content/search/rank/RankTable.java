package org.crabro.content.search.rank;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.config.schema.FieldRanking.RankType;
import org.crabro.content.search.query.QueryRejectedException;

/** A table of a function on whole numbers from 0. Larger numbers have the last value. Immutable. */
final class RankTable {
    private static final Pattern FORM = Pattern.compile("\\s*(\\w+)\\s*\\(([^()]*)\\)\\s*");
    private static final int SIZE = 256;
    private static final int SIZE_MAX = 1 << 16;

    private static final RankTable ZERO = parse("linear(0,0)");

    /** By rank type and use. A use that a rank type does not define is that of {@code about}. */
    private static final Map<RankType, Map<Use, RankTable>> TABLES =
            Map.of(
                    RankType.ABOUT,
                    Map.of(
                            Use.FIRST_OCCURRENCE, parse("expdecay(8000,12.50)"),
                            Use.OCCURRENCE_COUNT, parse("loggrowth(1500,4000,19)"),
                            Use.PROXIMITY, parse("expdecay(500,3)"),
                            Use.REVERSE_PROXIMITY, parse("expdecay(400,3)"),
                            Use.WEIGHT, parse("linear(1,0)")),
                    RankType.IDENTITY,
                    Map.of(
                            Use.FIRST_OCCURRENCE, parse("expdecay(100,12.50)"),
                            Use.PROXIMITY, parse("expdecay(5000,3)"),
                            Use.REVERSE_PROXIMITY, parse("expdecay(3000,3)")),
                    RankType.TAGS,
                    Map.of(Use.WEIGHT, parse("loggrowth(38,50,1)")),
                    RankType.EMPTY,
                    Map.of());

    /** The use of a table. */
    enum Use {
        FIRST_OCCURRENCE,
        OCCURRENCE_COUNT,
        PROXIMITY,
        REVERSE_PROXIMITY,
        WEIGHT
    }

    private final double[] values;
    private final double max;

    private RankTable(double[] values) {
        this.values = values;
        double largest = values[0];
        for (double value : values) {
            largest = Math.max(largest, value);
        }
        this.max = largest;
    }

    /** Returns the table for fields of a rank type. */
    static RankTable of(RankType type, Use use) {
        if (type == RankType.EMPTY) {
            return ZERO;
        }
        RankTable own = TABLES.getOrDefault(type, Map.of()).get(use);
        return own == null
                ? TABLES.getOrDefault(RankType.ABOUT, Map.of()).getOrDefault(use, ZERO)
                : own;
    }

    /**
     * Parses a table such as {@code expdecay(500,3)}.
     *
     * @throws QueryRejectedException if the syntax is another one
     */
    static RankTable parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw unfit(text);
        }
        String[] written = form.group(2).split(",", -1);
        double[] given = new double[written.length];
        for (int i = 0; i < given.length; i++) {
            try {
                given[i] = Double.parseDouble(written[i].strip());
            } catch (NumberFormatException e) {
                throw unfit(text);
            }
        }
        boolean isGrowth = form.group(1).equals("loggrowth");
        int needed = isGrowth ? 3 : 2;
        if (given.length != needed && given.length != needed + 1) {
            throw unfit(text);
        }
        double size = given.length > needed ? given[needed] : SIZE;
        if (!(size >= 1 && size <= SIZE_MAX)) {
            throw unfit(text);
        }
        double[] values = new double[(int) size];
        for (int i = 0; i < values.length; i++) {
            values[i] =
                    switch (form.group(1)) {
                        case "expdecay" -> given[0] * Math.exp(-i / given[1]);
                        case "loggrowth" -> given[0] * Math.log(1 + i / given[2]) + given[1];
                        case "linear" -> given[0] * i + given[1];
                        default -> throw unfit(text);
                    };
        }
        return new RankTable(values);
    }

    private static QueryRejectedException unfit(String text) {
        return new QueryRejectedException(
                "expected a table, such as expdecay(500,3), loggrowth(1500,4000,19) or linear(1,0),"
                        + " but found '%s'".formatted(text));
    }

    int size() {
        return values.length;
    }

    double max() {
        return max;
    }

    /** Returns the value for a number, which must not be negative. */
    double at(long number) {
        return values[(int) Math.min(number, values.length - 1L)];
    }
}
