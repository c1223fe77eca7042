package org.crabro.container.render;

import java.util.List;
import org.crabro.container.query.PlannedSearch;
import org.crabro.container.query.ResultPlan;
import org.crabro.container.query.SpelledWord;
import org.crabro.container.search.ResultHit;
import org.crabro.container.search.SearchResult;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.protocol.search.NearWord;
import org.crabro.protocol.search.NodePlan;
import org.crabro.protocol.search.PlanCondition;
import org.crabro.protocol.search.PlanCounts;
import org.crabro.protocol.search.PlanPhase;
import org.crabro.protocol.search.PlanRead;
import tools.jackson.core.JsonGenerator;

/** Writes the plan of a query as JSON, in the form that docs/explain.md describes. */
final class PlanJson {
    private static final double NANOS_PER_MILLI = 1e6;

    private PlanJson() {}

    /**
     * Writes the property {@code plan}.
     *
     * @param result of the query, whose hits have the features that their scores are made of
     */
    static void write(ResultPlan plan, SearchResult result, JsonGenerator json) {
        json.writeObjectPropertyStart("plan");
        millis("millis", plan.phases().stream().mapToLong(PlanPhase::nanos).sum(), json);
        phases(plan.phases(), json);
        if (!plan.words().isEmpty()) {
            json.writeArrayPropertyStart("words");
            plan.words().forEach(word -> word(word, json));
            json.writeEndArray();
        }
        json.writeArrayPropertyStart("searches");
        plan.searches().forEach(search -> search(search, json));
        json.writeEndArray();
        json.writeArrayPropertyStart("hits");
        result.page().hits().forEach(hit -> hit(hit, result, json));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void millis(String name, long nanos, JsonGenerator json) {
        json.writeNumberProperty(name, nanos / NANOS_PER_MILLI);
    }

    private static void phases(List<PlanPhase> phases, JsonGenerator json) {
        json.writeArrayPropertyStart("phases");
        for (PlanPhase phase : phases) {
            json.writeStartObject();
            json.writeStringProperty("name", phase.name());
            millis("millis", phase.nanos(), json);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void word(SpelledWord word, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("field", word.field());
        json.writeStringProperty("word", word.word());
        json.writeNumberProperty("documents", word.documents());
        json.writeBooleanProperty("beginning", word.isBeginning());
        json.writeArrayPropertyStart("added");
        for (NearWord near : word.near()) {
            json.writeStartObject();
            json.writeStringProperty("word", near.text());
            json.writeNumberProperty("edits", near.edits());
            json.writeNumberProperty("documents", near.documents());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void search(PlannedSearch search, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("cluster", search.cluster());
        json.writeStringProperty("schema", search.schema());
        json.writeStringProperty("profile", search.profile());
        json.writeArrayPropertyStart("nodes");
        search.nodes().forEach(node -> node(node, json));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void node(NodePlan node, JsonGenerator json) {
        json.writeStartObject();
        json.writeNumberProperty("partitions", node.scope().partitions());
        json.writeNumberProperty("threads", node.scope().threads());
        json.writeNumberProperty("documents", node.scope().documents());
        json.writeNumberProperty("matches", node.scope().matches());
        millis("cpuMillis", node.cost().cpuNanos(), json);
        json.writeNumberProperty("bytes", node.cost().bytes());
        json.writeNumberProperty("deviceBytes", node.cost().deviceBytes());
        phases(node.phases(), json);
        json.writeArrayPropertyStart("reads");
        node.reads().forEach(read -> read(read, json));
        json.writeEndArray();
        json.writeName("condition");
        condition(node.condition(), json);
        json.writeEndObject();
    }

    private static void read(PlanRead read, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty(
                "place",
                switch (read.place()) {
                    case RECENT -> "recent";
                    case RUNS -> "runs";
                    case CACHE -> "cache";
                });
        if (read.place() == PlanRead.Place.RUNS) {
            json.writeNumberProperty("runs", read.runs());
        }
        json.writeNumberProperty("blocks", read.blocks());
        if (read.place() != PlanRead.Place.CACHE) {
            json.writeNumberProperty("skippedBlocks", read.skippedBlocks());
            json.writeNumberProperty("rows", read.rows());
        }
        json.writeNumberProperty("bytes", read.bytes());
        json.writeEndObject();
    }

    private static void condition(PlanCondition condition, JsonGenerator json) {
        PlanCounts counts = condition.counts();
        json.writeStartObject();
        json.writeStringProperty("operator", condition.operator());
        if (!condition.text().isEmpty()) {
            json.writeStringProperty("text", condition.text());
        }
        json.writeNumberProperty("candidates", counts.candidates());
        json.writeNumberProperty("matches", counts.matches());
        json.writeNumberProperty("expected", counts.expected());
        json.writeNumberProperty("skippedBlocks", counts.skippedBlocks());
        millis("millis", counts.nanos(), json);
        if (!condition.parts().isEmpty()) {
            json.writeArrayPropertyStart("children");
            condition.parts().forEach(part -> condition(part, json));
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void hit(ResultHit hit, SearchResult result, JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("id", JsonRenderer.id(hit));
        json.writeName("relevance");
        FieldValueWriter.write(json, hit.hit().relevance());
        JsonRenderer.features(
                "features",
                hit.hit().features().used(),
                result.output().presentation().values().tensors(),
                json);
        json.writeEndObject();
    }
}
