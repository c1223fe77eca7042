package org.crabro.container.query;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.crabro.config.rules.RuleBase;
import org.crabro.config.rules.RuleBases;
import org.crabro.container.rules.RewrittenQuery;
import org.crabro.container.rules.RuleLimitException;
import org.crabro.container.rules.RuleOperator;
import org.crabro.container.rules.RuleQuery;
import org.crabro.container.rules.RuleRewriter;
import org.crabro.container.yql.Grammar;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.TermSettings;

/** Rewrites the query of a request by the rule base that it names, or by that of the package. */
final class RulesReader {
    private static final String ENDING = ".sr";

    private final RuleBases bases;
    private final Parameters parameters;
    private final RequestContext context;
    private final int maxItems;

    /**
     * @param maxItems a rewritten query with more items is rejected
     */
    RulesReader(RuleBases bases, Parameters parameters, RequestContext context, int maxItems) {
        this.bases = bases;
        this.parameters = parameters;
        this.context = context;
        this.maxItems = maxItems;
    }

    /**
     * A query after its rules.
     *
     * @param parameters those of the request, and those that rules set
     * @param trace what the rules did
     */
    record Ruled(QueryNode tree, Parameters parameters, List<String> trace) {}

    /**
     * Returns {@code tree} after the rules of the request.
     *
     * @throws IllegalQueryException if the rule base is unknown, takes too many steps, or leaves
     *     nothing of the query
     */
    Ruled ruled(QueryNode tree) {
        Optional<RuleBase> base = base();
        if (base.isEmpty()) {
            return new Ruled(tree, parameters, List.of());
        }
        RewrittenQuery rewritten = rewritten(base.get(), tree);
        String name = base.get().name();
        QueryNode changed =
                rewritten
                        .tree()
                        .orElseThrow(() ->
                                new IllegalQueryException(
                                        ErrorCode.NULL_QUERY,
                                        "the rules of '%s' removed all words of the query"
                                                .formatted(name)));
        var trace = new ArrayList<String>();
        if (isTraced()) {
            rewritten.trace().forEach(line -> trace.add("Rule " + line));
        }
        if (!changed.equals(tree)) {
            trace.add("Query by rule base '%s': %s".formatted(name, QueryText.of(changed)));
        }
        return new Ruled(changed, with(rewritten), trace);
    }

    private boolean isTraced() {
        return parameters.count(Parameter.RULES_TRACE).orElse(0) > 0;
    }

    private Optional<RuleBase> base() {
        if (parameters.truth(Parameter.RULES_OFF, false)) {
            return Optional.empty();
        }
        Optional<String> asked =
                parameters.text(Parameter.RULE_BASE).filter(name -> !name.isBlank());
        if (asked.isEmpty()) {
            return bases.standard().flatMap(name -> Optional.ofNullable(bases.byName().get(name)));
        }
        String name = asked.get().strip();
        String plain =
                name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name;
        RuleBase base = bases.byName().get(plain);
        if (base == null) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "rules.rulebase: there is no rule base '%s'; there are %s"
                            .formatted(plain, new TreeSet<>(bases.byName().keySet())));
        }
        return Optional.of(base);
    }

    private RewrittenQuery rewritten(RuleBase base, QueryNode tree) {
        try {
            return RuleRewriter.rewrite(
                    base,
                    new RuleQuery(
                            tree,
                            parameters.values(),
                            parameters.text(Parameter.DEFAULT_INDEX).orElse("default"),
                            together(),
                            TermSettings.DEFAULT.with(context.stems(), context.language()),
                            maxItems));
        } catch (RuleLimitException e) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the operator between words of user input. */
    private RuleOperator together() {
        Grammar.Composite composite =
                Grammar.of(context.type())
                        .flatMap(grammar ->
                                grammar.with(
                                        parameters.text(Parameter.TYPE_COMPOSITE).orElse(""), ""))
                        .orElse(Grammar.DEFAULT)
                        .composite();
        return switch (composite) {
            case WEAK_AND -> RuleOperator.WEAK_AND;
            case OR -> RuleOperator.OR;
            case AND, PHRASE, NEAR, ORDERED_NEAR -> RuleOperator.AND;
        };
    }

    /** A parameter that a rule sets is the last of its name, so it wins. */
    private Parameters with(RewrittenQuery rewritten) {
        if (rewritten.settings().isEmpty()) {
            return parameters;
        }
        var values = new LinkedHashMap<>(parameters.values());
        rewritten
                .settings()
                .forEach((name, value) -> {
                    values.remove(name);
                    values.put(name, value);
                });
        return new Parameters(values);
    }
}
