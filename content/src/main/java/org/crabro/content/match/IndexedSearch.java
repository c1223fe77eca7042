package org.crabro.content.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.util.FixedBitSet;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.config.schema.MatchMode.Unit;
import org.crabro.content.block.TypedColumns;
import org.crabro.content.match.text.StemRule;
import org.crabro.content.match.text.TextPattern;
import org.crabro.content.match.text.TextPredicate;
import org.crabro.content.match.text.TextScan;
import org.crabro.content.match.text.TokenMatcher;
import org.crabro.content.match.text.WordRule;
import org.crabro.content.neighbors.GraphTuning;
import org.crabro.content.neighbors.StoredGraph;
import org.crabro.content.query.QueryFields;
import org.crabro.content.query.WorkMeter;
import org.crabro.content.read.RowFinder;
import org.crabro.content.sidecar.FoundRows;
import org.crabro.content.sidecar.SectionIndex;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.text.TextAnalysis;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows that a {@link Matcher} may match in the indexes of sections. A condition that no
 * index answers is left to the scan of the rows that the others find. For one thread.
 */
public final class IndexedSearch implements RowFinder {
    /** A condition on more numbers than this is left to the scan. */
    private static final int NUMBERS_MAX = 1_024;

    private final Matcher matcher;
    private final List<Field> fields;
    private final List<Boolean> areParts;
    private final boolean leavesOut;
    private final boolean countsOnly;
    private final Graphs graphs;
    private final WorkMeter work;
    private int sections;
    private int answered;
    private int graphsSearched;
    private long leftOut;
    private long counted;

    /**
     * @param fields the fields that the matcher reads
     * @param leavesOut whether blocks without a match are left out, so that nothing counts their
     *     words or groups their rows
     * @param countsOnly whether only the number of matches counts: then blocks whose matches are
     *     known are left out too
     * @param graphs how graphs of neighbors are used
     * @param work counts the comparisons of words and vectors
     */
    public IndexedSearch(
            Matcher matcher,
            QueryFields fields,
            boolean leavesOut,
            boolean countsOnly,
            Graphs graphs,
            WorkMeter work) {
        this.matcher = matcher;
        this.fields = fields.all();
        this.areParts = fields.parts().stream().map(Optional::isPresent).toList();
        this.leavesOut = leavesOut;
        this.countsOnly = leavesOut && countsOnly;
        this.graphs = graphs;
        this.work = work;
    }

    /**
     * How a search uses graphs of neighbors.
     *
     * @param areUsed false if rows are excluded that no view knows
     */
    public record Graphs(boolean areUsed, GraphTuning tuning) {}

    /**
     * The rows that a condition may match.
     *
     * @param bits null for all rows
     * @param isExact whether all of them match
     */
    private record Candidates(@Nullable FixedBitSet bits, boolean isExact) {
        /** All rows may match, and the index does not know which do. */
        static final Candidates UNKNOWN = new Candidates(null, false);

        static final Candidates ALL = new Candidates(null, true);

        Candidates inexact() {
            return new Candidates(bits, false);
        }

        Candidates copy() {
            return bits == null ? this : new Candidates(bits.clone(), isExact);
        }
    }

    @Override
    public Optional<FoundRows> find(IndexedSection section, DocumentType type) {
        sections++;
        Candidates found = new Lookup(section, type).search();
        if (found.bits() == null) {
            return Optional.empty();
        }
        answered++;
        return Optional.of(new FoundRows(found.bits(), found.isExact()));
    }

    @Override
    public boolean leavesOut() {
        return leavesOut;
    }

    @Override
    public boolean countsOnly() {
        return countsOnly;
    }

    @Override
    public void leaveOut(int live, int matching) {
        leftOut += live;
        counted += matching;
    }

    /** Returns how many of the rows that were left out match. */
    public long counted() {
        return counted;
    }

    /** Returns the number of live rows that were left out. */
    public long leftOut() {
        return leftOut;
    }

    /** Returns what the indexes did, for traces. */
    public String text() {
        String graphText =
                graphsSearched == 0 ? "" : "; %d searches of graphs".formatted(graphsSearched);
        return "indexes of %d sections, %d with candidates; %d documents left out unread%s"
                .formatted(sections, answered, leftOut, graphText);
    }

    /** Returns whether there was an index. */
    public boolean isUsed() {
        return sections > 0;
    }

    /** The search of one section. */
    private final class Lookup {
        private final IndexedSection section;
        private final DocumentType type;

        /** The rows that each nearest-neighbor search compares. */
        private final List<Candidates> compared = new ArrayList<>();

        /** Whether a condition that counts its rows is as exact as one that does not. */
        private boolean ignoresCounts;

        Lookup(IndexedSection section, DocumentType type) {
            this.section = section;
            this.type = type;
        }

        /** Returns the rows of the tree, and those that its nearest-neighbor searches compare. */
        Candidates search() {
            for (NearestSearch nearest : matcher.nearest()) {
                compared.add(compared(nearest));
            }
            Candidates all = of(matcher.root());
            for (Candidates rows : compared) {
                all = either(all, rows).inexact();
            }
            return all;
        }

        /** Returns the nearest rows by graphs; without them, those that fulfil its conditions. */
        private Candidates compared(NearestSearch nearest) {
            ignoresCounts = true;
            Candidates accepted = of(nearest.compared());
            ignoresCounts = false;
            StoredGraph graph = section.graphs().of(nearest.field()).orElse(null);
            if (graph == null
                    || !graphs.areUsed()
                    || !nearest.isApproximate()
                    || !accepted.isExact()
                    || !nearest.isOf(type)) {
                return accepted.inexact();
            }
            Optional<FixedBitSet> found =
                    graph.search(
                            nearest.graphQuery(graphs.tuning(), work),
                            accepted.bits(),
                            section.live());
            if (found.isEmpty()) {
                return accepted.inexact();
            }
            graphsSearched++;
            return new Candidates(found.get(), false);
        }

        private FixedBitSet none() {
            return new FixedBitSet(section.rows());
        }

        private SectionIndex index() {
            return section.index().orElseThrow();
        }

        private Candidates of(Filter filter) {
            return switch (filter) {
                case Filter.Everything() -> Candidates.ALL;
                case Filter.Nothing() -> new Candidates(none(), true);
                // The scan counts the rows of each condition.
                case Filter.Counted(var counted, _) ->
                        ignoresCounts ? of(counted) : of(counted).inexact();
                case Filter.Every(var parts) -> {
                    Candidates all = Candidates.ALL;
                    for (Filter part : parts) {
                        all = both(all, of(part));
                    }
                    yield all;
                }
                case Filter.Any(var parts) -> {
                    Candidates all = new Candidates(none(), true);
                    for (int i = 0; i < parts.size() && all.bits() != null; i++) {
                        all = either(all, of(parts.get(i)));
                    }
                    yield all;
                }
                case Filter.Except(var kept, var out) -> without(of(kept), of(out));
                case NumberFilter(int field, _, var range) -> numbers(field, List.of(range));
                case Filter.Text(int scanned, int pattern, _) -> {
                    TextScan scan = matcher.textScans().get(scanned);
                    yield isOwn(scan.field())
                            ? pattern(scan.name(), scan.mode(), scan.pattern(pattern))
                            : Candidates.UNKNOWN;
                }
                case Filter.Values(int field, _, var test, _) ->
                        isOwn(field) && isPlain(field) ? of(field, test) : Candidates.UNKNOWN;
                case Filter.Selected(int search, _) -> compared.get(search).copy();
            };
        }

        /** Returns whether the rows were written with a field of its current type. */
        private boolean isOwn(int field) {
            return section.index().isPresent()
                    && !areParts.get(field)
                    && TypedColumns.isWrittenAs(type, fields.get(field));
        }

        /** Returns whether values of a field are simple, or collections of simple ones. */
        private boolean isPlain(int field) {
            return switch (fields.get(field).type()) {
                case Primitive _ -> true;
                case FieldType.ArrayOf(var element) -> element instanceof Primitive;
                case FieldType.WeightedSetOf(var element) -> element instanceof Primitive;
                case FieldType.MapOf _,
                        FieldType.StructOf _,
                        FieldType.ReferenceOf _,
                        FieldType.TensorOf _ ->
                        false;
            };
        }

        /** Returns the rows of {@code kept} that {@code out} does not match for certain. */
        private Candidates without(Candidates kept, Candidates out) {
            if (!out.isExact()) {
                return kept.inexact();
            }
            FixedBitSet bits = kept.bits() == null ? none() : kept.bits();
            if (out.bits() == null) {
                return new Candidates(none(), true);
            }
            if (kept.bits() == null) {
                bits.set(0, bits.length());
            }
            bits.andNot(out.bits());
            return new Candidates(bits, kept.isExact());
        }

        private Candidates of(int field, ValuePredicate test) {
            return switch (test) {
                case ValuePredicate.AnyElement(var element, var elements) -> {
                    Candidates all = of(field, element);
                    yield elements.isEmpty() ? all : all.inexact();
                }
                case ValuePredicate.OfElement(_, var inner) -> of(field, inner);
                case ValuePredicate.InRange(var range) -> numbers(field, List.of(range));
                // The scan tells -0 from 0.
                case ValuePredicate.Among(var keys) -> numbers(field, keys.ranges()).inexact();
                case ValuePredicate.Any(var parts) -> {
                    Candidates all = new Candidates(none(), true);
                    for (int i = 0; i < parts.size() && all.bits() != null; i++) {
                        all = either(all, of(field, parts.get(i)));
                    }
                    yield all;
                }
                // Different elements may match the parts.
                case ValuePredicate.Every(var parts) -> {
                    Candidates all = Candidates.ALL;
                    for (ValuePredicate part : parts) {
                        all = both(all, of(field, part));
                    }
                    yield parts.size() == 1 ? all : all.inexact();
                }
                case ValuePredicate.Except(var kept, _) -> of(field, kept).inexact();
                case ValuePredicate.Text(int predicate) -> text(field, predicate);
                case ValuePredicate.Product(var keys, int predicate, double threshold) -> {
                    Candidates all =
                            predicate == ValuePredicate.Product.NO_PREDICATE
                                    ? numbers(field, keys.ranges()).inexact()
                                    : text(field, predicate);
                    yield threshold <= 0 ? all : all.inexact();
                }
                case ValuePredicate.NearElements _,
                        ValuePredicate.Place _,
                        ValuePredicate.Member _ ->
                        Candidates.UNKNOWN;
            };
        }

        private Candidates numbers(int field, List<NumberRange> ranges) {
            String name = fields.get(field).name();
            if (!isOwn(field) || !index().hasNumbers(name) || ranges.size() > NUMBERS_MAX) {
                return Candidates.UNKNOWN;
            }
            FixedBitSet rows = none();
            for (NumberRange range : ranges) {
                switch (element(fields.get(field).type())) {
                    case BOOL, INT, LONG, BYTE ->
                            index().addWholes(name, range.lowWhole(), range.highWhole(), rows);
                    case FLOAT, FLOAT16 ->
                            index().addFloats(name, range.lowFloat(), range.highFloat(), rows);
                    case DOUBLE ->
                            index().addDoubles(name, range.lowDouble(), range.highDouble(), rows);
                    case STRING, URI, RAW, PREDICATE -> {
                        // Such a value is no number.
                    }
                }
            }
            return new Candidates(rows, true);
        }

        private static Primitive element(FieldType of) {
            return switch (of) {
                case Primitive primitive -> primitive;
                case FieldType.ArrayOf(Primitive element) -> element;
                case FieldType.WeightedSetOf(Primitive element) -> element;
                case FieldType.ArrayOf _,
                        FieldType.WeightedSetOf _,
                        FieldType.MapOf _,
                        FieldType.StructOf _,
                        FieldType.ReferenceOf _,
                        FieldType.TensorOf _ ->
                        throw new IllegalArgumentException("no numbers: " + of);
            };
        }

        private Candidates text(int field, int predicate) {
            String name = fields.get(field).name();
            return switch (matcher.textPredicates().get(predicate)) {
                case TextPredicate.OfPattern(var mode, var pattern)
                        when mode.unit() == Unit.VALUE ->
                        pattern(name, mode, pattern);
                case TextPredicate.OfKeys(var mode, var keys)
                        when mode.unit() == Unit.VALUE && hasValues(name, mode) -> {
                    FixedBitSet rows = none();
                    boolean isKnown = true;
                    for (byte[] key : keys.texts()) {
                        isKnown &= key.length < SectionIndex.TERM_BYTES_MAX;
                        index().addValue(name, key, rows);
                    }
                    yield isKnown ? new Candidates(rows, true) : Candidates.UNKNOWN;
                }
                case TextPredicate.OfPattern _,
                        TextPredicate.OfKeys _,
                        TextPredicate.OfRegex _,
                        TextPredicate.OfFuzzy _,
                        TextPredicate.OfNear _,
                        TextPredicate.OfPredicate _ ->
                        Candidates.UNKNOWN;
            };
        }

        private boolean hasValues(String name, MatchMode mode) {
            return mode.maxLength() == MatchMode.LENGTH_MAX
                    && index().hasValues(name, TextAnalysis.fingerprint(mode.analysis()));
        }

        private Candidates pattern(String name, MatchMode mode, TextPattern pattern) {
            return switch (pattern) {
                case TextPattern.Tokens(var words) when hasWords(name, mode) -> words(name, words);
                case TextPattern.Whole(var text, var affix) when hasValues(name, mode) ->
                        value(name, bytes(text), affix);
                case TextPattern.Tokens _,
                        TextPattern.Whole _,
                        TextPattern.Grams _,
                        TextPattern.Within _ ->
                        Candidates.UNKNOWN;
            };
        }

        private boolean hasWords(String name, MatchMode mode) {
            return mode.maxLength() == MatchMode.LENGTH_MAX
                    && index().hasWords(name, TextAnalysis.fingerprint(mode.analysis()));
        }

        private Candidates value(String name, byte[] text, Affix affix) {
            if (text.length >= SectionIndex.TERM_BYTES_MAX) {
                return Candidates.UNKNOWN;
            }
            FixedBitSet rows = none();
            switch (affix) {
                case WHOLE -> index().addValue(name, text, rows);
                case PREFIX -> index().addValues(name, text, rows);
                case SUFFIX, SUBSTRING -> {
                    return Candidates.UNKNOWN;
                }
            }
            return new Candidates(rows, true);
        }

        /** A phrase occurs only in rows with all its words. */
        private Candidates words(String name, List<TextPattern.Word> words) {
            Candidates all = Candidates.ALL;
            for (TextPattern.Word word : words) {
                all = both(all, word(name, word));
            }
            return words.size() == 1 ? all : all.inexact();
        }

        private Candidates word(String name, TextPattern.Word word) {
            byte[] text = bytes(word.text());
            WordRule rule = word.forms().orElse(null);
            boolean isKnown =
                    text.length < SectionIndex.TERM_BYTES_MAX
                            && switch (word.affix()) {
                                case WHOLE -> rule == null || rule instanceof StemRule;
                                case PREFIX -> rule == null;
                                case SUFFIX, SUBSTRING -> false;
                            };
            if (!isKnown) {
                return Candidates.UNKNOWN;
            }
            FixedBitSet rows = none();
            if (rule != null) {
                TokenMatcher forms = rule.test(text, work);
                index().addWords(
                                name,
                                forms.beginning(),
                                (token, length) -> {
                                    work.spend(length);
                                    return forms.fits(token, length);
                                },
                                rows);
            } else if (word.affix() == Affix.PREFIX) {
                index().addWords(name, text, (_, _) -> true, rows);
            } else {
                index().addWord(name, text, rows);
            }
            return new Candidates(rows, true);
        }
    }

    /** Returns the common rows. The rows of both are not used any more. */
    private static Candidates both(Candidates one, Candidates other) {
        FixedBitSet bits = one.bits() == null ? other.bits() : one.bits();
        if (one.bits() != null && other.bits() != null) {
            one.bits().and(other.bits());
        }
        return new Candidates(bits, one.isExact() && other.isExact());
    }

    /** Returns the rows of either. The rows of both are not used any more. */
    private static Candidates either(Candidates one, Candidates other) {
        if (one.bits() == null || other.bits() == null) {
            boolean isEvery =
                    (one.bits() == null && one.isExact())
                            || (other.bits() == null && other.isExact());
            return isEvery ? Candidates.ALL : Candidates.UNKNOWN;
        }
        one.bits().or(other.bits());
        return new Candidates(one.bits(), one.isExact() && other.isExact());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
