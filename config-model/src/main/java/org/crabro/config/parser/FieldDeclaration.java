package org.crabro.config.parser;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.parser.ScriptDeclaration.Step;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.SortSettings;

/**
 * A field as written.
 *
 * @param match the words given to {@code match}, in order
 * @param gramSize where the size of grams was set
 * @param metric the {@code distance-metric}
 * @param attributeItems what is set that only an attribute has
 * @param indexSettings where something was set that only an index has
 * @param rankSettings where ranking of the field was set
 * @param hnsw where {@code hnsw} was asked for
 * @param mutable where the attribute was said to be {@code mutable}
 * @param fastRank where the attribute was said to be {@code fast-rank}
 * @param dictionary the words given to {@code dictionary}, in order
 * @param words how words are stemmed and normalized
 * @param transform what summaries make of the value where they do not say it
 * @param aliases other names for the field in queries
 * @param weightedSet where it was said how updates change elements
 * @param weightRules the words that were given there, in order
 * @param structFields what is said of parts of the field
 * @param summaries where the field is shown besides
 * @param sorting how its strings are put in order
 * @param ranking how it counts in scores
 * @param summary where the field was said to be in the default summary, apart from its script
 */
public record FieldDeclaration(
        Name name,
        TypeDeclaration type,
        Optional<ScriptDeclaration> script,
        List<MatchDeclaration> match,
        Optional<Name> gramSize,
        Optional<Name> metric,
        List<Name> attributeItems,
        Optional<Name> indexSettings,
        Optional<Name> rankSettings,
        Optional<Name> hnsw,
        Optional<Name> mutable,
        Optional<Name> fastRank,
        List<Name> dictionary,
        WordSettings words,
        Optional<Name> summary,
        Optional<SummaryTransform> transform,
        List<Name> aliases,
        Optional<Name> weightedSet,
        List<Name> weightRules,
        List<StructField> structFields,
        List<FieldSummary> summaries,
        SortSettings sorting,
        FieldRanking ranking) {
    public FieldDeclaration {
        match = List.copyOf(match);
        attributeItems = List.copyOf(attributeItems);
        dictionary = List.copyOf(dictionary);
        aliases = List.copyOf(aliases);
        weightRules = List.copyOf(weightRules);
        structFields = List.copyOf(structFields);
        summaries = List.copyOf(summaries);
    }

    /**
     * Where the field is shown besides.
     *
     * @param name what it is called there
     * @param to the document summaries; none for the default one
     * @param transform what is made of the value
     */
    public record FieldSummary(
            Name name, List<Name> sources, List<Name> to, Optional<SummaryTransform> transform) {
        public FieldSummary {
            sources = List.copyOf(sources);
            to = List.copyOf(to);
        }
    }

    /**
     * What is said of a part of the field.
     *
     * @param path names of parts with dots between them
     * @param words how its words are made ready to be compared
     * @param structFields of parts of the part
     */
    public record StructField(
            Name path,
            Optional<ScriptDeclaration> script,
            List<MatchDeclaration> match,
            WordSettings words,
            Optional<Name> attributeSettings,
            List<StructField> structFields) {
        public StructField {
            match = List.copyOf(match);
            structFields = List.copyOf(structFields);
        }

        /** Returns where the part's own script sends it. */
        public Set<Aspect> aspects() {
            return script.stream()
                    .flatMap(said -> said.statements().stream())
                    .flatMap(statement -> statement.steps().stream())
                    .filter(Step.Output.class::isInstance)
                    .map(step -> ((Step.Output) step).aspect())
                    .collect(Collectors.toSet());
        }
    }
}
