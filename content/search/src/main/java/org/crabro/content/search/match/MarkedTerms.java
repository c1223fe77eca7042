package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchMode.Affix;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.text.TextMarks.Kind;
import org.crabro.content.search.match.text.TextMarks.SearchedTerm;
import org.crabro.content.search.match.text.TextPattern;
import org.crabro.protocol.query.GramMatch;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;

/**
 * The terms of a query that are highlighted in texts. The kind of a term decides what is marked,
 * not the match settings of the field: so a document can match without a mark.
 *
 * @param tree with decided {@link TypeConditions}
 */
record MarkedTerms(QueryNode tree, Schema schema) {
    /**
     * Returns the ranked terms that search a field, in the order of the query.
     *
     * @param part the path of a part of the field; empty for the field itself
     * @param anyField whether to return terms that search other fields too
     */
    List<SearchedTerm> in(SchemaField field, String part, boolean anyField) {
        var terms = new ArrayList<SearchedTerm>();
        var place = new FieldPart(field.field().name(), part);
        new Terms(this, place, field.matching().of(part), anyField, terms).add(tree);
        return terms;
    }

    private boolean searches(String name, FieldPart place) {
        Fieldset fieldset = schema.fieldset(name).orElse(null);
        List<String> names =
                fieldset == null || schema.field(name).isPresent()
                        ? List.of(name)
                        : fieldset.fields();
        return names.stream()
                .flatMap(each -> FieldPath.of(each, schema).stream())
                .anyMatch(path ->
                        place.equals(new FieldPart(path.field().field().name(), path.path())));
    }

    private record FieldPart(String field, String path) {}

    /** Collects the terms of a tree. */
    private record Terms(
            MarkedTerms query,
            FieldPart place,
            MatchMode mode,
            boolean anyField,
            List<SearchedTerm> terms) {
        void add(QueryNode node) {
            switch (node) {
                case QueryNode.And(var children) -> children.forEach(this::add);
                case QueryNode.Or(var children) -> children.forEach(this::add);
                case QueryNode.WeakAnd(var children) -> children.forEach(this::add);
                case QueryNode.Equiv(var children) -> children.forEach(this::add);
                case QueryNode.Without(var include, _) -> add(include);
                case QueryNode.Rank(var required, var others) -> {
                    add(required);
                    others.forEach(this::add);
                }
                case QueryNode.Near near -> near.near().forEach(this::add);
                case QueryNode.Term(var field, var text, var settings) ->
                        add(field, List.of(text), settings);
                case QueryNode.Phrase(var field, var words, var settings) ->
                        add(field, words, settings.with(GramMatch.PHRASE));
                case QueryNode.Range range ->
                        range.word()
                                .ifPresent(word ->
                                        add(range.field(), List.of(word), range.settings()));
                case QueryNode.BooleanEquals(var field, var value, var settings) ->
                        add(field, List.of(Boolean.toString(value)), settings);
                case QueryNode.All _, QueryNode.None _, QueryNode.FieldCondition _ -> {
                    // Marks nothing.
                }
            }
        }

        private void add(String field, List<String> words, TermSettings settings) {
            if (!settings.ranked()) {
                return;
            }
            boolean isSearched = query.searches(field, place);
            // A term of another field may have more grams than one pattern can have.
            if (isSearched || (anyField && mode.gramSize() == 0)) {
                kind(settings)
                        .ifPresent(kind ->
                                pattern(words, settings, kind)
                                        .ifPresent(pattern ->
                                                terms.add(new SearchedTerm(pattern, kind))));
            }
        }

        /** Returns the kind of a term; empty if it marks nothing. */
        private Optional<Kind> kind(TermSettings settings) {
            Kind part = query.schema().summaries().indexed() ? Kind.PREFIX : Kind.PART;
            return switch (settings.affix()) {
                case SUBSTRING -> Optional.of(part);
                case SUFFIX -> Optional.empty();
                case PREFIX -> Optional.of(mode.affix() == Affix.SUBSTRING ? part : Kind.PREFIX);
                case FIELD -> Optional.of(mode.affix() == Affix.SUBSTRING ? part : Kind.WORD);
            };
        }

        private Optional<TextPattern> pattern(
                List<String> words, TermSettings settings, Kind kind) {
            Affix affix =
                    switch (kind) {
                        case WORD -> Affix.WHOLE;
                        case PREFIX -> Affix.PREFIX;
                        case PART -> Affix.SUBSTRING;
                    };
            return TextPatterns.pattern(words, settings, affix, mode, place.field());
        }
    }
}
