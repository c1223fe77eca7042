package org.crabro.content.storage.index;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.crabro.document.predicate.PredicateReader;

/** The attributes of a query for predicates, as terms of an index. For one thread. */
public final class QueryAttributes {
    /** Every number. */
    private static final int NO_EDGE = -1;

    private final Set<Lookup> lookups = new LinkedHashSet<>();
    private boolean areIndexed = true;

    /**
     * A term to look up.
     *
     * @param inBlock the number that an edge must include; {@value #NO_EDGE} for other terms
     */
    record Lookup(BytesRef term, int inBlock) {
        boolean isEdge() {
            return inBlock != NO_EDGE;
        }
    }

    /** No attributes. */
    public QueryAttributes() {}

    /** Adds an attribute with a value. It may have others. */
    public void addValue(String name, String value) {
        BytesRefBuilder term = term(PredicateTerm.VALUE, name);
        term.append(PredicateReader.SEPARATOR);
        append(value, term);
        add(term, NO_EDGE);
    }

    /** Adds an attribute with a number. It may have others. */
    public void addNumber(String name, long number) {
        NumberDivision.ofNumber(
                number,
                new NumberDivision.Parts() {
                    @Override
                    public void edge(boolean isNegative, long block, int first, int last) {
                        BytesRefBuilder term = term(PredicateTerm.EDGE, name);
                        appendNumber(isNegative, block, term);
                        add(term, first);
                    }

                    @Override
                    public void block(boolean isNegative, int level, long block) {
                        BytesRefBuilder term = term(PredicateTerm.BLOCK, name);
                        appendNumber(isNegative, block, term);
                        term.append((byte) level);
                        add(term, NO_EDGE);
                    }

                    @Override
                    public void beyond(boolean isNegative, int level) {
                        BytesRefBuilder term = term(PredicateTerm.BEYOND, name);
                        appendSign(isNegative, term);
                        term.append((byte) level);
                        add(term, NO_EDGE);
                    }
                });
    }

    /** Returns whether the index knows all terms, as none is too long. */
    public boolean areIndexed() {
        return areIndexed;
    }

    Set<Lookup> lookups() {
        return lookups;
    }

    private void add(BytesRefBuilder term, int inBlock) {
        areIndexed &= term.length() < SectionIndex.TERM_BYTES_MAX;
        lookups.add(new Lookup(term.toBytesRef(), inBlock));
    }

    private static BytesRefBuilder term(PredicateTerm kind, String name) {
        var term = new BytesRefBuilder();
        term.append(kind.kind());
        append(name, term);
        return term;
    }

    private static void append(String text, BytesRefBuilder to) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        to.append(utf8, 0, utf8.length);
    }

    private static void appendSign(boolean isNegative, BytesRefBuilder to) {
        to.append(PredicateReader.SEPARATOR);
        to.append((byte) (isNegative ? '-' : '+'));
    }

    private static void appendNumber(boolean isNegative, long number, BytesRefBuilder to) {
        appendSign(isNegative, to);
        for (int shift = 56; shift >= 0; shift -= 8) {
            to.append((byte) (number >>> shift));
        }
    }
}
