package org.crabro.container.search;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Target;
import org.crabro.container.query.TraceLine;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryNode.Term;
import org.crabro.protocol.query.TermHints.Frequency;
import org.crabro.protocol.query.TermSettings;
import org.crabro.ranking.significance.SignificanceModel;
import org.crabro.ranking.significance.SignificanceModels;
import org.crabro.text.Tokenizer;

/**
 * Looks up the document frequencies of the words of one query. A phrase is one term with the
 * frequency of its rarest word. {@code equiv()} is one term with the frequency of its most common
 * word.
 *
 * <p>Parts of words, numbers, and keys get no frequency, because models contain whole words of
 * texts.
 */
final class SignificantWords {
    private final SignificanceModels models;
    private final List<Target> targets;
    private final Set<String> told = new LinkedHashSet<>();

    SignificantWords(SignificanceModels models, List<Target> targets) {
        this.models = models;
        this.targets = targets;
    }

    /** Returns the lines of the trace about the words. */
    List<TraceLine> trace() {
        return told.stream().map(TraceLine::now).toList();
    }

    /**
     * Returns a tree whose words have document frequencies.
     *
     * @throws IllegalQueryException if there is no model for the language of a word
     */
    QueryNode in(QueryNode node) {
        return switch (node) {
            case QueryNode.And(var children) -> new QueryNode.And(in(children));
            case QueryNode.Or(var children) -> new QueryNode.Or(in(children));
            case QueryNode.WeakAnd(var children) -> new QueryNode.WeakAnd(in(children));
            case QueryNode.Without(var include, var exclude) ->
                    new QueryNode.Without(in(include), in(exclude));
            case QueryNode.Rank(var required, var others) ->
                    new QueryNode.Rank(in(required), in(others));
            case QueryNode.Near(
                            var field,
                            var near,
                            var exclude,
                            var distance,
                            var exclusionDistance,
                            var ordered) ->
                    new QueryNode.Near(
                            field, in(near), in(exclude), distance, exclusionDistance, ordered);
            case QueryNode.Equiv(var alternatives) -> equiv(alternatives);
            case Term _, QueryNode.Phrase _ ->
                    frequency(node).map(frequency -> with(node, frequency)).orElse(node);
            case QueryNode.All _, QueryNode.None _, QueryNode.FieldCondition _ -> node;
        };
    }

    private List<QueryNode> in(List<QueryNode> nodes) {
        return nodes.stream().map(this::in).toList();
    }

    private QueryNode equiv(List<QueryNode> alternatives) {
        Optional<Frequency> most =
                alternatives.stream()
                        .flatMap(each -> frequency(each).stream())
                        .max(SignificantWords::compareShares);
        return new QueryNode.Equiv(
                alternatives.stream()
                        .map(each -> most.map(frequency -> with(each, frequency)).orElse(each))
                        .toList());
    }

    /** Compares by shares, as words of several languages are counted in several models. */
    private static int compareShares(Frequency one, Frequency other) {
        return Double.compare(
                (double) one.documents() / (double) one.total(),
                (double) other.documents() / (double) other.total());
    }

    /**
     * Returns the frequency of a word or a phrase; empty if the query sets it, or for other nodes.
     */
    private Optional<Frequency> frequency(QueryNode node) {
        return switch (node) {
            case Term(var field, var text, var settings) when isWord(field, settings) ->
                    frequency(List.of(text), settings.language());
            case QueryNode.Phrase(var field, var words, var settings)
                    when isWord(field, settings) ->
                    frequency(words, settings.language());
            default -> Optional.empty();
        };
    }

    private Optional<Frequency> frequency(List<String> texts, String language) {
        List<String> words =
                texts.stream().flatMap(text -> Tokenizer.words(text).stream()).toList();
        if (words.isEmpty()) {
            return Optional.empty();
        }
        SignificanceModel model = models.of(language).orElseThrow(() -> missing(language));
        return words.stream()
                .map(word -> frequency(word, model))
                .min(SignificantWords::compareShares);
    }

    private Frequency frequency(String word, SignificanceModel model) {
        long documents = model.documents(word);
        told.add(
                "Significance model of '%s': '%s' is in %d of %d documents%s"
                        .formatted(
                                model.language(),
                                word,
                                documents,
                                model.documents(),
                                documents == 0 ? ", and counts as in 1" : ""));
        return new Frequency(Math.max(1, documents), model.documents());
    }

    private IllegalQueryException missing(String language) {
        return new IllegalQueryException(
                ErrorCode.ILLEGAL_QUERY,
                models.languages().isEmpty()
                        ? "the application has no significance models: name one in services.xml, or"
                                + " set ranking.significance.useModel=false"
                        : "there is no significance model for %s, only for %s"
                                .formatted(
                                        language.isEmpty()
                                                ? "words without a language"
                                                : "language '" + language + "'",
                                        models.languages()));
    }

    private static QueryNode with(QueryNode node, Frequency frequency) {
        return switch (node) {
            case Term(var field, var text, var settings) ->
                    new Term(field, text, with(settings, frequency));
            case QueryNode.Phrase(var field, var words, var settings) ->
                    new QueryNode.Phrase(field, words, with(settings, frequency));
            default -> node;
        };
    }

    private static TermSettings with(TermSettings settings, Frequency frequency) {
        return isSaid(settings) ? settings : settings.withFrequency(frequency);
    }

    private static boolean isSaid(TermSettings settings) {
        return settings.hints().statistics().frequency().isPresent()
                || settings.hints().statistics().significance().isPresent();
    }

    private boolean isWord(String field, TermSettings settings) {
        return settings.ranked()
                && settings.affix() == TermSettings.Affix.FIELD
                && !isSaid(settings)
                && !field.equals(Term.DOCUMENT_TYPE)
                && targets.stream()
                        .noneMatch(target ->
                                target.schema()
                                        .field(field)
                                        .filter(schemaField -> isNumber(schemaField.field().type()))
                                        .isPresent());
    }

    private static boolean isNumber(FieldType type) {
        return switch (type) {
            case Primitive primitive -> primitive.isNumber() || primitive == Primitive.BOOL;
            case FieldType.ArrayOf(var element) -> isNumber(element);
            case FieldType.WeightedSetOf(var key) -> isNumber(key);
            case FieldType.MapOf _,
                    FieldType.StructOf _,
                    FieldType.ReferenceOf _,
                    FieldType.TensorOf _ ->
                    false;
        };
    }
}
