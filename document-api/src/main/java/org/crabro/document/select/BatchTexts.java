package org.crabro.document.select;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.jspecify.annotations.Nullable;

/**
 * Compares the text of one field with a value that is the same for all rows. Numbered texts are
 * compared once for each distinct text. Other texts are compared as bytes in their column.
 */
final class BatchTexts implements BatchStep {
    private static final int BYTES_PER_UNIT = 64;

    private static final @Nullable Truth[] NONE = {};

    private final Condition.Compare compare;
    private final EvaluationContext context;
    private final String field;
    private final DocumentId anyId;
    private final Each otherwise;

    /** The operand, if it is a text and the comparison of bytes decides. */
    private final byte @Nullable [] plain;

    private final boolean isSwapped;

    private SelectedColumn column = new SelectedColumn.Unset();
    private Truth unset = Truth.INVALID;

    /** The results by the number of the text. */
    private @Nullable Truth[] cached = NONE;

    /**
     * @param compare of {@code field} only
     * @param anyId an id of the type
     * @param otherwise evaluates the same for rows whose texts are stored in another form
     */
    BatchTexts(
            Condition.Compare compare,
            EvaluationContext context,
            String field,
            DocumentId anyId,
            Each otherwise) {
        this.compare = compare;
        this.context = context;
        this.field = field;
        this.anyId = anyId;
        this.otherwise = otherwise;
        this.isSwapped = compare.right() instanceof SelectionExpression.FieldPath;
        this.plain =
                isDecidedByBytes(compare.comparison())
                        ? plain(
                                isSwapped ? compare.right() : compare.left(),
                                isSwapped ? compare.left() : compare.right())
                        : null;
    }

    private static boolean isDecidedByBytes(Comparison comparison) {
        return switch (comparison) {
            case EQUAL, NOT_EQUAL, LESS, LESS_OR_EQUAL, GREATER, GREATER_OR_EQUAL -> true;
            case GLOB, REGEX -> false;
        };
    }

    private static byte @Nullable [] plain(SelectionExpression of, SelectionExpression with) {
        return of instanceof SelectionExpression.FieldPath
                        && with instanceof SelectionExpression.Literal(Value.Text(var text))
                ? text.getBytes(StandardCharsets.UTF_8)
                : null;
    }

    @Override
    public void enter(SelectedRows rows) {
        otherwise.enter(rows);
        column = rows.column(field);
        unset = of(Optional.empty());
        if (column instanceof SelectedColumn.Texts texts) {
            if (cached.length < texts.codeCount()) {
                cached = new @Nullable Truth[texts.codeCount()];
            }
            Arrays.fill(cached, 0, texts.codeCount(), null);
        }
    }

    private Truth of(Optional<String> text) {
        var document =
                new SelectedDocument() {
                    @Override
                    public DocumentId id() {
                        return anyId;
                    }

                    @Override
                    public Optional<FieldValue> value(String name) {
                        return text.map(FieldValue.StringValue::new);
                    }
                };
        return new Evaluation(document, context).of(compare);
    }

    @Override
    public void run(int[] rows, int count, Truth[] truths) {
        switch (column) {
            case SelectedColumn.Unset() -> Arrays.fill(truths, 0, count, unset);
            case SelectedColumn.Texts texts -> {
                for (int i = 0; i < count; i++) {
                    truths[i] = texts.isSet(rows[i]) ? of(texts, rows[i]) : unset;
                }
            }
            case SelectedColumn.Numbers _, SelectedColumn.Other _ ->
                    otherwise.run(rows, count, truths);
        }
    }

    private Truth of(SelectedColumn.Texts texts, int row) {
        if (texts.codeCount() > 0) {
            int code = texts.code(row);
            Truth truth = cached[code];
            if (truth == null) {
                truth = of(Optional.of(texts.textOf(code)));
                cached[code] = truth;
            }
            return truth;
        }
        byte[] with = plain;
        if (with == null) {
            return of(Optional.of(texts.text(row)));
        }
        context.report(with.length / BYTES_PER_UNIT);
        int order = Integer.signum(texts.compare(row, with));
        return compare.comparison().ofOrder(isSwapped ? -order : order);
    }
}
