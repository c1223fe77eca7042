package org.crabro.protocol.grouping;

import java.time.ZoneId;
import java.util.Optional;

/** Steps between consecutive groups: of ranges, of times, or of whole numbers. */
public sealed interface GroupSteps {
    /** Returns the group that contains a number. */
    GroupId at(GroupValue number);

    /** Returns the group after another. */
    GroupId next(GroupId group);

    /**
     * Returns the steps of a group-by expression.
     *
     * @param isReal whether its values are floating-point numbers
     */
    static GroupSteps of(GroupExpression by, boolean isReal, ZoneId zone) {
        if (by instanceof GroupExpression.Call(var function, var arguments)) {
            if (function == GroupFunction.FIXED_WIDTH) {
                return switch (arguments.get(1)) {
                    case GroupExpression.Whole(long width) when !isReal -> new Ranges(width);
                    case GroupExpression.Whole(long width) -> new RealRanges(width);
                    case GroupExpression.Real(double width) -> new RealRanges(width);
                    default -> throw new IllegalArgumentException("a width of " + arguments);
                };
            }
            if (function == GroupFunction.TIME_BUCKET) {
                TimeWidth width = TimeWidth.of(text(arguments.get(1))).orElseThrow();
                return new Times(
                        width, arguments.size() > 2 ? ZoneId.of(text(arguments.get(2))) : zone);
            }
        }
        return new Numbers();
    }

    private static String text(GroupExpression literal) {
        return literal instanceof GroupExpression.Text(var text) ? text : "";
    }

    private static long whole(GroupValue number) {
        return number instanceof GroupValue.Whole(long whole)
                ? whole
                : (long) Math.floor(number.number());
    }

    private static GroupValue start(GroupId group) {
        return switch (group) {
            case GroupId.Value(var value) -> value;
            case GroupId.Range(_, var from, _) -> from.orElseThrow();
            case GroupId.Root(), GroupId.Missing() ->
                    throw new IllegalArgumentException("" + group);
        };
    }

    /** Ranges of whole numbers, all of the same width. */
    record Ranges(long width) implements GroupSteps {
        @Override
        public GroupId at(GroupValue number) {
            return range(Math.floorDiv(whole(number), width));
        }

        @Override
        public GroupId next(GroupId group) {
            return range(Math.floorDiv(whole(start(group)), width) + 1);
        }

        /** Returns the range that starts at {@code number} times the width. */
        public GroupId range(long number) {
            return new GroupId.Range(
                    GroupId.Kind.LONG,
                    Optional.of(new GroupValue.Whole(times(number, width))),
                    Optional.of(new GroupValue.Whole(times(number + 1, width))));
        }

        /** Returns a product; the least or the largest long if it overflows. */
        private static long times(long number, long width) {
            long high = Math.multiplyHigh(number, width);
            long low = number * width;
            if ((high == 0 && low >= 0) || (high == -1 && low < 0)) {
                return low;
            }
            return number < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    /** Ranges of floating-point numbers, all of the same width. */
    record RealRanges(double width) implements GroupSteps {
        @Override
        public GroupId at(GroupValue number) {
            return range(Math.floor(number.number() / width));
        }

        @Override
        public GroupId next(GroupId group) {
            return range(Math.rint(start(group).number() / width) + 1);
        }

        /** Returns the range that starts at {@code number} times the width. */
        public GroupId range(double number) {
            return new GroupId.Range(
                    GroupId.Kind.DOUBLE,
                    Optional.of(new GroupValue.Real(number * width)),
                    Optional.of(new GroupValue.Real((number + 1) * width)));
        }
    }

    /** Times, as the starts of their periods. */
    record Times(TimeWidth width, ZoneId zone) implements GroupSteps {
        @Override
        public GroupId at(GroupValue number) {
            return new GroupId.Value(new GroupValue.Whole(width.at(whole(number), zone).start()));
        }

        @Override
        public GroupId next(GroupId group) {
            return new GroupId.Value(new GroupValue.Whole(width.next(whole(start(group)), zone)));
        }
    }

    /** Single whole numbers. */
    record Numbers() implements GroupSteps {
        @Override
        public GroupId at(GroupValue number) {
            return new GroupId.Value(new GroupValue.Whole(whole(number)));
        }

        @Override
        public GroupId next(GroupId group) {
            return new GroupId.Value(new GroupValue.Whole(whole(start(group)) + 1));
        }
    }
}
