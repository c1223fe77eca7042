package org.crabro.config.component;

import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Classes that are part of Vespa: packages name them without a jar of their own. Those that are not
 * built here are refused by name.
 */
final class PlatformClasses {
    private static final List<String> PACKAGES =
            List.of(
                    "ai.vespa.embedding.",
                    "ai.vespa.llm.",
                    "ai.vespa.mcp.",
                    "ai.vespa.models.",
                    "ai.vespa.rankingexpression.",
                    "ai.vespa.search.",
                    "ai.vespa.secret.",
                    "com.yahoo.container.",
                    "com.yahoo.docproc.",
                    "com.yahoo.docprocs.",
                    "com.yahoo.document.",
                    "com.yahoo.documentapi.",
                    "com.yahoo.embedding.",
                    "com.yahoo.feedapi.",
                    "com.yahoo.jdisc.",
                    "com.yahoo.language.",
                    "com.yahoo.metrics.",
                    "com.yahoo.prelude.",
                    "com.yahoo.processing.",
                    "com.yahoo.restapi.",
                    "com.yahoo.search.",
                    "com.yahoo.vespa.");

    private static final Set<String> BUNDLES =
            Set.of(
                    "container-core",
                    "container-disc",
                    "container-documentapi",
                    "container-messagebus",
                    "container-search",
                    "container-search-and-docproc",
                    "docprocs",
                    "jdisc-security-filters",
                    "jdisc_http_service",
                    "linguistics",
                    "linguistics-components",
                    "lucene-linguistics",
                    "model-evaluation",
                    "model-integration",
                    "opennlp-linguistics",
                    "vespaclient-container-plugin");

    /** The types of components that do the same. */
    private static final Map<String, String> TYPES =
            Map.of(
                    "ai.vespa.embedding.BertBaseEmbedder",
                    "bert-embedder",
                    "ai.vespa.embedding.ColBertEmbedder",
                    "colbert-embedder",
                    "ai.vespa.embedding.SpladeEmbedder",
                    "splade-embedder",
                    "ai.vespa.embedding.huggingface.HuggingFaceEmbedder",
                    "hugging-face-embedder",
                    "com.yahoo.language.huggingface.HuggingFaceTokenizer",
                    "hugging-face-tokenizer");

    /** The paths of handlers whose requests the server answers itself. */
    private static final Map<String, String> HANDLERS =
            Map.ofEntries(
                    entry("com.yahoo.container.handler.VipStatusHandler", "/status.html"),
                    entry("com.yahoo.container.handler.metrics.MetricsV2Handler", "/metrics/v2"),
                    entry(
                            "com.yahoo.container.handler.metrics.PrometheusV1Handler",
                            "/prometheus/v1"),
                    entry(
                            "com.yahoo.container.handler.observability.ApplicationStatusHandler",
                            "/ApplicationStatus"),
                    entry("com.yahoo.container.jdisc.state.StateHandler", "/state/v1"),
                    entry("com.yahoo.container.usability.BindingsOverviewHandler", "/"),
                    entry(
                            "com.yahoo.document.restapi.resource.DocumentV1ApiHandler",
                            "/document/v1"),
                    entry("com.yahoo.search.handler.SearchHandler", "/search"));

    private PlatformClasses() {}

    /** Returns the path that {@code handler} answers; empty if the server does not answer it. */
    static Optional<String> path(String handler) {
        return Optional.ofNullable(HANDLERS.get(handler));
    }

    /** Returns the problem with a class that no jar of the package has, if it is Vespa's. */
    static Optional<String> problem(String name, Optional<String> bundle) {
        if (PACKAGES.stream().noneMatch(name::startsWith)
                && bundle.filter(BUNDLES::contains).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of("%s is part of Vespa, and not built here%s".formatted(name, hint(name)));
    }

    private static String hint(String name) {
        String type = TYPES.get(name);
        if (type != null) {
            return "; write a component with type=\"%s\" instead of the class".formatted(type);
        }
        if (name.startsWith("ai.vespa.llm.") || name.startsWith("ai.vespa.search.llm.")) {
            return "; a service with the interface of OpenAI is called by ai.vespa.llm.clients.OpenAI";
        }
        String path = HANDLERS.get(name);
        return path == null
                ? ""
                : ": the server answers %s itself, and no other path".formatted(path);
    }
}
