package org.crabro.container.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Optional;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.SortKey.Missing;
import org.crabro.protocol.search.SortKey.Several;
import org.crabro.protocol.search.TextOrder;
import org.junit.jupiter.api.Test;

class SortingParserTest {
    @Test
    void readsEveryKindOfKey() {
        List<SortKey> keys =
                SortingParser.parse(
                        "-year +a.b title -[rank] [relevance] [docid] RAW(name)"
                                + " -missing(lowercase(name), as, \"x y\") missing(n,last)"
                                + " +missing(n,first) -UCA(t, sv, Tertiary) uca(t)"
                                + " missing(uca(t,de),first) SUM(n) -min(missing(n,first))"
                                + " missing(max(n), last)");

        assertThat(keys)
                .containsExactly(
                        new SortKey.FieldValueOf("year", false),
                        new SortKey.FieldValueOf("a.b", true),
                        new SortKey.FieldValueOf("title", true),
                        new SortKey.Relevance(false),
                        new SortKey.Relevance(false),
                        new SortKey.DocumentIds(true),
                        new SortKey.FieldValueOf("name", true).with(new TextOrder.Raw()),
                        new SortKey.FieldValueOf("name", false)
                                .with(new TextOrder.LowerCase())
                                .with(new Missing.As("x y")),
                        new SortKey.FieldValueOf("n", true).with(new Missing.Last()),
                        new SortKey.FieldValueOf("n", true).with(new Missing.First()),
                        new SortKey.FieldValueOf("t", false)
                                .with(
                                        new TextOrder.Collated(
                                                Optional.of("sv"),
                                                Optional.of(TextOrder.Strength.TERTIARY))),
                        new SortKey.FieldValueOf("t", true)
                                .with(new TextOrder.Collated(Optional.empty(), Optional.empty())),
                        new SortKey.FieldValueOf("t", true)
                                .with(new TextOrder.Collated(Optional.of("de"), Optional.empty()))
                                .with(new Missing.First()),
                        new SortKey.FieldValueOf("n", true).with(Several.SUM),
                        new SortKey.FieldValueOf("n", false)
                                .with(new Missing.First())
                                .with(Several.LEAST),
                        new SortKey.FieldValueOf("n", true)
                                .with(new Missing.Last())
                                .with(Several.LARGEST));
    }

    @Test
    void refusesFunctionsThatAreNestedTooDeep() {
        String sixteen = "raw(".repeat(16) + "name" + ")".repeat(16);

        assertThat(SortingParser.parse(sixteen)).hasSize(1);
        for (int depth : new int[] {17, 60_000}) {
            String deep = "raw(".repeat(depth) + "name" + ")".repeat(depth);
            assertThatExceptionOfType(IllegalQueryException.class)
                    .as("%d deep", depth)
                    .isThrownBy(() -> SortingParser.parse(deep))
                    .withMessageContaining("functions are nested deeper than 16");
        }
    }
}
