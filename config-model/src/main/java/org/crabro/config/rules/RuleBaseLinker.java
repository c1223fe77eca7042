package org.crabro.config.rules;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.SourcePosition;
import org.crabro.config.parser.SourceText;

/**
 * Reads the rule bases of a package and resolves their names. A rule base contains the statements
 * of those that it includes; its own conditions replace included ones of the same name.
 */
public final class RuleBaseLinker {
    /** The largest number of rules of a rule base, included ones among them. */
    private static final int MAX_RULES = 100_000;

    /** The largest number of conditions and products of all files. */
    private static final int MAX_PARTS = 1_000_000;

    /** Conditions that refer to each other can be nested this deep. */
    private static final int MAX_DEPTH = 200;

    private final Map<String, RuleFile> files;
    private final Findings findings;

    private RuleBaseLinker(Map<String, RuleFile> files, Findings findings) {
        this.files = files;
        this.findings = findings;
    }

    /** Returns the rule bases of {@code files}; those with problems are left out. */
    public static RuleBases read(ApplicationFiles files, Findings findings) {
        var parsed = new TreeMap<String, RuleFile>();
        boolean isComplete = true;
        int parts = 0;
        for (String path : files.paths()) {
            if (path.matches("rules/[^/]+\\.sr")) {
                String name = path.substring("rules/".length(), path.length() - ".sr".length());
                try {
                    var text = new SourceText(path, files.text(path).orElseThrow());
                    RuleFile file = RuleParser.parse(text);
                    parsed.put(name, file);
                    parts += file.parts();
                } catch (RuleSyntaxException e) {
                    findings.problem(Objects.requireNonNull(e.getMessage()));
                    isComplete = false;
                }
                if (parts > MAX_PARTS) {
                    findings.problem(
                            "%s: with this file, the rules have more than %,d conditions and products"
                                    .formatted(path, MAX_PARTS));
                    return RuleBases.NONE;
                }
            }
        }
        return isComplete ? new RuleBaseLinker(parsed, findings).linked() : RuleBases.NONE;
    }

    private RuleBases linked() {
        var bases = new LinkedHashMap<String, RuleBase>();
        Optional<String> standard = Optional.empty();
        for (String name : files.keySet()) {
            base(name).ifPresent(base -> bases.put(name, base));
            if (file(name).isDefault()) {
                if (standard.isPresent()) {
                    findings.problem(
                            "rules/%s.sr: rules/%s.sr is the default, too; one rule base can be"
                                    .formatted(name, standard.get()));
                } else {
                    standard = Optional.of(name);
                }
            }
        }
        return new RuleBases(bases, standard);
    }

    private RuleFile file(String name) {
        return Objects.requireNonNull(files.get(name));
    }

    private Optional<RuleBase> base(String name) {
        RuleWords words = file(name).words();
        var gathered = new Gathered(words);
        if (!gather(name, gathered, new ArrayDeque<>(List.of(name)))) {
            return Optional.empty();
        }
        var rules = new ArrayList<SemanticRule>();
        boolean isRight = areFinite(gathered.definitions);
        for (RuleFile.Rule each : gathered.rules) {
            isRight &= isRight && areKnown(each, gathered.definitions);
            rules.add(each.rule());
        }
        var conditions =
                gathered.definitions.entrySet().stream()
                        .collect(
                                Collectors.toMap(
                                        Map.Entry::getKey, entry -> entry.getValue().condition()));
        return isRight
                ? Optional.of(new RuleBase(name, words, rules, conditions))
                : Optional.empty();
    }

    /** The statements of a rule base. Keys of words are those of the including one. */
    private static final class Gathered {
        private final RuleWords words;
        private final List<RuleFile.Rule> rules = new ArrayList<>();
        private final Map<String, RuleFile.Definition> definitions = new LinkedHashMap<>();

        Gathered(RuleWords words) {
            this.words = words;
        }
    }

    /**
     * Adds the statements of a file and of those that it includes.
     *
     * @param including the files from the first one to this one
     */
    private boolean gather(String name, Gathered into, ArrayDeque<String> including) {
        var included = new LinkedHashMap<String, RuleFile.Definition>();
        var own = new LinkedHashMap<String, RuleFile.Definition>();
        for (RuleFile.Statement statement : file(name).statements()) {
            switch (statement) {
                case RuleFile.Include include -> {
                    var inside = new Gathered(into.words);
                    if (!include(include, inside, including)) {
                        return false;
                    }
                    into.rules.addAll(inside.rules);
                    included.putAll(inside.definitions);
                }
                case RuleFile.Rule(var at, var rule) ->
                        into.rules.add(
                                new RuleFile.Rule(
                                        at,
                                        new SemanticRule(
                                                keyed(rule.condition(), into.words),
                                                rule.replaces(),
                                                rule.products(),
                                                rule.text())));
                case RuleFile.Definition definition -> {
                    RuleFile.Definition earlier = own.put(definition.name(), definition);
                    if (earlier != null) {
                        findings.warn(
                                "%s: condition [%s] is defined again at %s, which counts"
                                        .formatted(
                                                earlier.at(),
                                                definition.name(),
                                                definition.at().seenFrom(earlier.at())));
                    }
                }
            }
            if (into.rules.size() > MAX_RULES) {
                findings.problem(
                        statement
                                .at()
                                .pointing("a rule base can have %d rules".formatted(MAX_RULES)));
                return false;
            }
        }
        into.definitions.putAll(included);
        for (RuleFile.Definition definition : own.values()) {
            Optional<RuleFile.Definition> whole = whole(definition, included, into.words);
            if (whole.isEmpty()) {
                return false;
            }
            into.definitions.put(definition.name(), whole.get());
        }
        return true;
    }

    private boolean include(
            RuleFile.Include include, Gathered inside, ArrayDeque<String> including) {
        String name = include.name();
        if (!files.containsKey(name)) {
            findings.problem(
                    include.at()
                            .pointing(
                                    "there is no rule base '%s'%s"
                                            .formatted(
                                                    name, NearestName.hint(name, files.keySet()))));
            return false;
        }
        if (including.contains(name)) {
            findings.problem(
                    include.at()
                            .pointing(
                                    "rule base '%s' includes itself: %s"
                                            .formatted(name, String.join(", ", including))));
            return false;
        }
        including.addLast(name);
        boolean isRight = gather(name, inside, including);
        including.removeLast();
        return isRight;
    }

    /** Puts the included condition where the condition says {@code @super}. */
    private Optional<RuleFile.Definition> whole(
            RuleFile.Definition definition,
            Map<String, RuleFile.Definition> included,
            RuleWords words) {
        boolean hasSuper = any(definition.condition(), RuleCondition.Super.class::isInstance);
        RuleFile.Definition above = included.get(definition.name());
        if (hasSuper && above == null) {
            findings.problem(
                    definition
                            .at()
                            .pointing(
                                    "@super: no included rule base defines [%s]"
                                            .formatted(definition.name())));
            return Optional.empty();
        }
        RuleCondition keyed = keyed(definition.condition(), words);
        RuleCondition inherited = above == null ? keyed : above.condition();
        RuleCondition condition =
                keyed.mapped(each -> each instanceof RuleCondition.Super ? inherited : each);
        return Optional.of(new RuleFile.Definition(definition.at(), definition.name(), condition));
    }

    private static boolean any(RuleCondition condition, Predicate<RuleCondition> test) {
        return test.test(condition)
                || condition.children().stream().anyMatch(child -> any(child, test));
    }

    /** Computes the keys of words. A word with signs inside becomes several. */
    private static RuleCondition keyed(RuleCondition condition, RuleWords words) {
        return condition.mapped(each ->
                switch (each) {
                    case RuleCondition.Word(var text, _) -> {
                        List<RuleCondition.Word> keyed = keyed(text, words);
                        yield keyed.size() == 1
                                ? keyed.getFirst()
                                : new RuleCondition.Sequence(List.copyOf(keyed));
                    }
                    case RuleCondition.Phrase(var parts) ->
                            new RuleCondition.Phrase(
                                    parts.stream()
                                            .flatMap(part -> keyed(part.text(), words).stream())
                                            .toList());
                    case RuleCondition.Choice(var parts) -> RuleCondition.Listed.of(parts);
                    default -> each;
                });
    }

    private static List<RuleCondition.Word> keyed(String text, RuleWords words) {
        List<String> keys = words.keys(text);
        return keys.size() == 1
                ? List.of(new RuleCondition.Word(text, keys.getFirst()))
                : keys.stream().map(key -> new RuleCondition.Word(key, key)).toList();
    }

    /** Checks that conditions refer to existing ones, and not to themselves. */
    private boolean areFinite(Map<String, RuleFile.Definition> definitions) {
        var depths = new IdentityHashMap<RuleCondition, Integer>();
        for (RuleFile.Definition each : definitions.values()) {
            Set<RuleCondition> open = Collections.newSetFromMap(new IdentityHashMap<>());
            try {
                depth(each.condition(), definitions, open, depths);
            } catch (UnfitConditionException e) {
                findings.problem(each.at().pointing(String.valueOf(e.getMessage())));
                return false;
            }
        }
        return true;
    }

    /** A condition is infinite, too deep, or names an unknown one. */
    private static final class UnfitConditionException extends Exception {
        private static final long serialVersionUID = 1;

        UnfitConditionException(String problem) {
            super(problem);
        }
    }

    private static int depth(
            RuleCondition condition,
            Map<String, RuleFile.Definition> definitions,
            Set<RuleCondition> open,
            Map<RuleCondition, Integer> depths)
            throws UnfitConditionException {
        Integer computed = depths.get(condition);
        if (computed != null) {
            return computed;
        }
        int deepest = 0;
        if (condition instanceof RuleCondition.Named(var name)) {
            RuleFile.Definition definition = definitions.get(name);
            if (definition == null) {
                throw new UnfitConditionException(unknown(name, definitions.keySet()));
            }
            if (!open.add(definition.condition())) {
                throw new UnfitConditionException(
                        "condition [%s] refers to itself".formatted(name));
            }
            deepest = depth(definition.condition(), definitions, open, depths);
            open.remove(definition.condition());
        }
        for (RuleCondition child : condition.children()) {
            deepest = Math.max(deepest, depth(child, definitions, open, depths));
        }
        if (deepest >= MAX_DEPTH) {
            throw new UnfitConditionException(
                    "conditions can be nested %d levels deep".formatted(MAX_DEPTH));
        }
        depths.put(condition, deepest + 1);
        return deepest + 1;
    }

    private static String unknown(String name, Set<String> names) {
        return "there is no condition [%s]%s".formatted(name, NearestName.hint(name, names));
    }

    /** Checks the names in a rule. */
    private boolean areKnown(RuleFile.Rule rule, Map<String, RuleFile.Definition> definitions) {
        var bound = new HashSet<String>();
        Set<RuleCondition> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Optional<String> problem = bind(rule.rule().condition(), definitions, bound, seen);
        for (RuleProduct product : rule.rule().products()) {
            if (problem.isEmpty() && product instanceof RuleProduct.Words words) {
                problem =
                        switch (words.produced()) {
                            case RuleProduct.Produced.Matched(var name)
                                    when !bound.contains(name) ->
                                    Optional.of(
                                            "the condition of the rule has no part [%s]%s"
                                                    .formatted(
                                                            name, NearestName.hint(name, bound)));
                            case RuleProduct.Produced.Everything(var name)
                                    when !definitions.containsKey(name) ->
                                    Optional.of(unknown(name, definitions.keySet()));
                            case RuleProduct.Produced.Matched _,
                                    RuleProduct.Produced.Everything _,
                                    RuleProduct.Produced.Word _,
                                    RuleProduct.Produced.Phrase _ ->
                                    Optional.empty();
                        };
            }
        }
        SourcePosition at = rule.at();
        problem.ifPresent(message -> findings.problem(at.pointing(message)));
        return problem.isEmpty();
    }

    /** Adds the names of the parts of a condition; returns a problem with it. */
    private static Optional<String> bind(
            RuleCondition condition,
            Map<String, RuleFile.Definition> definitions,
            Set<String> bound,
            Set<RuleCondition> seen) {
        if (!seen.add(condition)) {
            return Optional.empty();
        }
        if (condition instanceof RuleCondition.Super) {
            return Optional.of("@super is for named conditions");
        }
        if (condition instanceof RuleCondition.Bound(var name, _)) {
            bound.add(name);
        }
        if (condition instanceof RuleCondition.Named(var name)) {
            bound.add(name);
            RuleFile.Definition definition = definitions.get(name);
            return definition == null
                    ? Optional.of(unknown(name, definitions.keySet()))
                    : bind(definition.condition(), definitions, bound, seen);
        }
        for (RuleCondition child : condition.children()) {
            Optional<String> problem = bind(child, definitions, bound, seen);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }
}
