package org.crabro.content.search.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.crabro.protocol.grouping.Aggregator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RealColumnTest {
    private static final TextPool NO_TEXTS = new TextPool();

    /** NaN stands for a missing value. It is smaller than every number. */
    @ParameterizedTest
    @CsvSource({
        "MIN,1 2,1.0",
        "MIN,1 NaN 2,NaN",
        "MIN,NaN,NaN",
        "MIN,'',Infinity",
        "MAX,1 2,2.0",
        "MAX,1 NaN -2,1.0",
        "MAX,NaN 1,1.0",
        "MAX,NaN -Infinity,-Infinity",
        "MAX,NaN NaN,NaN",
        "MAX,'',-Infinity",
        "SUM,1 NaN 2,NaN",
        "AVG,NaN,NaN",
        "STDDEV,1 NaN,NaN"
    })
    void aggregatesMissingNumbers(Aggregator aggregator, String numbers, String result) {
        double[] all = numbers(numbers);
        RealColumn whole = column(aggregator, all);
        RealColumn merged = column(aggregator);
        for (double number : all) {
            merged.merge(column(aggregator, number), 0, 0);
        }

        assertThat(whole.value(0).result().text()).isEqualTo(result);
        assertThat(merged.value(0).result().text()).isEqualTo(result);
    }

    @ParameterizedTest
    @CsvSource({
        "MIN,NaN,-Infinity",
        "MIN,1 NaN,-5",
        "MAX,NaN,-Infinity",
        "MAX,NaN 1,2",
        "SUM,1 NaN,-Infinity",
        "MIN,5,''",
        "MAX,NaN,''"
    })
    void ordersGroupsOfMissingNumbersFirst(Aggregator aggregator, String first, String second) {
        RealColumn less = column(aggregator, numbers(first));
        RealColumn more = column(aggregator, numbers(second));

        assertThat(less.orderKey(0)).isLessThan(more.orderKey(0));
    }

    private static double[] numbers(String text) {
        return text.isEmpty()
                ? new double[0]
                : Stream.of(text.split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
    }

    /** Returns a column with a group of numbers. */
    private static RealColumn column(Aggregator aggregator, double... numbers) {
        var column = new RealColumn(aggregator);
        column.reserve(1);
        DoubleStream.of(numbers)
                .forEach(number -> {
                    var values = new Values(ValueKind.REAL, false);
                    values.one(1);
                    values.doubles[0] = number;
                    column.add(values, new int[] {0}, 1, NO_TEXTS);
                });
        return column;
    }
}
