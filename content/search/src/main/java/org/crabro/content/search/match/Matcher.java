package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetSettings;
import org.crabro.content.search.match.text.TextMarks;
import org.crabro.content.search.match.text.TextPattern;
import org.crabro.content.search.match.text.TextPredicate;
import org.crabro.content.search.match.text.TextScan;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.PlanCondition;
import org.crabro.protocol.search.QueryInput;

/**
 * A query tree, compiled for a schema: the conditions on rows, cheapest first, and the terms that
 * features refer to. Immutable; threads share it, each with a {@link BlockScan} of its own.
 */
public final class Matcher {
    private final Filter root;
    private final TextSearch texts;
    private final List<NearestSearch> nearest;
    private final List<QueryTerm> terms;
    private final MatchedElements elements;
    private final List<String> warnings;

    Matcher(
            Filter root,
            TextSearch texts,
            List<NearestSearch> nearest,
            List<QueryTerm> terms,
            MatchedElements elements,
            List<String> warnings) {
        this.root = root;
        this.texts = texts;
        this.nearest = List.copyOf(nearest);
        this.terms = List.copyOf(terms);
        this.elements = elements;
        this.warnings = List.copyOf(warnings);
    }

    /**
     * Compiles {@code tree}.
     *
     * @param inputs the inputs of the query, including defaults
     * @param fields receives the fields that the matcher reads
     * @throws QueryRejectedException if the schema does not permit a condition of the tree
     */
    public static Matcher compile(
            QueryNode tree, Schema schema, Map<String, QueryInput> inputs, QueryFields fields) {
        return compile(tree, schema, inputs, Map.of(), fields);
    }

    /**
     * Compiles {@code tree}, whose words may be near each other across elements.
     *
     * @param elementGaps by field, the number of words added to the distance between words of
     *     consecutive elements
     */
    public static Matcher compile(
            QueryNode tree,
            Schema schema,
            Map<String, QueryInput> inputs,
            Map<String, Integer> elementGaps,
            QueryFields fields) {
        return new MatcherCompiler(schema, inputs, elementGaps, fields)
                .compile(TypeConditions.decided(tree, schema.name()));
    }

    /**
     * Returns warnings about problems that do not make the rest of the result wrong, such as an
     * unknown field.
     */
    public List<String> warnings() {
        return warnings;
    }

    /**
     * Returns the nearest-neighbor searches of the tree, in the order of the tree. They must have
     * selected their rows before the tree is matched.
     */
    public List<NearestSearch> nearest() {
        return nearest;
    }

    /** Returns whether every matching row must have been selected by a nearest-neighbor search. */
    public boolean isSelective() {
        return isSelective(root);
    }

    private static boolean isSelected(Filter filter) {
        return filter instanceof Filter.Selected
                || (filter instanceof Filter.Counted(var of, _) && of instanceof Filter.Selected);
    }

    private static boolean isSelective(Filter filter) {
        return switch (filter) {
            case Filter.Selected _ -> true;
            case Filter.Counted(var of, _) -> isSelective(of);
            case Filter.Every(var parts) -> parts.stream().anyMatch(Matcher::isSelected);
            default -> false;
        };
    }

    /** Returns a matcher that matches the same rows and counts the work of its conditions. */
    public Matcher counting() {
        return new Matcher(
                Explanation.counted(root),
                texts,
                nearest.stream().map(NearestSearch::counting).toList(),
                terms,
                elements,
                warnings);
    }

    /** Returns the counts of a matcher from {@link #counting} as a tree. */
    public PlanCondition plan() {
        return Explanation.tree(root, new ConditionText(texts, nearest), nearest);
    }

    /** Returns the counts of a matcher from {@link #counting}, one line of text per condition. */
    public List<String> counted() {
        return Explanation.lines(root);
    }

    /** Returns the conditions as an s-expression, in the order of evaluation. */
    public String text() {
        return root.text();
    }

    /**
     * Returns the fields whose texts are searched.
     *
     * @param byWords true for fields searched by words, false for those searched by whole values
     */
    public Set<String> searchedTexts(boolean byWords) {
        var searched = new ArrayList<String>(texts.scans().size());
        for (TextScan scan : texts.scans()) {
            if ((scan.mode().unit() != MatchMode.Unit.VALUE) == byWords) {
                searched.add(scan.name());
            }
        }
        return Set.copyOf(searched);
    }

    /**
     * Returns the fields whose texts are read as they were fed, even if the block has tokens of
     * them.
     */
    public Set<String> readTexts() {
        return texts.read();
    }

    /** Returns the vector fields whose vector lengths are needed. */
    public Set<String> comparedLengths() {
        var compared = new HashSet<String>();
        for (NearestSearch search : nearest) {
            if (search.needsLengths()) {
                compared.add(search.field());
            }
        }
        return compared;
    }

    /** Returns the number of ranked terms of the query. */
    public int termCount() {
        return terms.size();
    }

    /**
     * Returns the number of the scan of the texts of {@code field}, if the query searches words
     * there.
     */
    public OptionalInt textScan(String field) {
        for (int i = 0; i < texts.scans().size(); i++) {
            if (texts.scans().get(i).name().equals(field)) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    /**
     * Returns a marker of the query's ranked terms in texts of a field.
     *
     * @param part the path of a part of the field; empty for the field itself
     * @param anyField whether to mark terms that search other fields too
     * @param settings decide which longer words are marked too
     * @param work counts the cost of long texts
     */
    public TextMarks marks(
            SchemaField field,
            String part,
            boolean anyField,
            SnippetSettings settings,
            WorkMeter work) {
        return new TextMarks(
                field.matching().of(part),
                texts.marked().in(field, part, anyField),
                settings,
                work);
    }

    /** Returns the matched elements of collections, for schemas that return only these. */
    public MatchedElements elements() {
        return elements;
    }

    /**
     * Returns the pattern indices in {@link TextHits} of the ranked terms that search the texts of
     * {@code field}, in the order of the query.
     */
    public int[] textPatterns(String field) {
        return inTexts(field, (_, text) -> text.pattern());
    }

    /**
     * Returns the settings of the ranked terms, in the order of the query: weights, significances
     * and connections between terms.
     */
    public List<TermSettings> termSettings() {
        var settings = new ArrayList<TermSettings>(terms.size());
        for (QueryTerm term : terms) {
            settings.add(term.settings());
        }
        return settings;
    }

    /** Returns the conditions of a ranked term, one per field. */
    public List<TermCondition> conditions(int term) {
        return terms.get(term).filters().stream()
                .map(filter ->
                        new TermCondition(
                                filter, wordCount(filter.filter()), textPredicate(filter.filter())))
                .toList();
    }

    private Optional<TextPredicate> textPredicate(Filter filter) {
        return filter instanceof Filter.Values values
                        && MatchWeights.ofOne(values.test())
                                instanceof ValuePredicate.Text(int textPredicate)
                ? Optional.of(texts.predicates().get(textPredicate))
                : Optional.empty();
    }

    private int wordCount(Filter filter) {
        return filter instanceof Filter.Text(int scanned, int pattern, _)
                        && texts.scans().get(scanned).pattern(pattern)
                                instanceof TextPattern.Tokens(var words)
                ? words.size()
                : 1;
    }

    /** Returns the fields that a ranked term searches, in the order of the fieldset. */
    public List<String> termFields(int term) {
        var fields = new LinkedHashSet<String>();
        for (QueryTerm.FieldFilter filter : terms.get(term).filters()) {
            fields.add(filter.field());
        }
        return List.copyOf(fields);
    }

    /** Returns the index of the ranked term of each pattern in {@link #textPatterns}. */
    public int[] patternTerms(String field) {
        return inTexts(field, (term, _) -> term);
    }

    /** A property of a ranked term that searches a text. */
    private interface InText {
        int of(int term, Filter.Text text);
    }

    private int[] inTexts(String field, InText told) {
        var hits = new int[terms.size()];
        int count = 0;
        for (int term = 0; term < terms.size(); term++) {
            for (QueryTerm.FieldFilter filter : terms.get(term).filters()) {
                if (filter.filter() instanceof Filter.Text text && filter.field().equals(field)) {
                    if (count == hits.length) {
                        hits = Arrays.copyOf(hits, 2 * count);
                    }
                    hits[count++] = told.of(term, text);
                }
            }
        }
        return Arrays.copyOf(hits, count);
    }

    /**
     * Writes 1 for each row in which a ranked term matches in {@code field}, and 0 for the others.
     *
     * @param rows in rising order
     */
    public void matches(BlockScan scan, String field, int[] rows, int count, double[] into) {
        Arrays.fill(into, 0, count, 0);
        int[] matching = scan.borrow();
        for (int i = 0; i < terms.size(); i++) {
            List<QueryTerm.FieldFilter> filters = terms.get(i).filters();
            for (int j = 0; j < filters.size(); j++) {
                if (isIn(filters.get(j).field(), field)) {
                    System.arraycopy(rows, 0, matching, 0, count);
                    int rowCount = filters.get(j).filter().narrow(scan, matching, count);
                    mark(rows, matching, rowCount, into);
                }
            }
        }
        scan.giveBack(matching);
    }

    /** Returns whether a searched field is {@code field}, or a part of it. */
    private static boolean isIn(String searched, String field) {
        return searched.startsWith(field)
                && (searched.length() == field.length() || searched.charAt(field.length()) == '.');
    }

    private static void mark(int[] rows, int[] matching, int rowCount, double[] into) {
        int at = 0;
        for (int i = 0; i < rowCount; i++) {
            while (rows[at] != matching[i]) {
                at++;
            }
            into[at] = 1;
        }
    }

    /** Returns the number of different words and phrases that the query searches in texts. */
    public int patternCount() {
        int count = 0;
        for (int i = 0; i < texts.scans().size(); i++) {
            count += texts.scans().get(i).patternCount();
        }
        return count;
    }

    Filter root() {
        return root;
    }

    /** Returns the condition that a ranked term matches in any of its fields. */
    Filter anyOf(int term) {
        return new Filter.Any(
                terms.get(term).filters().stream().map(QueryTerm.FieldFilter::filter).toList());
    }

    List<TextScan> textScans() {
        return texts.scans();
    }

    List<TextPredicate> textPredicates() {
        return texts.predicates();
    }
}
