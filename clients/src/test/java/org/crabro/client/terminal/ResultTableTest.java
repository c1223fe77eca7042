package org.crabro.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTableTest {
    @Test
    void alignsColumns() {
        var table = new ResultTable(List.of("name", "n"));
        table.add(List.of("anna", "1"));
        table.add(List.of("bert\n  and\tco", "20"));

        assertThat(table.lines(80, false))
                .containsExactly("name         n", "anna         1", "bert and co  20");
    }

    @Test
    void cutsTheWidestColumnToTheWidthOfTheTerminal() {
        var table = new ResultTable(List.of("id", "text"));
        table.add(List.of("1", "x".repeat(100)));

        assertThat(table.lines(24, false))
                .containsExactly("id  text", "1   " + "x".repeat(19) + "…");
        assertThat(table.lines(24, false)).allMatch(line -> line.length() <= 24);
    }

    @Test
    void countsEastAsianCharactersAsTwo() {
        var table = new ResultTable(List.of("a", "b"));
        table.add(List.of("東京", "x"));
        table.add(List.of("abcd", "y"));

        assertThat(table.lines(80, false)).containsExactly("a     b", "東京  x", "abcd  y");
    }

    /** Measured from the end, this takes hours. */
    @Test
    void cutsLongTexts() {
        var table = new ResultTable(List.of("id", "text", "more"));
        table.add(List.of("1", "x".repeat(20_000_000), "東".repeat(5_000_000)));
        table.add(List.of("2", "e\u0301".repeat(5), "y"));

        assertThat(table.lines(30, false))
                .containsExactly(
                        "id  text          more",
                        "1   " + "x".repeat(11) + "…  " + "東".repeat(5) + "…",
                        "2   " + "e\u0301".repeat(5) + "         y");
    }

    @Test
    void cutsNoCharacterInTwo() {
        var table = new ResultTable(List.of("a"));
        table.add(List.of("😀".repeat(20)));

        assertThat(table.lines(9, false)).containsExactly("a", "😀😀😀😀…");
    }

    @Test
    void colorsNamesOnly() {
        var table = new ResultTable(List.of("a"));
        table.add(List.of("@|red x|@"));

        assertThat(table.lines(80, true))
                .containsExactly("\u001b[1ma\u001b[21m\u001b[0m", "@|red x|@");
    }
}
