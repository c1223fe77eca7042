package org.crabro.config.parser;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.parser.ScriptDeclaration.Step;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.GraphRules;
import org.crabro.config.schema.SortSettings;

/**
 * A field as written.
 *
 * @param structFields the declarations of parts of the field
 */
public record FieldDeclaration(
        Name name,
        TypeDeclaration type,
        Optional<ScriptDeclaration> script,
        List<StructField> structFields,
        FieldSettings settings) {
    public FieldDeclaration {
        structFields = List.copyOf(structFields);
    }

    /**
     * The settings of a field, grouped by the part of the system that they affect.
     *
     * @param kind what its numbers count, such as {@code time}
     */
    public record FieldSettings(
            DeclaredAttribute attribute,
            DeclaredSearch search,
            DeclaredSummary summary,
            DeclaredRanking ranking,
            DeclaredWeights weights,
            Optional<Name> kind) {}

    /**
     * The settings that only an attribute has.
     *
     * @param items all of them, in order
     * @param metric the {@code distance-metric}
     * @param mutable the place of {@code mutable}
     * @param fastRank the place of {@code fast-rank}
     * @param dictionary the words given to {@code dictionary}, in order
     * @param sorting how hits are sorted by the field
     */
    public record DeclaredAttribute(
            List<Name> items,
            Optional<Name> metric,
            Optional<Name> mutable,
            Optional<Name> fastRank,
            List<Name> dictionary,
            SortSettings sorting) {
        public DeclaredAttribute {
            items = List.copyOf(items);
            dictionary = List.copyOf(dictionary);
        }
    }

    /**
     * How queries find the field.
     *
     * @param match the words given to {@code match}, in order
     * @param gramSize the place of the gram size
     * @param words how words are stemmed and normalized
     * @param index the settings that only an index has
     * @param hnsw how the graph of neighbors is built
     * @param aliases other names in queries, mostly of the field
     */
    public record DeclaredSearch(
            List<MatchDeclaration> match,
            Optional<Name> gramSize,
            WordSettings words,
            DeclaredIndex index,
            Optional<DeclaredGraph> hnsw,
            List<DeclaredAlias> aliases) {
        public DeclaredSearch {
            match = List.copyOf(match);
            aliases = List.copyOf(aliases);
        }
    }

    /**
     * The settings that only an index has.
     *
     * @param first the place of the first one
     * @param arity the place of {@code arity}, which predicates need
     */
    public record DeclaredIndex(Optional<Name> first, Optional<Name> arity) {}

    /**
     * The graph of neighbors of the field.
     *
     * @param at the place of {@code hnsw}
     */
    public record DeclaredGraph(Name at, GraphRules rules) {}

    /**
     * How summaries contain the field.
     *
     * @param inDefault the place that adds the field to the default summary, other than its script
     * @param transform how summaries change the value unless they declare it
     * @param others the summaries that contain the field in addition
     */
    public record DeclaredSummary(
            Optional<Name> inDefault,
            Optional<SummaryTransform> transform,
            List<FieldSummary> others) {
        public DeclaredSummary {
            others = List.copyOf(others);
        }
    }

    /**
     * How the field counts in scores.
     *
     * @param at the place of the first setting
     */
    public record DeclaredRanking(Optional<Name> at, FieldRanking values) {}

    /**
     * How updates change the elements of a weighted set.
     *
     * @param at the place of {@code weightedset}
     * @param rules the words given there, in order
     */
    public record DeclaredWeights(Optional<Name> at, List<Name> rules) {
        public DeclaredWeights {
            rules = List.copyOf(rules);
        }
    }

    /**
     * An additional summary field that shows the field.
     *
     * @param name the name of the summary field
     * @param type if it is declared
     * @param to the document summaries; empty means the default one
     * @param transform how the value is transformed
     */
    public record FieldSummary(
            Name name,
            Optional<TypeDeclaration> type,
            List<Name> sources,
            List<Name> to,
            Optional<SummaryTransform> transform) {
        public FieldSummary {
            sources = List.copyOf(sources);
            to = List.copyOf(to);
        }
    }

    /**
     * The settings of a part of the field that are not about matching.
     *
     * @param attribute the place of the first setting of an attribute
     * @param kind what its numbers count
     */
    public record PartSettings(
            Optional<Name> attribute, FieldRanking ranking, Optional<Name> kind) {}

    /**
     * A part of the field, such as a member of a struct.
     *
     * @param path names of parts, separated by dots
     * @param words how words are normalized for matching
     * @param structFields settings of parts of this part
     */
    public record StructField(
            Name path,
            Optional<ScriptDeclaration> script,
            List<MatchDeclaration> match,
            WordSettings words,
            PartSettings settings,
            List<StructField> structFields) {
        public StructField {
            match = List.copyOf(match);
            structFields = List.copyOf(structFields);
        }

        /** Returns the outputs of the part's own script. */
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
