package org.crabro.content.search.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.config.schema.MatchMode.Unit;
import org.crabro.content.search.match.text.StemRule;
import org.crabro.content.search.match.text.TextPattern;
import org.crabro.content.search.match.text.TextPredicate;
import org.crabro.content.search.match.text.TextScan;
import org.crabro.content.search.match.text.TokenMatcher;
import org.crabro.content.search.match.text.WordRule;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.storage.block.TypedColumns;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.graph.GraphTuning;
import org.crabro.content.storage.graph.StoredGraph;
import org.crabro.content.storage.index.IndexedWord;
import org.crabro.content.storage.index.LiveRows;
import org.crabro.content.storage.index.MatchingRows;
import org.crabro.content.storage.index.NumberRows;
import org.crabro.content.storage.index.QueryAttributes;
import org.crabro.content.storage.index.RowSet;
import org.crabro.content.storage.index.SectionIndex;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.IndexedSection;
import org.crabro.content.storage.read.RowFinder;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.protocol.search.WordCount;
import org.crabro.text.TextAnalysis;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows that a {@link Matcher} may match in the indexes of sections. A condition that no
 * index answers is left to the scan of the rows that the others find. For one thread.
 *
 * <p>One recursion over the conditions searches all sections, with a method for each kind of
 * condition.
 */
public final class IndexedSearch implements RowFinder {
    /** A condition on more numbers than this is left to the scan. */
    private static final int NUMBERS_MAX = 1_024;

    /** Predicates are left to the scan if the query has more attributes than this. */
    private static final int ATTRIBUTES_MAX = 1_024;

    private final Matcher matcher;
    private final List<Field> fields;
    private final List<Boolean> areParts;
    private final IndexUse use;
    private final Graphs graphs;
    private final WorkMeter work;

    /** Empty unless words are counted. */
    private final Optional<NearWords> near;

    /** By term, the number of documents that indexes have counted. */
    private final long[] documents;

    private final List<TakenSection> taken = new ArrayList<>();
    private final List<Waiting> waiting = new ArrayList<>();
    private Optional<BestMatches> limited = Optional.empty();
    private int sections;
    private int answered;
    private int graphsSearched;
    private long leftOut;

    /**
     * @param fields the fields that the matcher reads
     * @param use what the search needs
     * @param graphs how graphs of neighbors are used
     * @param work counts the comparisons of words and vectors
     */
    public IndexedSearch(
            Matcher matcher, QueryFields fields, IndexUse use, Graphs graphs, WorkMeter work) {
        this.matcher = matcher;
        this.fields = fields.all();
        this.areParts = fields.parts().stream().map(Optional::isPresent).toList();
        this.use = use;
        this.graphs = graphs;
        this.work = work;
        this.near =
                use.countsWords() ? Optional.of(new NearWords(matcher, work)) : Optional.empty();
        this.documents = new long[use.countsWords() ? matcher.termCount() : 0];
    }

    /**
     * How a search uses graphs of neighbors.
     *
     * @param areUsed false if rows are excluded that no view knows
     */
    public record Graphs(boolean areUsed, GraphTuning tuning) {}

    /**
     * A section whose matching rows are known from its index. A scan does not read it.
     *
     * @param rows those that match; dead ones may be among them
     * @param words of the query, in the section
     */
    public record TakenSection(
            IndexedSection section, LiveRows live, RowSet rows, SectionWords words) {}

    /**
     * A section whose matches may be limited, when those of all sections are known.
     *
     * @param matches the rows that match
     * @param candidates the rows that a scan reads
     */
    private record Waiting(TakenSection matches, Candidates candidates) {}

    /**
     * The rows that a condition may match.
     *
     * @param set null for all rows
     * @param isExact whether all of them match
     */
    private record Candidates(@Nullable RowSet set, boolean isExact) {
        /** All rows may match, and the index does not know which do. */
        static final Candidates UNKNOWN = new Candidates(null, false);

        static final Candidates ALL = new Candidates(null, true);

        static Candidates exact(RowSet rows) {
            return new Candidates(rows, true);
        }

        RowSet rows(int rowCount) {
            return set == null ? RowSet.all(rowCount) : set;
        }

        Candidates inexact() {
            return new Candidates(set, false);
        }

        /** Returns the same rows, to be changed apart from these. */
        Candidates copy() {
            return set == null ? this : new Candidates(set.copy(), isExact);
        }
    }

    @Override
    public Answer find(IndexedSection section) {
        sections++;
        var lookup = new Lookup(section);
        SectionIndex index = section.index().orElse(null);
        if (index == null) {
            return visited(lookup.search(), false);
        }
        var words = new SectionWords(matcher, index, lookup);
        if (use.countsWords()) {
            return countsWords(lookup, words) ? new Answer.Taken() : new Answer.Every();
        }
        Candidates candidates = lookup.search();
        LiveRows live = section.live().orElse(null);
        if (live == null) {
            return visited(candidates, false);
        }
        Optional<TakenSection> matches = limitable(lookup, candidates, live, words);
        if (matches.isPresent()) {
            waiting.add(new Waiting(matches.get(), candidates));
            return new Answer.Taken();
        }
        return answer(
                candidates,
                new TakenSection(section, live, candidates.rows(index.rowCount()), words));
    }

    /** Counts the words of a section; returns false if its index does not have all of them. */
    private boolean countsWords(Lookup lookup, SectionWords words) {
        IndexedSection section = lookup.section;
        LiveRows live = section.live().orElse(null);
        NearWords nearWords = near.orElseThrow();
        if (live == null || !nearWords.isIn(words)) {
            return false;
        }
        var counts = new long[documents.length];
        for (int term = 0; term < counts.length; term++) {
            Candidates rows = lookup.of(matcher.anyOf(term));
            if (rows.set() == null || !rows.isExact()) {
                return false;
            }
            counts[term] = rows.set().count(live);
        }
        for (int term = 0; term < counts.length; term++) {
            documents[term] += counts[term];
        }
        nearWords.add(lookup.index(), live, term -> documents[term] <= WordCount.LITTLE);
        taken.add(new TakenSection(section, live, RowSet.all(section.rowCount()), words));
        answered++;
        return true;
    }

    /** Returns the counts of words in the sections that indexes have counted, by term. */
    public List<WordCount> words() {
        var counts = new ArrayList<WordCount>();
        for (int term = 0; term < documents.length; term++) {
            counts.add(new WordCount(documents[term], near.orElseThrow().words(term)));
        }
        return counts;
    }

    /**
     * @param candidates the rows that a scan reads
     * @param matches of the section, if all of them match
     */
    private Answer answer(Candidates candidates, TakenSection matches) {
        SectionWords words = matches.words();
        boolean isTaken = candidates.isExact() && (use.countsOnly() || use.scores(words));
        if (candidates.set() == null && !isTaken) {
            // If all blocks are read, their dictionaries count the words.
            return visited(candidates, false);
        }
        boolean isCounted = use.count(words, matches.live());
        if (isTaken && isCounted) {
            taken.add(matches);
            answered++;
            return new Answer.Taken();
        }
        return visited(candidates, isCounted);
    }

    /**
     * Returns the matches of a section; empty if they are not limited.
     *
     * @param candidates the rows that a scan would read
     */
    private Optional<TakenSection> limitable(
            Lookup lookup, Candidates candidates, LiveRows live, SectionWords words) {
        IndexedSection section = lookup.section;
        MatchPhaseLimit limit = use.limit().orElse(null);
        if (limit == null
                || !lookup.index().hasNumbers(limit.attribute().name())
                || !TypedColumns.isWrittenAs(section.type(), limit.attribute())
                || limit.diversity()
                        .filter(of -> !TypedColumns.isWrittenAs(section.type(), of.attribute()))
                        .isPresent()) {
            return Optional.empty();
        }
        // If a scan counts the rows of each condition, it has to evaluate them.
        Candidates matches = candidates.isExact() ? candidates : lookup.matches();
        return matches.isExact()
                ? Optional.of(
                        new TakenSection(section, live, matches.rows(section.rowCount()), words))
                : Optional.empty();
    }

    /**
     * Limits the matches of the sections that were left for this, and adds slices of those that a
     * scan reads. To be called once, when all sections were found.
     */
    public void finish(List<BlockSlice> into) {
        if (waiting.isEmpty()) {
            return;
        }
        List<TakenSection> all = waiting.stream().map(Waiting::matches).toList();
        limited = BestMatches.find(use.limit().orElseThrow(), all, work);
        for (int i = 0; i < waiting.size(); i++) {
            TakenSection matches = waiting.get(i).matches();
            Candidates candidates = waiting.get(i).candidates();
            if (limited.isPresent()) {
                candidates = both(candidates, Candidates.exact(limited.get().rows(i)));
            }
            IndexedSection section = matches.section();
            RowSet rows = candidates.rows(section.rowCount());
            Answer answer =
                    answer(
                            candidates,
                            new TakenSection(section, matches.live(), rows, matches.words()));
            section.addSlices(answer, into);
        }
    }

    /** Returns the number of live rows that a limit of matches leaves out. */
    public long leftOutByLimit() {
        return limited.map(BestMatches::leftOut).orElse(0L);
    }

    private Answer visited(Candidates candidates, boolean isCounted) {
        RowSet set = candidates.set();
        if (set == null) {
            return new Answer.Every();
        }
        answered++;
        return new Answer.Found(
                MatchingRows.of(set, candidates.isExact(), isCounted),
                isCounted && use.leavesOut());
    }

    @Override
    public void skip(int live) {
        leftOut += live;
    }

    /** Returns the number of live rows in blocks that were left out, as they have no match. */
    public long leftOut() {
        return leftOut;
    }

    /** Returns the sections whose matching rows are known from their indexes. */
    public List<TakenSection> taken() {
        return taken;
    }

    /** Returns what the indexes did, for traces. */
    public String text() {
        long decided = taken.stream().mapToLong(each -> each.live().count()).sum();
        String graphText =
                graphsSearched == 0 ? "" : "; %d searches of graphs".formatted(graphsSearched);
        String limitText = limited.map(each -> "; " + each.text()).orElse("");
        return "indexes of %d sections, %d with candidates; %d documents left out unread%s%s"
                .formatted(sections, answered, leftOut + decided, graphText, limitText);
    }

    /** Returns whether there was an index. */
    public boolean isUsed() {
        return sections > 0;
    }

    /** The search of one section. */
    final class Lookup {
        private final IndexedSection section;
        private final DocumentType type;
        private final Map<FieldWords, Optional<IndexedWord>> words = new HashMap<>();

        /** The rows that each nearest-neighbor search compares. */
        private final List<Candidates> compared = new ArrayList<>();

        /** Whether a condition that counts its rows is as exact as one that does not. */
        private boolean ignoresCounts;

        private record FieldWords(String field, List<TextPattern.Word> words) {}

        Lookup(IndexedSection section) {
            this.section = section;
            this.type = section.type();
        }

        /** Returns the rows of the tree, and those that its nearest-neighbor searches compare. */
        private Candidates search() {
            for (NearestSearch nearest : matcher.nearest()) {
                compared.add(compared(nearest));
            }
            Candidates all = of(matcher.root());
            for (Candidates rows : compared) {
                all = either(all, rows).inexact();
            }
            return all;
        }

        /** Returns the rows of the tree, also if a scan counts the rows of each condition. */
        private Candidates matches() {
            if (!compared.isEmpty()) {
                return Candidates.UNKNOWN;
            }
            ignoresCounts = true;
            Candidates all = of(matcher.root());
            ignoresCounts = false;
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
            RowSet rows = accepted.set();
            Optional<RowSet> matches =
                    graph.search(
                            nearest.graphQuery(graphs.tuning(), work), rows, section.included());
            if (matches.isEmpty()) {
                return accepted.inexact();
            }
            graphsSearched++;
            return new Candidates(matches.get(), false);
        }

        private RowSet.Builder rows() {
            return new RowSet.Builder(rowCount());
        }

        private int rowCount() {
            return section.rowCount();
        }

        private SectionIndex index() {
            return section.index().orElseThrow();
        }

        private Candidates of(Filter filter) {
            return switch (filter) {
                case Filter.Everything() -> Candidates.ALL;
                case Filter.Nothing() -> Candidates.exact(rows().build());
                // The scan counts the rows of each condition.
                case Filter.Counted(var counted, _) ->
                        ignoresCounts ? of(counted) : of(counted).inexact();
                case Filter.Every(var parts) -> few(parts).orElseGet(() -> every(parts));
                case Filter.Any(var parts) -> {
                    Candidates all =
                            parts.isEmpty()
                                    ? Candidates.exact(rows().build())
                                    : of(parts.getFirst());
                    for (int i = 1; i < parts.size() && all.set() != null; i++) {
                        all = either(all, of(parts.get(i)));
                    }
                    yield all;
                }
                case Filter.Except(var included, var out) -> without(of(included), of(out));
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

        private Candidates every(List<Filter> parts) {
            Candidates all = Candidates.ALL;
            for (Filter part : parts) {
                all = both(all, of(part));
            }
            return all;
        }

        /**
         * Returns the rows of a nearest-neighbor search among conditions that all must hold; empty
         * if there are many, or no such search. A scan checks so few rows in less time than an
         * index finds all rows that fulfil the other conditions.
         */
        private Optional<Candidates> few(List<Filter> parts) {
            for (Filter part : parts) {
                if (part instanceof Filter.Selected(int search, _)) {
                    RowSet rows = compared.get(search).set();
                    if (rows != null && rows.isFew()) {
                        return Optional.of(compared.get(search).copy());
                    }
                }
            }
            return Optional.empty();
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

        /** Returns the rows of {@code included} that {@code out} does not match for certain. */
        private Candidates without(Candidates included, Candidates out) {
            if (!out.isExact()) {
                return included.inexact();
            }
            if (out.set() == null) {
                return Candidates.exact(rows().build());
            }
            RowSet all = included.set() == null ? RowSet.all(section.rowCount()) : included.set();
            return new Candidates(all.andNot(out.set()), included.isExact());
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
                    Candidates all = Candidates.exact(rows().build());
                    for (int i = 0; i < parts.size() && all.set() != null; i++) {
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
                case ValuePredicate.Except(var included, _) -> of(field, included).inexact();
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
            if (ranges.size() == 1) {
                RowSet rows = RowSet.ofNumbers(numbers(field, ranges.getFirst()), rowCount());
                return new Candidates(rows, true);
            }
            RowSet.Builder rows = rows();
            for (NumberRange range : ranges) {
                rows.add(numbers(field, range));
            }
            return Candidates.exact(rows.build());
        }

        private NumberRows numbers(int field, NumberRange range) {
            String name = fields.get(field).name();
            return switch (element(fields.get(field).type())) {
                case BOOL, INT, LONG, BYTE ->
                        index().wholes(name, range.lowWhole(), range.highWhole());
                case FLOAT, FLOAT16 -> index().floats(name, range.lowFloat(), range.highFloat());
                case DOUBLE -> index().doubles(name, range.lowDouble(), range.highDouble());
                // Such a value is no number.
                case STRING, URI, RAW, PREDICATE -> NumberRows.NONE;
            };
        }

        private static Primitive element(FieldType of) {
            return switch (of) {
                case Primitive primitive -> primitive;
                case FieldType.ArrayOf(Primitive element) -> element;
                case FieldType.WeightedSetOf(Primitive element) -> element;
                default -> throw new IllegalArgumentException("no numbers: " + of);
            };
        }

        private Candidates text(int field, int predicate) {
            String name = fields.get(field).name();
            return switch (matcher.textPredicates().get(predicate)) {
                case TextPredicate.OfPattern(var mode, var pattern) ->
                        mode.unit() == Unit.VALUE
                                ? pattern(name, mode, pattern)
                                : Candidates.UNKNOWN;
                case TextPredicate.OfKeys(var mode, var keys)
                        when mode.unit() == Unit.VALUE && hasValues(name, mode) -> {
                    RowSet.Builder rows = rows();
                    boolean isIndexed = true;
                    for (byte[] key : keys.texts()) {
                        isIndexed &= key.length < SectionIndex.TERM_BYTES_MAX;
                        index().addValue(name, key, rows);
                    }
                    yield isIndexed ? Candidates.exact(rows.build()) : Candidates.UNKNOWN;
                }
                case TextPredicate.OfPredicate attributes -> predicates(name, attributes);
                case TextPredicate.OfKeys _,
                        TextPredicate.OfRegex _,
                        TextPredicate.OfFuzzy _,
                        TextPredicate.OfNear _ ->
                        Candidates.UNKNOWN;
            };
        }

        private Candidates predicates(String name, TextPredicate.OfPredicate query) {
            if (!index().hasPredicates(name)
                    || query.values().size() + query.numbers().size() > ATTRIBUTES_MAX) {
                return Candidates.UNKNOWN;
            }
            var attributes = new QueryAttributes();
            query.values().forEach(each -> attributes.addValue(each.name(), each.value()));
            query.numbers().forEach(each -> attributes.addNumber(each.name(), each.number()));
            if (!attributes.areIndexed()) {
                return Candidates.UNKNOWN;
            }
            RowSet.Builder rows = rows();
            boolean isExact = index().addPredicates(name, attributes, work, rows);
            Candidates candidates = Candidates.exact(rows.build());
            return isExact ? candidates : candidates.inexact();
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
            RowSet.Builder rows = rows();
            switch (affix) {
                case WHOLE -> index().addValue(name, text, rows);
                case PREFIX -> index().addValues(name, text, rows);
                case SUFFIX, SUBSTRING -> {
                    return Candidates.UNKNOWN;
                }
            }
            return Candidates.exact(rows.build());
        }

        private Candidates words(String name, List<TextPattern.Word> words) {
            Optional<IndexedWord> indexedWord = indexed(name, words);
            if (indexedWord.isPresent()) {
                return new Candidates(RowSet.ofWord(indexedWord.get(), section.rowCount()), true);
            }
            // A phrase occurs only in rows with all its words.
            Candidates all = Candidates.ALL;
            for (TextPattern.Word word : words) {
                all = both(all, word(name, word));
            }
            return words.size() == 1 ? all : all.inexact();
        }

        private Candidates word(String name, TextPattern.Word word) {
            if (!isKnown(word)) {
                return Candidates.UNKNOWN;
            }
            return indexed(name, List.of(word))
                    .map(indexedWord ->
                            new Candidates(RowSet.ofWord(indexedWord, section.rowCount()), true))
                    .orElseGet(() -> {
                        RowSet.Builder rows = rows();
                        index().addWords(name, beginning(word), test(word), rows);
                        return Candidates.exact(rows.build());
                    });
        }

        private static boolean isKnown(TextPattern.Word word) {
            WordRule rule = word.forms().orElse(null);
            return bytes(word.text()).length < SectionIndex.TERM_BYTES_MAX
                    && switch (word.affix()) {
                        case WHOLE -> rule == null || rule instanceof StemRule;
                        case PREFIX -> rule == null;
                        case SUFFIX, SUBSTRING -> false;
                    };
        }

        /**
         * Returns a word, or a phrase of several; empty if the index does not know one of them, or
         * one has too many forms.
         */
        private Optional<IndexedWord> indexed(String name, List<TextPattern.Word> of) {
            var key = new FieldWords(name, of);
            Optional<IndexedWord> cached = words.get(key);
            if (cached == null) {
                cached = of.size() == 1 ? lookUp(name, of.getFirst()) : phrase(name, of);
                words.put(key, cached);
            }
            return cached;
        }

        private Optional<IndexedWord> lookUp(String name, TextPattern.Word word) {
            if (!isKnown(word)) {
                return Optional.empty();
            }
            return word.affix() == Affix.WHOLE && word.forms().isEmpty()
                    ? Optional.of(index().word(name, bytes(word.text())))
                    : index().word(name, beginning(word), test(word));
        }

        private Optional<IndexedWord> phrase(String name, List<TextPattern.Word> of) {
            var all = new ArrayList<IndexedWord>();
            for (TextPattern.Word word : of) {
                Optional<IndexedWord> indexedWord = indexed(name, List.of(word));
                if (indexedWord.isEmpty()) {
                    return Optional.empty();
                }
                all.add(indexedWord.get());
            }
            return Optional.of(SectionIndex.phrase(all, work));
        }

        private byte[] beginning(TextPattern.Word word) {
            byte[] text = bytes(word.text());
            return word.forms().map(rule -> rule.test(text, work).beginning()).orElse(text);
        }

        private SectionIndex.TermTest test(TextPattern.Word word) {
            if (word.forms().isEmpty()) {
                return (_, _) -> true;
            }
            TokenMatcher forms = word.forms().get().test(bytes(word.text()), work);
            return (token, length) -> {
                work.spend(length);
                return forms.fits(token, length);
            };
        }

        /** Returns whether the index has the words of a field. */
        boolean hasWords(TextScan scan) {
            return isOwn(scan.field())
                    && hasWords(scan.name(), scan.mode())
                    && isOnceEach(fields.get(scan.field()).type());
        }

        /** Returns whether a word counts as often as it occurs, which is not so with weights. */
        private static boolean isOnceEach(FieldType type) {
            return type instanceof Primitive
                    || (type instanceof FieldType.ArrayOf(var element)
                            && element instanceof Primitive);
        }

        /** Returns a word; empty if the index does not know how often it occurs in each row. */
        Optional<IndexedWord> word(TextScan scan, int pattern) {
            return hasWords(scan) && scan.pattern(pattern) instanceof TextPattern.Tokens(var words)
                    ? indexed(scan.name(), words)
                    : Optional.empty();
        }
    }

    /** Returns the common rows. The rows of both are not used any more. */
    private static Candidates both(Candidates one, Candidates other) {
        boolean isExact = one.isExact() && other.isExact();
        if (one.set() == null || other.set() == null) {
            return new Candidates(one.set() == null ? other.set() : one.set(), isExact);
        }
        return new Candidates(one.set().and(other.set()), isExact);
    }

    /** Returns the rows of either. The rows of both are not used any more. */
    private static Candidates either(Candidates one, Candidates other) {
        if (one.set() == null || other.set() == null) {
            boolean isEvery =
                    (one.set() == null && one.isExact())
                            || (other.set() == null && other.isExact());
            return isEvery ? Candidates.ALL : Candidates.UNKNOWN;
        }
        return new Candidates(one.set().or(other.set()), one.isExact() && other.isExact());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
