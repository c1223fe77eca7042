package org.crabro.container.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.crabro.container.yql.Grammar;
import org.crabro.container.yql.SimpleQueryParser;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;

/** Reads the words in the parameters {@code query}, {@code filter} and {@code recall}. */
final class QueryStringReader {
    private static final Set<String> TOKENIZATIONS = Set.of("", "internal", "linguistics");

    private final Parameters parameters;
    private final RequestContext context;

    QueryStringReader(Parameters parameters, RequestContext context) {
        this.parameters = parameters;
        this.context = context;
    }

    /** Returns the tree of {@code query}, narrowed by {@code filter}; empty without words. */
    Optional<QueryNode> userQuery() {
        Grammar grammar = grammar();
        return SimpleQueryParser.parse(
                        parameters.text(Parameter.QUERY).orElse(""),
                        grammar,
                        parameters.text(Parameter.DEFAULT_INDEX).orElse("default"),
                        context,
                        TermSettings.DEFAULT
                                .with(context.stems(), context.language())
                                .with(context.spelling()))
                .map(this::filtered);
    }

    /**
     * Returns {@code tree} narrowed by the words in {@code recall}, which rank features ignore.
     *
     * @throws IllegalQueryException if a word has no sign
     */
    QueryNode recalled(QueryNode tree) {
        Optional<String> recall = parameters.text(Parameter.RECALL);
        if (recall.isEmpty()) {
            return tree;
        }
        SimpleQueryParser.Signed signed = signed(recall.get());
        if (!signed.others().isEmpty()) {
            throw invalid("recall: expected + or - before each word but found " + recall.get());
        }
        return narrowed(tree, signed);
    }

    private QueryNode filtered(QueryNode tree) {
        Optional<String> filter = parameters.text(Parameter.FILTER);
        if (filter.isEmpty()) {
            return tree;
        }
        SimpleQueryParser.Signed signed = signed(filter.get());
        QueryNode narrowed = narrowed(tree, signed);
        return signed.others().isEmpty() ? narrowed : new QueryNode.Rank(narrowed, signed.others());
    }

    private static QueryNode narrowed(QueryNode tree, SimpleQueryParser.Signed signed) {
        var all = new ArrayList<QueryNode>(List.of(tree));
        all.addAll(signed.required());
        QueryNode operand = all.size() == 1 ? tree : new QueryNode.And(all);
        return signed.excluded().isEmpty()
                ? operand
                : new QueryNode.Without(operand, signed.excluded());
    }

    private SimpleQueryParser.Signed signed(String text) {
        return SimpleQueryParser.signed(
                text, parameters.text(Parameter.DEFAULT_INDEX).orElse("default"), context);
    }

    private Grammar grammar() {
        String tokenization = parameters.text(Parameter.TYPE_TOKENIZATION).orElse("");
        Grammar named =
                Grammar.of(context.type())
                        .orElseThrow(() -> illegal("No query type '" + context.type() + "'"));
        Grammar grammar =
                named.with(
                                parameters.text(Parameter.TYPE_COMPOSITE).orElse(""),
                                parameters.text(Parameter.TYPE_SYNTAX).orElse(""))
                        .orElseThrow(() ->
                                illegal(
                                        "expected one of %s as model.type.composite, and one of %s as model.type.syntax"
                                                .formatted(Grammar.COMPOSITES, Grammar.SYNTAXES)));
        if (!TOKENIZATIONS.contains(tokenization.toLowerCase(Locale.ROOT))) {
            throw illegal("expected internal or linguistics as model.type.tokenization");
        }
        if (tokenization.equalsIgnoreCase("linguistics")
                && grammar.syntax() != Grammar.Syntax.NONE) {
            throw illegal("model.type.tokenization: linguistics needs the syntax none");
        }
        return grammar;
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, problem);
    }

    private static IllegalQueryException invalid(String problem) {
        return new IllegalQueryException(ErrorCode.INVALID_PARAMETER, problem);
    }
}
