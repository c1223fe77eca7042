package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.FieldPart;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.group.Grouping;
import org.crabro.content.search.match.IndexUse;
import org.crabro.content.search.match.IndexedSearch;
import org.crabro.content.search.match.MatchPhaseLimit;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.parent.Parents;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.search.rank.Properties;
import org.crabro.content.search.rank.RankProgramCache;
import org.crabro.content.search.rank.RankResources;
import org.crabro.content.search.rank.Ranking;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.ScanStoppedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.graph.GraphTuning;
import org.crabro.document.Field;
import org.crabro.protocol.search.RankLimits;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SummarySettings;
import org.jspecify.annotations.Nullable;

/**
 * A request compiled against a schema: how rows match, are scored, sorted, grouped and shown, and
 * which parts of blocks that reads. Immutable; the threads of a search share it.
 */
final class SearchPlan {
    private final SearchRequest request;
    private final Schema schema;
    private final Parents parents;
    private final QueryFields fields = new QueryFields();
    private final GraphTuning tuning;
    private final @Nullable MatchPhaseLimit limit;
    private final Matcher matcher;
    private final Sorting sorting;
    private final SummaryFields summary;
    private final @Nullable Grouping grouping;
    private final @Nullable ScopeSelection selection;
    private final @Nullable Ranking ranking;
    private final BlockProjection shown;
    private final BlockProjection scanned;
    private final BlockProjection deciding;

    /**
     * Compiles a request.
     *
     * @param programs the cache of compiled rank expressions
     * @param compiling counts the work of computing constants of the query
     * @throws QueryRejectedException if the schema cannot answer the request
     * @throws ScanStoppedException if time is up before all constants are computed
     */
    SearchPlan(
            SearchRequest request,
            SearchedType type,
            RankProgramCache programs,
            WorkMeter compiling) {
        this.request = request;
        this.schema = type.schema();
        this.parents = type.parents();
        RankProfile profile = profile(request, schema);
        this.tuning = tuning(profile);
        this.limit = new MatchPhaseProperties(profile, schema).limit().orElse(null);
        this.selection =
                request.scope().documents() instanceof Scope.Selected scope
                        ? ScopeSelection.of(
                                scope,
                                schema,
                                type.selectable(),
                                request.query().ranking().nowSeconds())
                        : null;
        this.sorting = Sorting.of(request.hits().sorting(), schema, parents);
        this.summary = SummaryFields.of(request.hits().summary(), schema);
        this.shown = HitReader.shown(sorting, summary, parents);
        Matcher compiled =
                Matcher.compile(
                        request.query().tree(),
                        schema,
                        Ranking.inputs(profile, request.query().ranking()),
                        Ranking.elementGaps(profile, request.query().ranking()),
                        fields);
        this.matcher = Trace.countsRows(request) ? compiled.counting() : compiled;
        this.grouping =
                request.grouping().requests().isEmpty()
                        ? null
                        : Grouping.compile(
                                request.grouping(),
                                schema,
                                fields,
                                request.query().ranking().nowSeconds());
        this.ranking =
                isRanked(request)
                        ? ranking(
                                profile,
                                new RankResources(programs.of(schema), type.models(), compiling))
                        : null;
        Set<String> words = wholeFields(matcher.searchedTexts(true));
        this.scanned = scanned(words);
        this.deciding =
                new BlockProjection(
                        parents.stored(wholeFields(matcher.searchedTexts(false))),
                        Set.of(),
                        words,
                        false,
                        false);
        if (request.hits().after().isPresent() && isReranked()) {
            throw new QueryRejectedException(
                    "after: hits that a second phase ranks again are paged by offset");
        }
    }

    private Ranking ranking(RankProfile profile, RankResources resources) {
        Ranking compiled =
                Ranking.compile(
                        profile, schema, request.query().ranking(), matcher, fields, resources);
        return request.reply().explains() ? compiled.showingUsed() : compiled;
    }

    private static RankProfile profile(SearchRequest request, Schema schema) {
        String name = request.query().ranking().profile();
        RankProfile rankProfile = schema.rankProfiles().get(name);
        if (rankProfile == null) {
            throw new QueryRejectedException(
                    "there is no rank profile '%s' in '%s'; there are %s"
                            .formatted(
                                    name,
                                    schema.name(),
                                    schema.rankProfiles().keySet().stream().sorted().toList()));
        }
        return rankProfile.withProperties(request.query().ranking().overrides().properties());
    }

    /**
     * Returns how graphs are searched, by properties of the profile and the request.
     *
     * @throws QueryRejectedException if one of them is not a number
     */
    private static GraphTuning tuning(RankProfile profile) {
        GraphTuning usual = GraphTuning.DEFAULT;
        if (profile.settings().properties().isEmpty()) {
            return usual;
        }
        return new GraphTuning(
                number(profile, "approximateThreshold", usual.approximateThreshold()),
                number(profile, "postFilterThreshold", usual.postFilterThreshold()),
                number(profile, "filterFirstThreshold", usual.filterFirstThreshold()),
                number(profile, "filterFirstExploration", usual.filterFirstExploration()),
                number(profile, "explorationSlack", usual.explorationSlack()),
                number(profile, "targetHitsMaxAdjustmentFactor", usual.adjustmentMax()));
    }

    private static double number(RankProfile profile, String name, double usual) {
        return Properties.number(profile, RankProfile.MATCHING + name, usual);
    }

    /** A request that only counts needs no scores, unless a drop limit removes rows from groups. */
    private static boolean isRanked(SearchRequest request) {
        RankLimits limits = request.query().ranking().limits();
        boolean dropsFromGroups =
                !request.grouping().requests().isEmpty()
                        && (limits.dropLimit().isPresent() || limits.secondDropLimit().isPresent());
        return request.hits().count() != 0 || request.grouping().needsScores() || dropsFromGroups;
    }

    /** Returns the names without those of parts of fields, which blocks do not store. */
    private Set<String> wholeFields(Set<String> names) {
        Set<String> whole = new HashSet<>(names);
        whole.removeIf(name -> schema.named(name).isEmpty());
        return whole;
    }

    /**
     * @param words fields whose words are looked up
     */
    private BlockProjection scanned(Set<String> words) {
        Set<String> values = new HashSet<>();
        List<Field> all = fields.all();
        for (int i = 0; i < all.size(); i++) {
            String name = fields.parts().get(i).map(FieldPart::whole).orElse(all.get(i)).name();
            if (!words.contains(name) || parents.has(name)) {
                values.add(name);
            }
        }
        values.addAll(matcher.readTexts());
        values.addAll(sorting.fields());
        // Grouping reads the values of a field, even if matching looks up its words.
        values.addAll(grouping == null ? Set.of() : grouping.read());
        return new BlockProjection(
                parents.stored(values),
                matcher.comparedLengths(),
                words,
                true,
                grouping != null && grouping.readsIds());
    }

    SearchRequest request() {
        return request;
    }

    Schema schema() {
        return schema;
    }

    /** Returns the most rows of a slice, so that its imported values take little memory. */
    int sliceRows() {
        if (parents.isEmpty()) {
            return Integer.MAX_VALUE;
        }
        var whole = new ArrayList<>(fields.all());
        fields.parts().forEach(part -> part.ifPresent(fieldPart -> whole.add(fieldPart.whole())));
        return parents.sliceRows(whole);
    }

    /** Returns the documents whose fields are imported. */
    Parents parents() {
        return parents;
    }

    /** Returns the fields that matching, ranking and grouping read, with their numbers. */
    QueryFields fields() {
        return fields;
    }

    Matcher matcher() {
        return matcher;
    }

    Sorting sorting() {
        return sorting;
    }

    /** Returns the document summary of hits outside groups. */
    SummaryFields summary() {
        return summary;
    }

    /**
     * Returns a document summary of a hit in a group.
     *
     * @param name empty for the summary of hits outside groups
     */
    SummaryFields summary(String name) {
        return name.isEmpty()
                ? summary
                : SummaryFields.of(
                        new SummarySettings(name, List.of())
                                .with(request.hits().summary().marking()),
                        schema);
    }

    /** Returns how the matches in indexes are limited; empty if they are not. */
    Optional<MatchPhaseLimit> limit() {
        // Matches would be limited before a selection excludes some of them.
        return selection == null ? Optional.ofNullable(limit) : Optional.empty();
    }

    /** Returns how rows are grouped; empty for a request without groups. */
    Optional<Grouping> grouping() {
        return Optional.ofNullable(grouping);
    }

    /** Returns the selection of the scope; empty if the scope includes whole groups. */
    Optional<ScopeSelection> selection() {
        return Optional.ofNullable(selection);
    }

    /** Returns how rows are scored; empty if the reply contains neither hits nor scores. */
    Optional<Ranking> ranking() {
        return Optional.ofNullable(ranking);
    }

    /** Returns whether rows are scored before they are sorted, grouped or dropped. */
    boolean scoresWhileMatching() {
        return sorting.needsScores()
                || request.grouping().needsScores()
                || (ranking != null && ranking.drops());
    }

    /** Returns whether a second phase scores the best rows again; never for a sorted result. */
    boolean isReranked() {
        return ranking != null
                && ranking.isReranked()
                && sorting.keys().isEmpty()
                && request.hits().count() > 0;
    }

    /** Returns how many rows each thread keeps: the hits, or the rows that are reranked. */
    int topRows() {
        return isReranked()
                ? Math.max(
                        request.hits().count(),
                        request.query().ranking().limits().rerankCount().orElse(0))
                : request.hits().count();
    }

    /** Returns the parts of blocks that matching, scoring, sorting and grouping read. */
    BlockProjection scanned() {
        return scanned;
    }

    /** Returns the parts of a block that decide whether any of its rows may match. */
    BlockProjection deciding() {
        return deciding;
    }

    /** Returns the parts that the search reads of every block in scope. */
    BlockProjection readOfAllBlocks() {
        // If words decide, most blocks may contain none of them.
        boolean needsAll =
                deciding.equals(BlockProjection.NONE) || request.grouping().needsEverything();
        return needsAll ? scanned : BlockProjection.NONE;
    }

    /** Returns whether a search reads blocks without matching rows too. */
    boolean needsAllBlocks() {
        return request.grouping().needsEverything()
                || selection != null
                || request.reply().countsWords();
    }

    /** Returns whether the scores of the first phase alone decide which hits are returned. */
    boolean isDecidedByScores() {
        return ranking != null
                && !ranking.drops()
                && sorting.keys().isEmpty()
                && grouping == null
                && !needsAllBlocks()
                && request.hits().count() > 0
                && request.hits().after().isEmpty()
                && !request.reply().explains();
    }

    /**
     * Returns the search of the matcher in indexes, for one thread.
     *
     * @param work counts the comparisons of words
     */
    IndexedSearch newIndexedSearch(IndexUse use, WorkMeter work) {
        // A graph would find rows that a selection excludes.
        var graphs = new IndexedSearch.Graphs(selection == null, tuning);
        return new IndexedSearch(matcher, fields, use, graphs, work);
    }

    /** Returns the parts of blocks that hits outside groups are made of. */
    BlockProjection shown() {
        return shown;
    }

    /** Returns the parts of blocks that hits with a document summary are made of. */
    BlockProjection shown(SummaryFields of) {
        return of.equals(summary) ? shown : HitReader.shown(sorting, of, parents);
    }

    /** Returns warnings for the client about parts of the request that have no effect. */
    List<String> warnings() {
        var warnings = new ArrayList<>(matcher.warnings());
        warnings.addAll(grouping == null ? List.of() : grouping.warnings());
        warnings.addAll(sorting.warnings());
        warnings.addAll(summary.warnings());
        return warnings;
    }
}
