package org.crabro.container.query;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The request parameters with a meaning. The case of their names does not matter. */
public enum Parameter {
    YQL("yql"),
    QUERY("model.queryString", "query"),
    TYPE("model.type", "type"),
    DEFAULT_INDEX("model.defaultIndex", "default-index"),
    LOCALE("model.locale", "locale"),
    LANGUAGE("model.language", "language", "lang"),
    ENCODING("model.encoding", "encoding"),
    TYPE_COMPOSITE("model.type.composite"),
    TYPE_TOKENIZATION("model.type.tokenization"),
    TYPE_SYNTAX("model.type.syntax"),
    TYPE_OF_YQL("model.type.isYqlDefault"),
    TYPOS("model.typos"),
    BEGINNING("model.beginning"),
    NO_STEMMING("nostemming"),
    GRAM_MATCH("gram.match"),
    SOURCES("model.sources", "sources", "search"),
    RESTRICT("model.restrict", "restrict"),
    HITS("hits", "count"),
    HIT_COUNT_ESTIMATE("hitcountestimate"),
    OFFSET("offset", "start"),
    AFTER("after"),
    TIMEOUT("timeout"),
    QUERY_PROFILE("queryProfile"),
    SEARCH_CHAIN("searchChain"),
    PROFILE("ranking.profile", "ranking"),
    FRESHNESS("ranking.freshness", "datetime"),
    SORTING("ranking.sorting", "sorting", "sortspec"),
    STATISTICS("ranking.statistics"),
    SIGNIFICANCE_MODEL("ranking.significance.useModel"),
    SOFT_TIMEOUT("ranking.softtimeout.enable"),
    SOFT_TIMEOUT_FACTOR("ranking.softtimeout.factor"),
    SUMMARY("presentation.summary", "summary"),
    SUMMARY_FIELDS("presentation.summaryFields", "summaryFields"),
    FORMAT("presentation.format", "format", "template"),
    TENSOR_FORMAT("presentation.format.tensors", "format.tensors"),
    TIMING("presentation.timing", "timing"),
    DOCUMENT_IDS("presentation.documentIds"),
    BOLDING("presentation.bolding", "bolding"),
    BOLDING_TAGS("presentation.bolding.tags"),
    BOLDING_SEPARATOR("presentation.bolding.separator"),
    MAPS_AS_OBJECTS("renderer.json.jsonMaps"),
    SETS_AS_OBJECTS("renderer.json.jsonWsets"),
    LONGS_AS_TEXTS("renderer.json.longsAsStrings"),
    DATES("presentation.dates"),
    SHOWS_EVERYTHING("renderer.json.debug"),
    RAW_AS_BASE64("renderer.json.rawAsBase64", "rawAsBase64"),
    METRICS_IGNORE("metrics.ignore"),
    GROUP_NAME("streaming.groupname"),
    USER_ID("streaming.userid"),
    SELECTION("streaming.selection"),
    TRACE_LEVEL("trace.level", "tracelevel"),
    TRACE_EXPLAIN("trace.explain"),
    TRACE_EXPLAIN_LEVEL("trace.explainLevel", "explainlevel"),
    TRACE_PROFILE("trace.profile"),
    TRACE_QUERY("trace.query"),
    TRACE_TIMESTAMPS("trace.timestamps"),
    TRACE_MATCHING("trace.profiling.matching.depth"),
    TRACE_FIRST_PHASE("trace.profiling.firstPhaseRanking.depth"),
    TRACE_SECOND_PHASE("trace.profiling.secondPhaseRanking.depth"),

    FILTER("model.filter", "filter"),
    RECALL("recall"),
    SELECT("select"),
    SELECT_WHERE("select.where"),
    SELECT_GROUPING("select.grouping"),
    SELECT_FIELDS("select.fields"),
    CONTINUE("continue"),
    TIME_ZONE("timezone"),
    DEFAULT_MAX_GROUPS("grouping.defaultMaxGroups"),
    DEFAULT_MAX_GROUP_HITS("grouping.defaultMaxHits"),
    GLOBAL_MAX_GROUPS("grouping.globalMaxGroups"),
    GROUP_NAMES("streaming.groupnames"),
    FROM_TIMESTAMP("streaming.fromtimestamp"),
    TO_TIMESTAMP("streaming.totimestamp"),
    LIST_FEATURES("ranking.listFeatures", "rankfeatures"),
    COLLAPSE_FIELD("collapsefield"),
    COLLAPSE_SIZE("collapsesize"),
    COLLAPSE_SUMMARY("collapse.summary"),
    DROP_LIMIT("ranking.rankScoreDropLimit"),
    RERANK_COUNT("ranking.secondPhase.rerankCount", "ranking.rerankCount"),
    TOTAL_RERANK_COUNT("ranking.secondPhase.totalRerankCount"),
    GLOBAL_RERANK_COUNT("ranking.globalPhase.rerankCount"),
    SECOND_DROP_LIMIT("ranking.secondPhase.rankScoreDropLimit"),
    GLOBAL_DROP_LIMIT("ranking.globalPhase.rankScoreDropLimit"),
    JSONP("jsoncallback"),
    POS_LL("pos.ll"),
    POS_XY("pos.xy"),
    POS_RADIUS("pos.radius"),
    POS_BB("pos.bb"),
    POS_ATTRIBUTE("pos.attribute"),
    LOCATION("ranking.location"),
    RELATED_ID("relatedTo.id"),
    RELATED_ID_FIELD("relatedTo.idField"),
    RELATED_FIELD("relatedTo.embeddingField"),
    RELATED_INPUT("relatedTo.queryTensorName"),
    RELATED_EXCLUDES_SOURCE("relatedTo.excludeSource"),
    RELATED_TARGET_HITS("relatedTo.targetHits"),

    WAND_FIELD("wand.field"),
    WAND_TOKENS("wand.tokens"),
    WAND_TYPE("wand.type"),
    WAND_HEAP_SIZE("wand.heapSize"),
    WAND_THRESHOLD("wand.scoreThreshold"),
    WAND_BOOST("wand.thresholdBoostFactor"),

    RULE_BASE("rules.rulebase"),
    RULES_OFF("rules.off"),
    RULES_TRACE("tracelevel.rules"),

    STRICT("strict"),

    MAX_HITS("maxHits"),
    MAX_OFFSET("maxOffset"),
    MAX_QUERY_ITEMS("maxQueryItems");

    private static final Map<String, Parameter> BY_NAME =
            Stream.of(values())
                    .flatMap(each -> each.names().map(name -> Map.entry(name, each)))
                    .collect(
                            Collectors.toUnmodifiableMap(
                                    entry -> entry.getKey().toLowerCase(Locale.ROOT),
                                    Map.Entry::getValue));

    private final String shown;

    /** Separated by blanks. */
    private final String aliases;

    Parameter(String shown, String... aliases) {
        this.shown = shown;
        this.aliases = String.join(" ", aliases);
    }

    /** Returns the parameter that {@code name} is a name of. */
    public static Optional<Parameter> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name.toLowerCase(Locale.ROOT)));
    }

    /** Returns the name that messages use. */
    public String shown() {
        return shown;
    }

    /** Returns the names of all parameters. */
    static Set<String> allNames() {
        return Stream.of(values()).flatMap(Parameter::names).collect(Collectors.toSet());
    }

    private Stream<String> names() {
        return Stream.concat(
                Stream.of(shown), Stream.of(aliases.split(" ")).filter(name -> !name.isEmpty()));
    }

    /** Returns the value that {@code reader} reads from {@code text}; throws if it returns none. */
    <T> T read(String text, String expected, Function<String, Optional<T>> reader) {
        return reader.apply(text.strip())
                .orElseThrow(() ->
                        new IllegalQueryException(
                                ErrorCode.ILLEGAL_QUERY,
                                "Could not set '%s': expected %s but found '%s'"
                                        .formatted(shown(), expected, text)));
    }
}
