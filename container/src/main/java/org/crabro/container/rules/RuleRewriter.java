package org.crabro.container.rules;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.rules.RuleBase;
import org.crabro.config.rules.RuleCondition;
import org.crabro.config.rules.RuleProduct;
import org.crabro.config.rules.RuleProduct.Produced;
import org.crabro.config.rules.SemanticRule;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.TermSettings;

/**
 * Applies the rules of a rule base to a query, one after the other. Each rule is applied wherever
 * it matches, from left to right.
 *
 * <p>Words that a rule has produced or matched are not matched by the same rule again, unless the
 * query became shorter. So rules do not run forever. A rule that matches no word, such as one on a
 * parameter, is applied once. Bounds on steps and on the size of the query stop what would take too
 * long.
 */
public final class RuleRewriter {
    private final RuleBase base;
    private final RuleQuery query;
    private final RuleMatcher matcher;
    private final Map<String, String> parameters;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<String> trace = new ArrayList<>();
    private RuleTree tree;
    private List<RuleFact> facts = List.of();

    /** The ids of the words that the current rule does not match again. */
    private final Set<Integer> used = new HashSet<>();

    private RuleRewriter(RuleBase base, RuleQuery query) {
        this.base = base;
        this.query = query;
        this.parameters = new LinkedHashMap<>(query.parameters());
        this.matcher = new RuleMatcher(base, parameters, query.defaultIndex());
        this.tree = RuleTree.of(query.tree(), query.together());
    }

    /**
     * Returns the query after all rules.
     *
     * @throws RuleLimitException if the rules take too many steps, or make the query too large
     */
    public static RewrittenQuery rewrite(RuleBase base, RuleQuery query) {
        var rewriter = new RuleRewriter(base, query);
        rewriter.readFacts();
        base.rules().forEach(rewriter::apply);
        return new RewrittenQuery(rewriter.tree.node(), rewriter.settings, rewriter.trace);
    }

    private void readFacts() {
        facts = tree.facts(base.words());
        matcher.set(facts, used);
    }

    private void apply(SemanticRule rule) {
        used.clear();
        int at = 0;
        while (at <= facts.size()) {
            Optional<RuleMatch> match = matcher.match(rule.condition(), at);
            if (match.isEmpty()) {
                at++;
                continue;
            }
            apply(rule, match.get());
            if (match.get().from() == match.get().to()) {
                return;
            }
            at = Math.min(at, facts.size());
        }
    }

    private void apply(SemanticRule rule, RuleMatch match) {
        List<RuleFact> matched = facts.subList(match.from(), match.to());
        Set<Integer> ids = matched.stream().map(RuleFact::id).collect(Collectors.toSet());
        int first = tree.nextId();
        boolean isReplaced = produce(rule, match, matched);
        if (isReplaced) {
            tree = tree.without(ids);
        }
        if (tree.size() > query.maxItems()) {
            throw new RuleLimitException(
                    "rule base '%s' makes a query of more than %d items"
                            .formatted(base.name(), query.maxItems()));
        }
        int before = facts.size();
        readFacts();
        if (facts.size() >= before) {
            used.addAll(ids);
            for (int id = first; id < tree.nextId(); id++) {
                used.add(id);
            }
        }
        trace.add(
                "%s made %s"
                        .formatted(rule.text(), tree.node().map(QueryText::of).orElse("no query")));
    }

    /**
     * Adds the products of a rule.
     *
     * @return whether the matched words are to be removed
     */
    private boolean produce(SemanticRule rule, RuleMatch match, List<RuleFact> matched) {
        boolean isBefore = rule.replaces() && !matched.isEmpty();
        int anchor =
                matched.isEmpty()
                        ? tree.root().map(RuleTree.Item::id).orElse(0)
                        : isBefore ? matched.getFirst().id() : matched.getLast().id();
        boolean after = !isBefore;
        var equal = new ArrayList<QueryNode>();
        for (RuleProduct product : rule.products()) {
            switch (product) {
                case RuleProduct.Setting(var name, var value) -> {
                    parameters.put(name, value);
                    settings.put(name, value);
                }
                case RuleProduct.Words words -> {
                    for (QueryNode node : nodes(words, match, matched)) {
                        int id = tree.nextId();
                        switch (words.type()) {
                            case SAME -> {
                                tree = tree.beside(anchor, after, node);
                                anchor = id;
                                after = true;
                            }
                            case EQUIV -> equal.add(node);
                            case OR -> tree = tree.joined(anchor, RuleOperator.OR, node);
                            case AND -> tree = tree.joined(anchor, RuleOperator.AND, node);
                            case RANK -> tree = tree.joined(anchor, RuleOperator.RANK, node);
                            case NOT -> tree = tree.joined(anchor, RuleOperator.WITHOUT, node);
                        }
                    }
                }
            }
        }
        return equal.isEmpty() ? rule.replaces() : equate(rule, matched, equal, anchor);
    }

    /** Adds words that count as one term, together with the matched ones if those are kept. */
    private boolean equate(
            SemanticRule rule, List<RuleFact> matched, List<QueryNode> equal, int anchor) {
        if (rule.replaces() || matched.isEmpty()) {
            tree = tree.beside(anchor, matched.isEmpty(), equiv(equal));
            return rule.replaces();
        }
        if (!areOfOneField(matched)) {
            equal.forEach(node -> tree = tree.joined(anchor, RuleOperator.OR, node));
            return false;
        }
        RuleFact first = matched.getFirst();
        equal.addFirst(consecutive(first.field(), texts(matched), first.settings()));
        tree = tree.beside(matched.getFirst().id(), false, equiv(equal));
        return true;
    }

    private static QueryNode equiv(List<QueryNode> nodes) {
        List<QueryNode> different = nodes.stream().distinct().toList();
        return different.size() == 1 ? different.getFirst() : new QueryNode.Equiv(different);
    }

    private List<QueryNode> nodes(
            RuleProduct.Words words, RuleMatch match, List<RuleFact> matched) {
        return switch (words.produced()) {
            case Produced.Word(var text) ->
                    List.of(new QueryNode.Term(field(words, matched), text, weighed(words)));
            case Produced.Phrase(var texts) ->
                    List.of(consecutive(field(words, matched), texts, weighed(words)));
            case Produced.Matched(var name) -> {
                var named = new ArrayList<RuleFact>();
                match.matched(name).forEach(number -> named.add(facts.get(number)));
                yield ofMatched(words, name, named);
            }
            case Produced.Everything(var name) -> {
                var nodes = new ArrayList<QueryNode>();
                for (List<String> each : sequences(new RuleCondition.Named(name))) {
                    nodes.add(consecutive(field(words, matched), each, weighed(words)));
                }
                yield nodes;
            }
        };
    }

    /** Returns the field of produced words: that of matched words without a label, by default. */
    private String field(RuleProduct.Words words, List<RuleFact> matched) {
        return words.label().isEmpty()
                ? matched.stream()
                        .map(RuleFact::field)
                        .filter(matcher::isUnlabeled)
                        .findFirst()
                        .orElse(query.defaultIndex())
                : words.label();
    }

    private TermSettings weighed(RuleProduct.Words words) {
        return query.settings().withWeight(words.weight());
    }

    /**
     * Returns matched words with the label of the product. Several words of a named condition are a
     * phrase in another field, or if they get another operator. Those of an ellipsis are single.
     */
    private static List<QueryNode> ofMatched(
            RuleProduct.Words words, String name, List<RuleFact> named) {
        boolean isOne =
                named.size() > 1
                        && !name.equals(RuleCondition.Ellipsis.NAME)
                        && (!words.label().isEmpty() || words.type() != RuleProduct.Type.SAME);
        if (isOne && areOfOneField(named)) {
            return List.of(
                    consecutive(
                            labeled(named.getFirst().field(), words),
                            texts(named),
                            weighed(named.getFirst().settings(), words)));
        }
        return named.stream().map(fact -> relabeled(fact, words)).toList();
    }

    private static QueryNode relabeled(RuleFact fact, RuleProduct.Words words) {
        String field = labeled(fact.field(), words);
        TermSettings settings = weighed(fact.settings(), words);
        return fact.isPhrase()
                ? new QueryNode.Phrase(field, fact.words(), settings)
                : new QueryNode.Term(field, fact.words().getFirst(), settings);
    }

    private static String labeled(String field, RuleProduct.Words words) {
        return words.label().isEmpty() ? field : words.label();
    }

    private static TermSettings weighed(TermSettings own, RuleProduct.Words words) {
        return words.weight() == 100 ? own : own.withWeight(words.weight());
    }

    private static boolean areOfOneField(List<RuleFact> some) {
        return some.stream().map(RuleFact::field).distinct().count() == 1;
    }

    private static List<String> texts(List<RuleFact> some) {
        return some.stream().flatMap(fact -> fact.words().stream()).toList();
    }

    private static QueryNode consecutive(String field, List<String> words, TermSettings settings) {
        return words.size() == 1
                ? new QueryNode.Term(field, words.getFirst(), settings)
                : new QueryNode.Phrase(field, words, settings);
    }

    /** Returns the sequences of words that a condition lists. */
    private Set<List<String>> sequences(RuleCondition condition) {
        var sequences = new LinkedHashSet<List<String>>();
        addSequences(condition, sequences);
        return sequences;
    }

    private void addSequences(RuleCondition condition, Set<List<String>> into) {
        if (into.size() > query.maxItems()) {
            return;
        }
        switch (condition) {
            case RuleCondition.Word word -> into.add(written(List.of(word)));
            case RuleCondition.Phrase(var words) -> into.add(written(words));
            case RuleCondition.Listed(var byFirst) ->
                    byFirst.values().forEach(all -> all.forEach(words -> into.add(written(words))));
            case RuleCondition.Named(var name) -> {
                RuleCondition named = base.conditions().get(name);
                if (named != null) {
                    addSequences(named, into);
                }
            }
            case RuleCondition.Sequence(var parts)
                    when parts.stream().allMatch(RuleCondition.Word.class::isInstance) ->
                    into.add(written(parts.stream().map(RuleCondition.Word.class::cast).toList()));
            case RuleCondition.Choice(var parts) -> parts.forEach(part -> addSequences(part, into));
            case RuleCondition.Bound(_, var part) -> addSequences(part, into);
            case RuleCondition.Labeled(_, var part) -> addSequences(part, into);
            default -> {
                // These list no words.
            }
        }
    }

    private static List<String> written(List<RuleCondition.Word> words) {
        return words.stream().map(RuleCondition.Word::text).toList();
    }
}
