package org.crabro.document.select;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;

/**
 * A selection of documents. Immutable and shared by threads.
 *
 * {@snippet :
 * Selection selection = Selection.parse("mail.size > 1000 and id.group == \"anna\"", types);
 * boolean isMeant = selection.of(SelectedDocument.of(document), now) == Truth.TRUE;
 * }
 *
 * <p>A document is selected on {@link Truth#TRUE} only. Expiry removes a document on {@link
 * Truth#FALSE} only: documents with an invalid result are kept.
 */
public final class Selection {
    /** The maximum number of characters of a selection. */
    public static final int LENGTH_MAX = 1 << 20;

    /**
     * The maximum nesting depth of parentheses and {@code not}, and of calculations and calls in a
     * value.
     */
    public static final int DEPTH_MAX = 1_024;

    /** The maximum nesting depth of groups of a regular expression. */
    public static final int REGEX_DEPTH_MAX = 200;

    /** Ignores the units of work of an evaluation, which has no limit then. */
    public static final IntConsumer UNLIMITED = _ -> {};

    private final String text;
    private final Condition condition;
    private final SelectionTypes types;
    private final SelectedPlaces places;

    private Selection(String text, Condition condition, SelectionTypes types) {
        this.text = text;
        this.condition = condition;
        this.types = types;
        this.places = SelectedPlaces.of(condition);
    }

    /**
     * Parses a selection. A blank text selects all documents.
     *
     * @throws InvalidSelectionException if the text has a syntax error, or names types or fields
     *     that do not exist
     */
    public static Selection parse(String text, SelectionTypes types) {
        return new Selection(text, new SelectionParser(text, types, DEPTH_MAX).parse(), types);
    }

    /**
     * Returns the selection of the documents that every part selects. The parts are joined as
     * trees: no text of a part can change what another one selects.
     *
     * @param parts of the same types; without any, all documents are selected
     * @throws InvalidSelectionException if the parts are too long together
     */
    public static Selection allOf(List<Selection> parts, SelectionTypes types) {
        List<Selection> limiting = parts.stream().filter(part -> !part.text.isBlank()).toList();
        if (limiting.isEmpty()) {
            return parse("", types);
        }
        if (limiting.size() == 1) {
            return limiting.getFirst();
        }
        // Each text was parsed to its end, so that it has no parenthesis or quote too many.
        var text = new StringBuilder();
        var conditions = new ArrayList<Condition>();
        for (Selection part : limiting) {
            text.append(text.isEmpty() ? "(" : " and (").append(part.text).append(')');
            conditions.add(part.condition);
        }
        checkLength(text);
        return new Selection(text.toString(), new Condition.And(conditions), types);
    }

    /**
     * Returns the selection of the documents for which this one is false.
     *
     * @throws InvalidSelectionException if it is too long
     */
    public Selection negated() {
        var negated = new StringBuilder("not (").append(text.isBlank() ? "true" : text).append(')');
        checkLength(negated);
        return new Selection(negated.toString(), new Condition.Not(condition), types);
    }

    private static void checkLength(StringBuilder text) {
        if (text.length() > LENGTH_MAX) {
            throw new InvalidSelectionException(
                    text.toString(), LENGTH_MAX, SelectionParser.TOO_LONG.formatted(LENGTH_MAX));
        }
    }

    /**
     * Parses a selection that contains others in parentheses. Each of them can be as deep as the
     * limit allows.
     *
     * @throws InvalidSelectionException as {@link #parse} does
     */
    public static Selection parseConjunction(String text, SelectionTypes types) {
        return new Selection(text, new SelectionParser(text, types, DEPTH_MAX + 1).parse(), types);
    }

    /**
     * Evaluates this for a document.
     *
     * @param now whole seconds since 1970
     */
    public Truth of(SelectedDocument document, long now) {
        return of(document, now, UNLIMITED);
    }

    /**
     * Evaluates this for a document.
     *
     * @param now whole seconds since 1970
     * @param work receives units of work of 1 to 5 ns, most of them before the work is done; may
     *     throw to end the evaluation
     */
    public Truth of(SelectedDocument document, long now, IntConsumer work) {
        return new Evaluation(document, new EvaluationContext(types, now, work)).of(condition);
    }

    /**
     * Returns an evaluation of this for many documents of a type at a time.
     *
     * @param now whole seconds since 1970
     * @param work as for {@link #of(SelectedDocument, long, IntConsumer)}
     */
    public BatchSelection batches(String documentType, long now, IntConsumer work) {
        return new BatchSelection(condition, new EvaluationContext(types, now, work), documentType);
    }

    /**
     * Returns whether any of many documents of a type may be selected; true if this is not known.
     *
     * @param now whole seconds since 1970
     * @param spans the ranges of fields by their names; empty if unknown
     * @param work as for {@link #of(SelectedDocument, long, IntConsumer)}
     */
    public boolean mayMean(
            String documentType,
            long now,
            Function<String, Optional<NumberSpan>> spans,
            IntConsumer work) {
        return new PossibleTruth(new EvaluationContext(types, now, work), documentType, spans, null)
                .mayBeTrue(condition);
    }

    /**
     * Returns whether a document with an id may be selected, for any values of its fields.
     *
     * @param now whole seconds since 1970
     * @param work as for {@link #of(SelectedDocument, long, IntConsumer)}
     */
    public boolean mayMean(DocumentId id, long now, IntConsumer work) {
        var document = SelectedDocument.of(new Document(id, Map.of()));
        return new PossibleTruth(
                        new EvaluationContext(types, now, work),
                        id.documentType(),
                        _ -> Optional.empty(),
                        document)
                .mayBeTrue(condition);
    }

    /** Returns the places where selected documents can be. */
    public SelectedPlaces places() {
        return places;
    }

    /** Returns the fields that are read of documents of a type, in alphabetical order. */
    public Set<String> fields(String documentType) {
        var fields = new TreeSet<String>();
        new FieldCollector(types, documentType, fields).add(condition);
        return fields;
    }

    /** Returns the text from which this was parsed. */
    @Override
    public String toString() {
        return text;
    }
}
