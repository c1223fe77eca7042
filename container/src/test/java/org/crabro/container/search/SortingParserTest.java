package org.crabro.container.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.crabro.protocol.search.SortKey;
import org.crabro.protocol.search.SortKey.Missing;
import org.junit.jupiter.api.Test;

class SortingParserTest {
    @Test
    void readsEveryKindOfKey() {
        List<SortKey> keys =
                SortingParser.parse(
                        "-year +a.b title -[rank] [relevance] [docid] RAW(name)"
                                + " -missing(lowercase(name), as, \"x y\") missing(n,last)"
                                + " +missing(n,first)");

        assertThat(keys)
                .containsExactly(
                        new SortKey.FieldValueOf("year", false),
                        new SortKey.FieldValueOf("a.b", true),
                        new SortKey.FieldValueOf("title", true),
                        new SortKey.Relevance(false),
                        new SortKey.Relevance(false),
                        new SortKey.DocumentIds(true),
                        new SortKey.FieldValueOf("name", true, true, new Missing.Smallest()),
                        new SortKey.FieldValueOf("name", false, false, new Missing.As("x y")),
                        new SortKey.FieldValueOf("n", true, false, new Missing.Last()),
                        new SortKey.FieldValueOf("n", true, false, new Missing.First()));
    }
}
