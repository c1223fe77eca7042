package org.crabro.client.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CapacityCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new CapacityCommand())
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments);
    }

    @Test
    void printsHostsAndWhatLimitsThem() {
        int status =
                run(
                        "--users=1000000",
                        "--docs-per-user=10000",
                        "--bytes-per-doc=800",
                        "--qps=1000",
                        "--host-price=250",
                        "--disk-price=40");

        assertThat(status).isZero();
        assertThat(out.toString().lines())
                .contains(
                        "documents                    10,000,000,000, 3 copies",
                        "hosts                        8, limited by disk space",
                        "  for copies                 3",
                        "  disk                       3,090 of 4,000 GB")
                .anyMatch(line -> line.startsWith("price of a month             3,280.00, 0.3280"));
    }

    @Test
    void leavesThePriceOutWhereNoneIsGiven() {
        assertThat(run("--users=10")).isZero();
        assertThat(out.toString()).doesNotContain("price");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    --users=0            | --users: expected 1 to 1000000000000, not 0
                    --qps=NaN            | --qps: expected 0.001 to 1000000000000, not NaN
                    --qps=Infinity       | --qps: expected 0.001 to 1000000000000, not Infinity
                    --active=101         | --active: expected 0.001 to 100, not 101
                    --copies=-1          | --copies: expected 1 to 100, not -1
                    --disk-price=-5      | --disk-price: expected 0 to 1000000000000, not -5
                    --users=99999999999999999999 | Invalid value for option '--users'
                    --memory-gib=1       | a server needs 1.8 GiB of memory, and a host has 1.0 GiB
                    """)
    void rejectsValuesOutsideTheirRange(String argument, String message) {
        assertThat(run(argument)).isEqualTo(2);
        assertThat(err.toString()).startsWith(message);
    }
}
