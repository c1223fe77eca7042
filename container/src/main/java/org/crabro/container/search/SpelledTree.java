package org.crabro.container.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.crabro.container.query.SpelledWord;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryNode.Term;
import org.crabro.protocol.query.Spelling;
import org.crabro.protocol.query.TermHints;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.NearWord;
import org.crabro.protocol.search.WordCount;

/**
 * The words of one query that may be spelled otherwise: what is asked about them, and the tree with
 * the words that are added. Excluded words, and words near each other or in one element, match as
 * they are written.
 */
final class SpelledTree {
    /** The most words of a query for which others are added; further words match as written. */
    static final int WORDS_MAX = 32;

    /** The most words that are added for one word: the nearest, then the most frequent. */
    static final int ADDED_MAX = 50;

    /** The most words that are added for all words of a query; the first words get them. */
    static final int ADDED_IN_ALL_MAX = 400;

    /** The exactness of added words if documents have the word itself. */
    static final double BESIDE_EXACT = 0.01;

    /** The exactness of added words for each edit, if no document has the word itself. */
    static final double PER_EDIT = 0.5;

    private final QueryNode tree;

    /** Each word with the indexes of its counts. */
    private final Map<Term, Asked> words = new LinkedHashMap<>();

    private final List<QueryNode> questions = new ArrayList<>();

    /**
     * The indexes of the counts of a word.
     *
     * @param beginning that of words that begin with it; the same if only whole words are searched
     */
    private record Asked(int whole, int beginning) {}

    SpelledTree(QueryNode tree) {
        this.tree = tree;
        mapped(
                tree,
                term -> {
                    if (term.settings().spelling().adds()
                            && words.size() < WORDS_MAX
                            && !words.containsKey(term)) {
                        words.put(term, ask(term));
                    }
                    return term;
                });
    }

    /** Returns whether a word of a tree may be spelled otherwise. */
    static boolean hasSpelling(QueryNode node) {
        return switch (node) {
            case Term term -> term.settings().spelling().adds();
            case QueryNode.And(var children) -> anyHas(children);
            case QueryNode.Or(var children) -> anyHas(children);
            case QueryNode.WeakAnd(var children) -> anyHas(children);
            case QueryNode.Without(var include, var exclude) ->
                    hasSpelling(include) || anyHas(exclude);
            case QueryNode.Rank(var required, var others) ->
                    hasSpelling(required) || anyHas(others);
            case QueryNode.Near near -> anyHas(near.near()) || anyHas(near.exclude());
            case QueryNode.Equiv(var alternatives) -> anyHas(alternatives);
            case QueryNode.SameElement same -> anyHas(same.conditions());
            case QueryNode.All _, QueryNode.None _, QueryNode.FieldCondition _ -> false;
        };
    }

    private static boolean anyHas(List<QueryNode> nodes) {
        for (QueryNode node : nodes) {
            if (hasSpelling(node)) {
                return true;
            }
        }
        return false;
    }

    private Asked ask(Term term) {
        boolean typos = term.settings().spelling().typos();
        boolean isBeginning = term.settings().spelling().beginning();
        TermSettings ranked =
                new TermSettings(
                        TermSettings.DEFAULT.weight(),
                        true,
                        term.settings().affix(),
                        TermHints.NONE.with(
                                term.settings().hints().words().stem(),
                                term.settings().language()));
        int whole = question(term, ranked, typos && !isBeginning);
        return new Asked(
                whole,
                isBeginning
                        ? question(term, ranked.with(TermSettings.Affix.PREFIX), typos)
                        : whole);
    }

    private int question(Term term, TermSettings settings, boolean typos) {
        questions.add(
                new Term(term.field(), term.text(), settings.with(Spelling.of(typos, false))));
        return questions.size() - 1;
    }

    /** Returns whether other words may be added to any word. */
    boolean isAsking() {
        return !words.isEmpty();
    }

    /** Returns the tree of the request for counts of words. */
    QueryNode question() {
        return new QueryNode.Rank(new QueryNode.All(), questions);
    }

    /** Returns the number of counts that a reply has. */
    int questionCount() {
        return questions.size();
    }

    /** Returns the tree whose words match as they are written. */
    QueryNode exact() {
        return strict(tree);
    }

    /**
     * Returns the words, each with what is added.
     *
     * @param counts in the order of the questions
     */
    List<SpelledWord> spelled(List<WordCount> counts) {
        var spelled = new ArrayList<SpelledWord>();
        int left = ADDED_IN_ALL_MAX;
        for (Map.Entry<Term, Asked> each : words.entrySet()) {
            Term term = each.getKey();
            WordCount count = counts.get(each.getValue().beginning());
            List<NearWord> near =
                    count.isLittle()
                            ? count.near().stream()
                                    .sorted(NearWord.BEST_FIRST)
                                    .limit(Math.min(left, ADDED_MAX))
                                    .toList()
                            : List.of();
            left -= near.size();
            spelled.add(
                    new SpelledWord(
                            term.field(),
                            term.text(),
                            counts.get(each.getValue().whole()).documents(),
                            term.settings().spelling().beginning(),
                            near));
        }
        return spelled;
    }

    /**
     * Returns the tree with the added words.
     *
     * @param spelled the words, in the order of {@link #spelled}
     * @param counts in the order of the questions
     */
    QueryNode with(List<SpelledWord> spelled, List<WordCount> counts) {
        Map<Term, QueryNode> replaced = new HashMap<>();
        int index = 0;
        for (Map.Entry<Term, Asked> each : words.entrySet()) {
            boolean hasAny = counts.get(each.getValue().beginning()).documents() > 0;
            replaced.put(each.getKey(), alternatives(each.getKey(), spelled.get(index++), hasAny));
        }
        return mapped(tree, term -> replaced.getOrDefault(term, strict(term)));
    }

    /**
     * @param hasAny whether documents have the word, or one that begins with it
     */
    private static QueryNode alternatives(Term term, SpelledWord spelled, boolean hasAny) {
        TermSettings settings = term.settings();
        var all = new ArrayList<QueryNode>();
        all.add(strict(term));
        if (spelled.isBeginning()) {
            double exactness = spelled.documents() > 0 ? BESIDE_EXACT : 1;
            all.add(
                    new Term(
                            term.field(),
                            term.text(),
                            settings.with(TermSettings.Affix.PREFIX)
                                    .with(new Spelling(false, false, exactness))));
        }
        for (NearWord near : spelled.near()) {
            double exactness = Math.pow(PER_EDIT, near.edits()) * (hasAny ? BESIDE_EXACT : 1);
            all.add(
                    new Term(
                            term.field(),
                            near.text(),
                            settings.with(new Spelling(false, false, exactness))));
        }
        return all.size() == 1 ? all.getFirst() : new QueryNode.Or(all);
    }

    /** Returns the tree with other nodes for the words to which words may be added. */
    private static QueryNode mapped(QueryNode node, Function<Term, QueryNode> words) {
        return switch (node) {
            case QueryNode.And(var children) -> new QueryNode.And(mapped(children, words));
            case QueryNode.Or(var children) -> new QueryNode.Or(mapped(children, words));
            case QueryNode.WeakAnd(var children) -> new QueryNode.WeakAnd(mapped(children, words));
            case QueryNode.Without(var include, var exclude) ->
                    new QueryNode.Without(
                            mapped(include, words),
                            exclude.stream().map(SpelledTree::strict).toList());
            case QueryNode.Rank(var required, var others) ->
                    new QueryNode.Rank(mapped(required, words), mapped(others, words));
            case Term term -> words.apply(term);
            case QueryNode.All _, QueryNode.None _, QueryNode.Equiv _, QueryNode.FieldCondition _ ->
                    strict(node);
        };
    }

    private static List<QueryNode> mapped(List<QueryNode> nodes, Function<Term, QueryNode> words) {
        return nodes.stream().map(node -> mapped(node, words)).toList();
    }

    /** Returns the tree whose words match as they are written. */
    private static QueryNode strict(QueryNode node) {
        return switch (node) {
            case Term(var field, var text, var settings) ->
                    new Term(field, text, settings.with(Spelling.EXACT));
            case QueryNode.Equiv(var alternatives) -> new QueryNode.Equiv(strict(alternatives));
            case QueryNode.Near near ->
                    new QueryNode.Near(
                            near.field(),
                            strict(near.near()),
                            strict(near.exclude()),
                            near.distance(),
                            near.exclusionDistance(),
                            near.ordered());
            case QueryNode.SameElement(var field, var conditions, var elements) ->
                    new QueryNode.SameElement(field, strict(conditions), elements);
            case QueryNode.Combination combination -> mapped(combination, SpelledTree::strict);
            case QueryNode.All _, QueryNode.None _, QueryNode.FieldCondition _ -> node;
        };
    }

    private static List<QueryNode> strict(List<QueryNode> nodes) {
        return nodes.stream().map(SpelledTree::strict).toList();
    }
}
