package org.crabro.container.render;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.crabro.container.http.CborTranscript;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.ResultError;
import org.crabro.container.query.ResultPlan;
import org.crabro.container.query.TraceLine;
import org.crabro.container.search.AnswerEvent;
import org.crabro.container.search.PageAnswer;
import org.crabro.container.search.Renderer;
import org.crabro.container.search.ResultCoverage;
import org.crabro.container.search.ResultGroups;
import org.crabro.container.search.ResultHit;
import org.crabro.container.search.ResultSection;
import org.crabro.container.search.SearchResult;
import org.crabro.document.FieldValue;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.TensorFormat;
import org.crabro.protocol.search.PlanPhase;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.SearchHit;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.SerializableString;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes results in the JSON format of Vespa, or the same content in CBOR or XML. */
public final class JsonRenderer implements Renderer {
    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
                    .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
                    .build();

    // Names in every hit: their bytes are computed once.
    private static final SerializableString ID = new SerializedString("id");
    private static final SerializableString RELEVANCE = new SerializedString("relevance");
    private static final SerializableString SOURCE = new SerializedString("source");
    private static final SerializableString FIELDS = new SerializedString("fields");
    private static final SerializableString TYPE = new SerializedString("sddocname");
    private static final SerializableString DOCUMENT_ID = new SerializedString("documentid");

    private static final double NANOS_PER_SECOND = 1e9;

    private static final long NANOS_PER_MILLI = 1_000_000;

    @Override
    public String contentType(Presentation presentation) {
        return switch (presentation.output().format()) {
            case JSON -> "application/json;charset=utf-8";
            case CBOR -> CborTranscript.CONTENT_TYPE;
            case SSE -> "text/event-stream;charset=utf-8";
            case XML, PAGE ->
                    "text/xml;charset="
                            + presentation.output().xmlCharset().name().toLowerCase(Locale.ROOT);
        };
    }

    @Override
    public void render(SearchResult result, Duration queryTime, OutputStream out)
            throws IOException {
        try {
            write(result, queryTime, out);
        } catch (JacksonIOException e) {
            // The client has disconnected; only an IOException says so.
            throw e.getCause();
        }
    }

    private static void write(SearchResult result, Duration queryTime, OutputStream out)
            throws IOException {
        switch (result.output().presentation().output().format()) {
            case JSON -> {
                Optional<String> callback = result.output().presentation().output().callback();
                if (callback.isPresent()) {
                    out.write((callback.get() + "(").getBytes(StandardCharsets.UTF_8));
                }
                json(result, queryTime, out);
                if (callback.isPresent()) {
                    out.write(");".getBytes(StandardCharsets.UTF_8));
                }
            }
            case CBOR -> {
                try (var cbor = new CborTranscript(out)) {
                    json(result, queryTime, cbor);
                }
            }
            case SSE -> SseEvents.write(result, bytes -> json(result, queryTime, bytes), out);
            case XML, PAGE ->
                    XmlResult.write(
                            result, queryTime, new Parts(result.output().presentation()), out);
        }
    }

    @Override
    public void event(AnswerEvent event, OutputStream out) throws IOException {
        SseEvents.event(event, out);
    }

    @Override
    public void error(ResultError error, OutputStream out) throws IOException {
        SseEvents.error(error, out);
    }

    @Override
    public void end(OutputStream out) throws IOException {
        SseEvents.end(out);
    }

    /** Parts of a result as trees. */
    record Parts(Presentation presentation) {
        // A class of its own, so that it is loaded only when a client requests XML.
        private static final JsonMapper TREES = new JsonMapper();

        JsonNode hit(ResultHit hit) {
            return tree(json -> JsonRenderer.hit(hit, presentation, json));
        }

        JsonNode groups(ResultGroups groups) {
            return tree(json -> JsonRenderer.groups(groups, presentation, json));
        }

        private static JsonNode tree(Consumer<JsonGenerator> writer) {
            var bytes = new ByteArrayOutputStream();
            try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
                writer.accept(json);
            }
            return TREES.readTree(bytes.toByteArray());
        }
    }

    private static void json(SearchResult result, Duration queryTime, OutputStream out) {
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            Optional<ResultPlan> plan = result.output().plan();
            if (!result.output().trace().isEmpty() && plan.isEmpty()) {
                json.writeObjectPropertyStart("trace");
                traceLines(result, json);
                json.writeEndObject();
            }
            if (result.output().presentation().timing()) {
                timing(queryTime, json);
            }
            long start = System.nanoTime();
            root(result, json);
            // After the hits, because the plan has the time of rendering them.
            plan.map(each -> each.with(new PlanPhase("render", System.nanoTime() - start)))
                    .ifPresent(each -> explained(result, each, json));
            json.writeEndObject();
        }
    }

    private static void explained(SearchResult result, ResultPlan plan, JsonGenerator json) {
        json.writeObjectPropertyStart("trace");
        if (!result.output().trace().isEmpty()) {
            traceLines(result, json);
        }
        PlanJson.write(plan, result, json);
        json.writeEndObject();
    }

    private static void traceLines(SearchResult result, JsonGenerator json) {
        json.writeArrayPropertyStart("children");
        OptionalLong from = result.output().presentation().tracedFrom();
        for (TraceLine line : result.output().trace()) {
            json.writeStartObject();
            if (from.isPresent()) {
                json.writeNumberProperty(
                        "timestamp", (line.nanos() - from.getAsLong()) / NANOS_PER_MILLI);
            }
            json.writeStringProperty("message", line.message());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** The time of summaries is 0, because content nodes return them with the hits. */
    private static void timing(Duration queryTime, JsonGenerator json) {
        double seconds = queryTime.toNanos() / NANOS_PER_SECOND;
        json.writeObjectPropertyStart("timing");
        json.writeNumberProperty("querytime", seconds);
        json.writeNumberProperty("summaryfetchtime", 0.0);
        json.writeNumberProperty("searchtime", seconds);
        json.writeEndObject();
    }

    private static void root(SearchResult result, JsonGenerator json) {
        json.writeObjectPropertyStart("root");
        Optional<PageAnswer> answer = result.page().answer();
        json.writeStringProperty("id", answer.map(PageAnswer::id).orElse("toplevel"));
        json.writeNumberProperty("relevance", 1.0);
        json.writeObjectPropertyStart("fields");
        json.writeNumberProperty("totalCount", result.page().totalCount());
        result.page().next().ifPresent(next -> json.writeStringProperty("after", next));
        json.writeEndObject();
        result.coverage().ifPresent(coverage -> coverage(coverage, json));
        if (!result.errors().isEmpty()) {
            json.writeArrayPropertyStart("errors");
            result.errors().forEach(error -> error(error, json));
            json.writeEndArray();
        }
        Presentation presentation = result.output().presentation();
        if (answer.isPresent()) {
            AnswerJson.write(answer.get().events(), json);
        } else if (!result.page().hits().isEmpty()
                || !result.groups().isEmpty()
                || !result.page().sections().isEmpty()) {
            json.writeArrayPropertyStart("children");
            for (ResultSection section : result.page().sections()) {
                section(section, result.page().hits(section), presentation, json);
            }
            result.page().loose().forEach(hit -> hit(hit, presentation, json));
            result.groups().forEach(groups -> groups(groups, presentation, json));
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void section(
            ResultSection section,
            List<ResultHit> hits,
            Presentation presentation,
            JsonGenerator json) {
        json.writeStartObject();
        json.writeStringProperty("id", section.id());
        json.writeNumberProperty("relevance", 1.0);
        json.writeStringProperty("source", section.source());
        if (!hits.isEmpty() || !section.groups().isEmpty()) {
            json.writeArrayPropertyStart("children");
            hits.forEach(hit -> hit(hit, presentation, json));
            section.groups().forEach(groups -> groups(groups, presentation, json));
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private static void groups(ResultGroups groups, Presentation presentation, JsonGenerator json) {
        new GroupsJson(groups, presentation.values(), json, hit -> hit(hit, presentation, json))
                .write();
    }

    private static void coverage(ResultCoverage coverage, JsonGenerator json) {
        json.writeObjectPropertyStart("coverage");
        json.writeNumberProperty("coverage", coverage.percent());
        json.writeNumberProperty("documents", coverage.documents().documents());
        if (!coverage.isFull()) {
            json.writeObjectPropertyStart("degraded");
            json.writeBooleanProperty("match-phase", coverage.documents().limited());
            json.writeBooleanProperty("timeout", coverage.documents().timedOut());
            json.writeBooleanProperty("adaptive-timeout", false);
            json.writeBooleanProperty("anntimeout", false);
            json.writeBooleanProperty(
                    "non-ideal-state",
                    !coverage.documents().timedOut() && !coverage.documents().limited());
            json.writeEndObject();
        }
        json.writeBooleanProperty("full", coverage.isFull());
        json.writeNumberProperty("nodes", coverage.nodes());
        json.writeNumberProperty("results", coverage.clusters());
        json.writeNumberProperty("resultsFull", coverage.fullClusters());
        json.writeEndObject();
    }

    static void error(ResultError error, JsonGenerator json) {
        json.writeStartObject();
        json.writeNumberProperty("code", error.code().number());
        json.writeStringProperty("summary", error.code().summary());
        if (!error.source().isEmpty()) {
            json.writeStringProperty("source", error.source());
        }
        if (!error.message().isEmpty()) {
            json.writeStringProperty("message", error.message());
        }
        json.writeEndObject();
    }

    /**
     * Returns the id of a hit in the result.
     *
     * @param documentId the id of the document, if it is shown
     */
    private static String id(ResultHit shown, String documentId) {
        if (shown.shownId().isPresent()) {
            return shown.shownId().get();
        }
        return shown.showsId()
                ? documentId
                : "index:" + shown.source() + "/0/" + shown.hit().id().globalId().digits();
    }

    /** Returns the id of a hit in the result. */
    static String id(ResultHit shown) {
        return id(shown, shown.showsId() ? shown.hit().id().toString() : "");
    }

    private static void hit(ResultHit shown, Presentation presentation, JsonGenerator json) {
        String documentId = shown.showsId() ? shown.hit().id().toString() : "";
        json.writeStartObject();
        json.writeName(ID);
        json.writeString(id(shown, documentId));
        json.writeName(RELEVANCE);
        FieldValueWriter.write(json, shown.hit().relevance());
        json.writeName(SOURCE);
        json.writeString(shown.source());
        if (hasFields(shown, presentation)) {
            json.writeName(FIELDS);
            json.writeStartObject();
            fields(shown, documentId, presentation, json);
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static boolean hasFields(ResultHit shown, Presentation presentation) {
        return shown.showsType()
                || shown.showsId()
                || !shown.hit().matchFeatures().isEmpty()
                || !shown.hit().features().summary().isEmpty()
                || !shown.hit().features().listed().isEmpty()
                || shown.hit().summary().entrySet().stream()
                        .anyMatch(field -> isShown(field, presentation));
    }

    private static boolean isShown(Map.Entry<String, FieldValue> field, Presentation presentation) {
        return presentation.showsEverything()
                || (!field.getKey().startsWith("$") && !FieldValueWriter.isEmpty(field.getValue()));
    }

    /**
     * @param documentId the id of the hit, if it is shown
     */
    private static void fields(
            ResultHit shown, String documentId, Presentation presentation, JsonGenerator json) {
        SearchHit hit = shown.hit();
        TensorFormat tensors = presentation.values().tensors();
        features("matchfeatures", hit.matchFeatures(), tensors, json);
        features("rankfeatures", hit.features().listed(), tensors, json);
        features("summaryfeatures", hit.features().summary(), tensors, json);
        if (shown.showsType()) {
            json.writeName(TYPE);
            json.writeString(shown.documentType());
        }
        if (shown.showsId()) {
            json.writeName(DOCUMENT_ID);
            json.writeString(documentId);
        }
        for (Map.Entry<String, FieldValue> field : hit.summary().entrySet()) {
            if (isShown(field, presentation)) {
                json.writeName(field.getKey());
                FieldValueWriter.write(json, field.getValue(), presentation.values());
            }
        }
    }

    static void features(
            String name,
            Map<String, QueryInput> features,
            TensorFormat tensors,
            JsonGenerator json) {
        if (features.isEmpty()) {
            return;
        }
        json.writeObjectPropertyStart(name);
        features.forEach((feature, value) -> {
            json.writeName(feature);
            feature(value, tensors, json);
        });
        json.writeEndObject();
    }

    private static void feature(QueryInput value, TensorFormat tensors, JsonGenerator json) {
        switch (value) {
            case QueryInput.NumberInput(var number) when Double.isFinite(number) ->
                    json.writeNumber(number);
            case QueryInput.NumberInput _ -> json.writeNull();
            case QueryInput.TensorInput(DenseTensor tensor) ->
                    FieldValueWriter.write(json, tensor, tensors);
            case QueryInput.TensorInput(MixedTensor tensor) ->
                    FieldValueWriter.write(json, new FieldValue.MixedTensorValue(tensor), tensors);
        }
    }
}
