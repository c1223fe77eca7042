package org.crabro.perf.scoreboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.crabro.perf.harness.Measured;
import org.crabro.perf.scoreboard.CostFit.Point;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

class CostFitTest {
    @Test
    void returnsTheLineThroughPoints() {
        var points = List.of(new Point(100, 0.2), new Point(1_000, 1.1), new Point(10_000, 10.1));

        CostFit fit = CostFit.of(points);

        assertThat(fit.fixed()).isCloseTo(0.1, within(1e-9));
        assertThat(fit.each()).isCloseTo(0.001, within(1e-9));
        assertThat(fit.largestError(points)).isLessThan(1e-6);
    }

    @Test
    void weighsSmallAmountsOfWorkAsMuchAsLargeOnes() {
        var points = List.of(new Point(0, 1), new Point(1, 2), new Point(1_000, 1_200));

        assertThat(CostFit.of(points).fixed()).isBetween(0.8, 1.2);
    }

    @Test
    void rejectsPointsOfOneAmount() {
        assertThatThrownBy(() -> CostFit.of(List.of(new Point(5, 1))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void showsTheFitsOfProgramsWithThreeSizes() throws Exception {
        var measured = new ArrayList<Measured>();
        for (int vectors : new int[] {100, 1_000, 10_000}) {
            measured.add(of("Crabro", vectors, 0.1 + vectors / 1e5));
            measured.add(of("slow", vectors, 1 + vectors / 1e3));
        }
        measured.add(of("small", 100, 1));

        var scaling = new Scaling(measured);

        assertThat(scaling.lines())
                .endsWith("| Crabro | 0.10 | 0.0100 | 0 % |", "| slow | 1.00 | 1.0000 | 0 % |");
        assertThat(
                        DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(new InputSource(new StringReader(scaling.svg())))
                                .getElementsByTagName("circle")
                                .getLength())
                .isEqualTo(6);
    }

    private static Measured of(String program, int vectors, double cpuMillis) {
        return new Measured(
                "nearest of %,d vectors".formatted(vectors),
                program,
                new Measured.Rate(1, "queries/s"),
                Optional.empty(),
                new Measured.Cost(
                        Optional.of(cpuMillis),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                Optional.empty());
    }
}
