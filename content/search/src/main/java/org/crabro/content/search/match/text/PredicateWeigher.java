package org.crabro.content.search.match.text;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.crabro.document.predicate.PredicateReader;
import org.crabro.protocol.query.QueryNode;

/** Evaluates predicates for the attributes of a query. For one thread. */
final class PredicateWeigher implements TextMatcher.Weigher, PredicateReader.Attributes {
    private static final char SEPARATOR = PredicateReader.SEPARATOR;

    private final PredicateReader reader = new PredicateReader();
    private final TextKeys terms;

    /** By name, the index of its numbers in {@link #numbers}. */
    private final TextKeys names;

    private final long[][] numbers;
    private byte[] bytes = {};

    PredicateWeigher(TextPredicate.OfPredicate attributes) {
        Map<String, Integer> keys = new LinkedHashMap<>();
        for (QueryNode.AttributeValue each : attributes.values()) {
            keys.put(each.name() + SEPARATOR + each.value(), 1);
        }
        this.terms = new TextKeys(keys);
        Map<String, List<Long>> byName = new LinkedHashMap<>();
        for (QueryNode.AttributeNumber each : attributes.numbers()) {
            byName.computeIfAbsent(each.name(), _ -> new ArrayList<>()).add(each.number());
        }
        Map<String, Integer> indexes = new LinkedHashMap<>();
        byName.keySet().forEach(name -> indexes.put(name, indexes.size()));
        this.names = new TextKeys(indexes);
        this.numbers =
                byName.values().stream()
                        .map(all -> all.stream().mapToLong(Long::longValue).toArray())
                        .toArray(long[][]::new);
    }

    @Override
    public long weight(MemorySegment text, long offset, int length) {
        if (bytes.length < length) {
            bytes = new byte[length + length / 2];
        }
        MemorySegment.copy(text, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return reader.test(bytes, length, this) ? 1 : TextKeys.NONE;
    }

    @Override
    public boolean has(byte[] term, int length) {
        return terms.weight(term, length) != TextKeys.NONE;
    }

    @Override
    public boolean isWithin(byte[] name, int length, long low, long high) {
        long index = names.weight(name, length);
        if (index == TextKeys.NONE) {
            return false;
        }
        for (long number : numbers[(int) index]) {
            if (number >= low && number <= high) {
                return true;
            }
        }
        return false;
    }
}
