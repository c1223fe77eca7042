package org.crabro.container.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.rules.RuleBase;
import org.crabro.config.rules.RuleCondition;
import org.crabro.config.rules.RuleCondition.Word;

/**
 * Decides whether a condition matches from a word of the query on. It tries every way to match: an
 * ellipsis takes as many words as possible, and fewer if the rest of the condition needs them.
 */
final class RuleMatcher {
    /** The steps that all rules may take for one query. */
    static final int MAX_STEPS = 1_000_000;

    private static final int MAX_DEPTH = 1_000;
    private static final String DEFAULT = "default";

    private final RuleBase base;
    private final Map<String, String> parameters;
    private final String defaultIndex;
    private final List<Binding> bindings = new ArrayList<>();

    private List<RuleFact> facts = List.of();
    private Set<Integer> used = Set.of();
    private int start;
    private int end;
    private int steps;
    private int depth;

    /** The value of the last condition that matched. */
    private String value = "";

    /**
     * @param parameters may change between matches
     */
    RuleMatcher(RuleBase base, Map<String, String> parameters, String defaultIndex) {
        this.base = base;
        this.parameters = parameters;
        this.defaultIndex = defaultIndex;
    }

    /** The facts that a named part of a condition has matched. */
    record Binding(String name, int from, int to) {}

    /** What a condition needs of the words after those that a part has matched. */
    private interface Continuation {
        boolean matches(int at);
    }

    /**
     * Sets the query.
     *
     * @param seen the ids of facts that match nothing
     */
    void set(List<RuleFact> query, Set<Integer> seen) {
        facts = query;
        used = seen;
        step(query.size());
    }

    /** Returns the match of {@code condition} from the fact {@code from} on. */
    Optional<RuleMatch> match(RuleCondition condition, int from) {
        bindings.clear();
        start = from;
        boolean matches =
                match(
                        condition,
                        from,
                        "",
                        at -> {
                            end = at;
                            return true;
                        });
        return matches ? Optional.of(new RuleMatch(from, end, bindings)) : Optional.empty();
    }

    private void step(int count) {
        steps += count;
        if (steps > MAX_STEPS) {
            throw new RuleLimitException(
                    "rule base '%s' takes more than %d steps for this query; rules.off=true leaves it out"
                            .formatted(base.name(), MAX_STEPS));
        }
    }

    private boolean match(
            RuleCondition condition, int at, String label, Continuation continuation) {
        step(1);
        depth++;
        if (depth > MAX_DEPTH) {
            throw new RuleLimitException(
                    "rule base '%s' nests conditions deeper than %d levels for this query; rules.off=true leaves it out"
                            .formatted(base.name(), MAX_DEPTH));
        }
        try {
            return matchHere(condition, at, label, continuation);
        } finally {
            depth--;
        }
    }

    private boolean matchHere(
            RuleCondition condition, int at, String label, Continuation continuation) {
        return switch (condition) {
            case Word word -> sequence(List.of(word), at, label, continuation);
            case RuleCondition.Phrase(var words) ->
                    phrase(words, at, label) && continuation.matches(at + 1);
            case RuleCondition.Listed(var byFirst) -> listed(byFirst, at, label, continuation);
            case RuleCondition.Sequence(var parts) -> sequence(parts, at, label, continuation);
            case RuleCondition.Choice(var parts) -> choice(parts, at, label, continuation);
            case RuleCondition.Every(var parts) ->
                    every(parts, 0, at, new Span(at, label), continuation);
            case RuleCondition.Not(var part) -> {
                int bound = bindings.size();
                boolean matches = match(part, at, label, _ -> true);
                truncate(bound);
                yield !matches && continuation.matches(at);
            }
            case RuleCondition.Compared(var left, var operator, var right) ->
                    match(
                            left,
                            at,
                            label,
                            middle -> {
                                String first = value;
                                return match(
                                        right,
                                        middle,
                                        label,
                                        last ->
                                                operator.holds(first, value)
                                                        && continuation.matches(last));
                            });
            case RuleCondition.Literal(var literal) -> valued(literal) && continuation.matches(at);
            case RuleCondition.Ellipsis() -> ellipsis(at, continuation);
            case RuleCondition.Bound(var name, var part) ->
                    bound(name, part, at, label, continuation);
            case RuleCondition.Named(var name) ->
                    bound(
                            name,
                            Objects.requireNonNull(base.conditions().get(name)),
                            at,
                            label,
                            continuation);
            case RuleCondition.Labeled(var own, var part) -> match(part, at, own, continuation);
            case RuleCondition.Parameter(var name) -> {
                String set = parameters.get(name);
                yield set != null && valued(set) && continuation.matches(at);
            }
            case RuleCondition.Start() -> at == 0 && continuation.matches(at);
            case RuleCondition.End() -> at == facts.size() && continuation.matches(at);
            case RuleCondition.Super() ->
                    throw new IllegalStateException("@super was to be replaced in " + base.name());
        };
    }

    /** Remembers the value of a condition; returns true. */
    private boolean valued(String of) {
        value = of;
        return true;
    }

    private boolean bound(
            String name, RuleCondition part, int at, String label, Continuation continuation) {
        int before = bindings.size();
        return match(
                part,
                at,
                label,
                last -> {
                    int inside = bindings.size();
                    bindings.add(new Binding(name, at, last));
                    if (continuation.matches(last)) {
                        return true;
                    }
                    truncate(Math.max(before, inside));
                    return false;
                });
    }

    private void truncate(int count) {
        while (bindings.size() > count) {
            bindings.removeLast();
        }
    }

    private boolean choice(
            List<RuleCondition> parts, int at, String label, Continuation continuation) {
        for (RuleCondition part : parts) {
            int bound = bindings.size();
            if (match(part, at, label, continuation)) {
                return true;
            }
            truncate(bound);
        }
        return false;
    }

    /** The place and the label from which all parts of a condition match. */
    private record Span(int at, String label) {}

    private boolean every(
            List<RuleCondition> parts, int part, int last, Span span, Continuation continuation) {
        if (part == parts.size()) {
            return continuation.matches(last);
        }
        return match(
                parts.get(part),
                span.at,
                span.label,
                to -> every(parts, part + 1, Math.max(last, to), span, continuation));
    }

    /** A phrase of the query matches words that are all of its words. */
    private boolean sequence(
            List<RuleCondition> parts, int at, String label, Continuation continuation) {
        if (at < facts.size() && facts.get(at).hasSeveral()) {
            List<Word> words = words(parts);
            if (words.size() == parts.size()
                    && phrase(words, at, label)
                    && continuation.matches(at + 1)) {
                return true;
            }
        }
        return from(parts, 0, at, label, continuation);
    }

    private static List<Word> words(List<RuleCondition> parts) {
        var words = new ArrayList<Word>();
        for (RuleCondition part : parts) {
            if (part instanceof Word word) {
                words.add(word);
            }
        }
        return words;
    }

    private boolean from(
            List<RuleCondition> parts, int part, int at, String label, Continuation continuation) {
        if (part == parts.size()) {
            return continuation.matches(at);
        }
        return parts.get(part) instanceof Word word
                ? isWord(word, at, label) && from(parts, part + 1, at + 1, label, continuation)
                : match(
                        parts.get(part),
                        at,
                        label,
                        next -> from(parts, part + 1, next, label, continuation));
    }

    private boolean listed(
            Map<String, List<List<Word>>> byFirst,
            int at,
            String label,
            Continuation continuation) {
        if (at == facts.size() || facts.get(at).keys().isEmpty()) {
            return false;
        }
        for (List<Word> words : byFirst.getOrDefault(facts.get(at).keys().getFirst(), List.of())) {
            step(1);
            boolean isPhrase = facts.get(at).hasSeveral();
            boolean fits = isPhrase ? phrase(words, at, label) : areWords(words, at, label);
            if (fits && continuation.matches(at + (isPhrase ? 1 : words.size()))) {
                return true;
            }
        }
        return false;
    }

    private boolean areWords(List<Word> words, int at, String label) {
        for (int i = 0; i < words.size(); i++) {
            if (!isWord(words.get(i), at + i, label)) {
                return false;
            }
        }
        return true;
    }

    private boolean isWord(Word word, int at, String label) {
        return isOpen(at, label)
                && !facts.get(at).hasSeveral()
                && facts.get(at).keys().equals(List.of(word.key()))
                && valued(facts.get(at).words().getFirst());
    }

    private boolean phrase(List<Word> words, int at, String label) {
        return isOpen(at, label)
                && facts.get(at).hasSeveral()
                && facts.get(at).keys().equals(words.stream().map(Word::key).toList())
                && valued(String.join(" ", facts.get(at).words()));
    }

    /** Returns whether a fact is at {@code at} that belongs to the match and has the label. */
    private boolean isOpen(int at, String label) {
        return at < facts.size()
                && facts.get(at).zone() == facts.get(start).zone()
                && !used.contains(facts.get(at).id())
                && (label.isEmpty()
                        ? isUnlabeled(facts.get(at).field())
                        : facts.get(at).field().equals(label));
    }

    /** Returns whether {@code field} is that of words without a label. */
    boolean isUnlabeled(String field) {
        return field.equals(defaultIndex) || field.equals(DEFAULT);
    }

    private boolean ellipsis(int at, Continuation continuation) {
        int limit = at;
        while (limit < facts.size()
                && facts.get(limit).zone() == facts.get(start).zone()
                && !used.contains(facts.get(limit).id())) {
            limit++;
        }
        for (int last = limit; last >= at; last--) {
            step(1);
            int bound = bindings.size();
            value = text(at, last);
            if (continuation.matches(last)) {
                return true;
            }
            truncate(bound);
        }
        return false;
    }

    private String text(int from, int to) {
        var words = new ArrayList<String>();
        for (RuleFact fact : facts.subList(from, to)) {
            words.addAll(fact.words());
        }
        return String.join(" ", words);
    }
}
