package org.crabro.protocol.grouping;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;

/**
 * A partial aggregate of some documents of a group, which can be combined with those of other
 * documents. The result does not depend on the order or on the distribution of documents.
 */
public sealed interface AggregateValue {
    /**
     * Returns the aggregate of the documents of both. Both must be of the same kind; whole numbers
     * can be combined with floating-point numbers.
     */
    AggregateValue plus(AggregateValue that);

    /** Returns the returned value. */
    GroupValue result();

    /** Returns the aggregate of no documents. */
    default AggregateValue none() {
        return switch (this) {
            case Count _ -> new Count(0);
            case WholeSum _ -> new WholeSum(0);
            case RealSum _ -> new RealSum(ExactSum.ZERO);
            case WholeAverage _ -> new WholeAverage(0, 0);
            case RealAverage _ -> new RealAverage(ExactSum.ZERO, 0);
            case Least(_, var empty) -> new Least(Optional.empty(), empty);
            case Greatest(_, var empty) -> new Greatest(Optional.empty(), empty);
            case Bits _ -> new Bits(0);
            case Deviation _ -> new Deviation(0, ExactSum.ZERO, ExactSum.ZERO);
            case Spread(var levels, _) -> new Spread(levels, new QuantileSketch());
        };
    }

    /** The number of documents. */
    record Count(long count) implements AggregateValue {
        @Override
        public AggregateValue plus(AggregateValue that) {
            return new Count(count + ((Count) that).count);
        }

        @Override
        public GroupValue result() {
            return new GroupValue.Whole(count);
        }
    }

    /** A sum of whole numbers, which wraps at 64 bits. */
    record WholeSum(long sum) implements AggregateValue {
        @Override
        public AggregateValue plus(AggregateValue that) {
            return that instanceof WholeSum(long other)
                    ? new WholeSum(sum + other)
                    : new RealSum(ExactSum.of(sum)).plus(that);
        }

        @Override
        public GroupValue result() {
            return new GroupValue.Whole(sum);
        }
    }

    /** A sum of floating-point numbers. */
    record RealSum(ExactSum sum) implements AggregateValue {
        @Override
        public AggregateValue plus(AggregateValue that) {
            return new RealSum(
                    sum.plus(
                            that instanceof WholeSum(long whole)
                                    ? ExactSum.of(whole)
                                    : ((RealSum) that).sum));
        }

        @Override
        public GroupValue result() {
            return new GroupValue.Real(sum.value());
        }
    }

    /** An average of whole numbers, whose sum wraps at 64 bits. */
    record WholeAverage(long sum, long count) implements AggregateValue {
        @Override
        public AggregateValue plus(AggregateValue that) {
            return that instanceof WholeAverage(long otherSum, long otherCount)
                    ? new WholeAverage(sum + otherSum, count + otherCount)
                    : new RealAverage(ExactSum.of(sum), count).plus(that);
        }

        @Override
        public GroupValue result() {
            return new GroupValue.Real(count == 0 ? 0 : (double) sum / count);
        }
    }

    /** An average of floating-point numbers. */
    record RealAverage(ExactSum sum, long count) implements AggregateValue {
        @Override
        public AggregateValue plus(AggregateValue that) {
            if (that instanceof WholeAverage(long otherSum, long otherCount)) {
                return new RealAverage(sum.plus(ExactSum.of(otherSum)), count + otherCount);
            }
            var other = (RealAverage) that;
            return new RealAverage(sum.plus(other.sum), count + other.count);
        }

        @Override
        public GroupValue result() {
            return new GroupValue.Real(count == 0 ? 0 : sum.value() / count);
        }
    }

    /**
     * The smallest value.
     *
     * @param empty the result if there is no value
     */
    record Least(Optional<GroupValue> value, GroupValue empty) implements AggregateValue {
        @Override
        public AggregateValue plus(AggregateValue that) {
            var other = (Least) that;
            if (value.isEmpty() || other.value.isEmpty()) {
                return value.isEmpty() ? other : this;
            }
            return GroupValue.compare(value.get(), other.value.get()) <= 0 ? this : other;
        }

        @Override
        public GroupValue result() {
            return value.orElse(empty);
        }
    }

    /**
     * The largest value.
     *
     * @param empty the result if there is no value
     */
    record Greatest(Optional<GroupValue> value, GroupValue empty) implements AggregateValue {
        @Override
        public AggregateValue plus(AggregateValue that) {
            var other = (Greatest) that;
            if (value.isEmpty() || other.value.isEmpty()) {
                return value.isEmpty() ? other : this;
            }
            return GroupValue.compare(value.get(), other.value.get()) >= 0 ? this : other;
        }

        @Override
        public GroupValue result() {
            return value.orElse(empty);
        }
    }

    /** The bits that are set in an odd number of values. */
    record Bits(long bits) implements AggregateValue {
        @Override
        public AggregateValue plus(AggregateValue that) {
            return new Bits(bits ^ ((Bits) that).bits);
        }

        @Override
        public GroupValue result() {
            return new GroupValue.Whole(bits);
        }
    }

    /** The standard deviation of all numbers, as a population and not as a sample. */
    record Deviation(long count, ExactSum sum, ExactSum squares) implements AggregateValue {
        @Override
        public AggregateValue plus(AggregateValue that) {
            var other = (Deviation) that;
            return new Deviation(
                    count + other.count, sum.plus(other.sum), squares.plus(other.squares));
        }

        @Override
        public GroupValue result() {
            if (count == 0) {
                return new GroupValue.Real(0);
            }
            if (!sum.isFinite() || !squares.isFinite()) {
                return new GroupValue.Real(Double.NaN);
            }
            // The variance: n times the sum of squares, minus the square of the sum, both exact,
            // divided by n squared.
            BigDecimal n = BigDecimal.valueOf(count);
            BigDecimal exactSum = sum.exact();
            BigDecimal difference =
                    n.multiply(squares.exact()).subtract(exactSum.multiply(exactSum));
            double variance =
                    difference
                            .divide(n.multiply(n), MathContext.DECIMAL64)
                            .max(BigDecimal.ZERO)
                            .doubleValue();
            return new GroupValue.Real(Math.sqrt(variance));
        }
    }

    /** The distribution of numbers. The sketch must not be changed. */
    record Spread(List<Double> levels, QuantileSketch sketch) implements AggregateValue {
        public Spread {
            levels = List.copyOf(levels);
        }

        @Override
        public AggregateValue plus(AggregateValue that) {
            var both = new QuantileSketch();
            both.add(sketch);
            both.add(((Spread) that).sketch);
            return new Spread(levels, both);
        }

        @Override
        public GroupValue result() {
            return new GroupValue.Quantiles(
                    levels.stream()
                            .map(level -> new GroupValue.Quantile(level, sketch.quantile(level)))
                            .toList());
        }
    }
}
