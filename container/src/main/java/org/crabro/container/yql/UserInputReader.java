package org.crabro.container.yql;

import java.util.Optional;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.Spelling;
import org.crabro.protocol.query.TermSettings;

/**
 * Reads the text that a user typed: {@code userInput()}, {@code userQuery()} and {@code text()}.
 */
final class UserInputReader {
    private final Operands operands;
    private final QueryContext context;
    private final Operators operators;

    UserInputReader(Operands operands, QueryContext context, Operators operators) {
        this.operands = operands;
        this.context = context;
        this.operators = operators;
    }

    QueryNode userInput(YqlExpression.Call call, Annotations around) {
        operands.expectArguments(call, 1);
        String text = operands.text(call.arguments().getFirst(), "userInput()");
        if (text.startsWith("@") && call.arguments().getFirst() instanceof YqlExpression.Text at) {
            text = operands.parameter(new YqlExpression.Parameter(at.offset(), text.substring(1)));
        }
        String defaultIndex = around.text(StandardAnnotation.DEFAULT_INDEX, "default");
        return words(text, defaultIndex, call.offset(), around, context.grammar())
                .orElseGet(() -> {
                    if (around.truth(StandardAnnotation.ALLOW_EMPTY, false)) {
                        return new QueryNode.None();
                    }
                    throw operands.error(
                            call.offset(),
                            "userInput() got no words; {allowEmpty: true} lets it match"
                                    + " nothing");
                });
    }

    private Spelling spelling(Annotations around) {
        Spelling otherwise = context.spelling();
        return Spelling.of(
                around.truth(StandardAnnotation.TYPOS, otherwise.typos()),
                around.truth(StandardAnnotation.BEGINNING, otherwise.beginning()));
    }

    QueryNode userQuery(YqlExpression.Call call) {
        operands.expectArguments(call, 0);
        return context.userQuery()
                .orElseThrow(() ->
                        operands.error(
                                call.offset(),
                                "userQuery() needs words in the request parameter" + " 'query'"));
    }

    /**
     * Parses words by the grammar in annotations; empty if there are no words.
     *
     * @param index the field or fieldset of words that name none
     * @param offset of the call, for errors
     * @param otherwise the grammar if no annotation names one
     */
    Optional<QueryNode> words(
            String written, String index, int offset, Annotations around, String otherwise) {
        String text = around.normalized(written);
        context.count(text.length());
        String name = around.text(StandardAnnotation.GRAMMAR, otherwise);
        if (name.equals("raw")) {
            return text.isBlank()
                    ? Optional.empty()
                    : Optional.of(new QueryNode.Term(index, text, around.termSettings()));
        }
        Grammar grammar =
                Grammar.of(name)
                        .flatMap(named ->
                                named.with(
                                        around.text(StandardAnnotation.GRAMMAR_COMPOSITE, ""),
                                        around.text(StandardAnnotation.GRAMMAR_SYNTAX, "")))
                        .orElseThrow(() ->
                                operands.error(
                                        around.find(StandardAnnotation.GRAMMAR)
                                                .map(YqlExpression.Entry::offset)
                                                .orElse(offset),
                                        "expected one of "
                                                + Grammar.NAMES
                                                + " for annotation 'grammar', got \""
                                                + name
                                                + '"'));
        // The label applies to all words together; only a single word can have it.
        TermSettings settings = around.termSettings().with(spelling(around));
        return SimpleQueryParser.parse(text, grammar, index, context, settings.labeled(""))
                .map(node ->
                        switch (node) {
                            case QueryNode.Term(var field, var word, var own) ->
                                    new QueryNode.Term(
                                            field, word, own.labeled(settings.hints().label()));
                            case QueryNode.Near near -> operators.apart(near, around);
                            default -> node;
                        });
    }
}
