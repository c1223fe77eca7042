package org.crabro.container.http;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import tools.jackson.core.JsonGenerator;

/**
 * Answers {@code /state/v1/…}: health, version, configuration and metrics of this process. Other
 * requests go to the next handler.
 */
public final class StateHandler extends Handler.Abstract.NonBlocking {
    private static final String ROOT = "/state/v1";
    private static final List<String> RESOURCES = List.of("config", "health", "metrics", "version");

    private final Supplier<HealthState> health;
    private final LongSupplier generation;
    private final MetricIntervals metrics;
    private final String version;

    /**
     * @param generation of the active application; 0 for none
     * @param version the version that is shown to clients
     */
    public StateHandler(
            Supplier<HealthState> health,
            LongSupplier generation,
            MetricIntervals metrics,
            String version) {
        this.health = health;
        this.generation = generation;
        this.metrics = metrics;
        this.version = version;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = RequestPath.of(request).text();
        if (!path.equals(ROOT) && !path.startsWith(ROOT + "/")) {
            return false;
        }
        if (!HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.METHOD_NOT_ALLOWED_405,
                    "error",
                    request.getMethod() + " is not allowed at " + path + ", only GET");
            return true;
        }
        switch (path.substring(ROOT.length())) {
            case "", "/" ->
                    JsonReply.send(
                            response,
                            callback,
                            200,
                            json -> JsonReply.resources(json, request, ROOT, RESOURCES));
            case "/health" -> JsonReply.send(response, callback, 200, this::health);
            case "/version" -> JsonReply.send(response, callback, 200, "version", version);
            case "/config" -> JsonReply.send(response, callback, 200, this::config);
            case "/metrics" -> {
                Fields parameters = Request.extractQueryParameters(request);
                if ("prometheus".equals(parameters.getValue("format"))) {
                    text(response, callback, PrometheusText.CONTENT_TYPE, prometheus());
                } else {
                    JsonReply.send(response, callback, 200, this::metrics);
                }
            }
            case "/metrics/histograms" ->
                    text(response, callback, "text/plain; charset=UTF-8", metrics.histograms());
            default ->
                    JsonReply.send(
                            response,
                            callback,
                            HttpStatus.NOT_FOUND_404,
                            "error",
                            "there is no " + path + "; there are " + RESOURCES);
        }
        return true;
    }

    private static void text(Response response, Callback callback, String type, String text) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        Content.Sink.write(response, true, text, callback);
    }

    private String prometheus() {
        MetricSnapshot snapshot = metrics.snapshot();
        var text = new PrometheusText();
        for (Metric metric : snapshot.metrics()) {
            text.add(metric, metric.dimensions(), snapshot.taken());
        }
        return text.text();
    }

    private void health(JsonGenerator json) {
        MetricSnapshot snapshot = metrics.snapshot();
        Metric requests =
                snapshot.metrics().stream()
                        .filter(metric -> metric.name().equals(Metrics.REQUESTS))
                        .findFirst()
                        .orElse(new Metric(Metrics.REQUESTS, Map.of(), Map.of()));
        frame(json, snapshot);
        json.writeArrayPropertyStart("values");
        json.writeStartObject();
        json.writeStringProperty("name", "requestsPerSecond");
        json.writeObjectPropertyStart("values");
        write(json, requests, "count", "rate");
        json.writeEndObject();
        json.writeEndObject();
        json.writeStartObject();
        json.writeStringProperty("name", "latencySeconds");
        json.writeObjectPropertyStart("values");
        write(json, requests, "average", "sum", "count", "last", "max", "min", "rate");
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Metric metric, String... values) {
        for (String value : values) {
            Metric.write(json, value, metric.value(value));
        }
    }

    private void metrics(JsonGenerator json) {
        MetricSnapshot snapshot = metrics.snapshot();
        frame(json, snapshot);
        json.writeArrayPropertyStart("values");
        for (Metric metric : snapshot.metrics()) {
            json.writeStartObject();
            json.writeStringProperty("name", metric.name());
            json.writeObjectPropertyStart("values");
            metric.values().forEach((suffix, value) -> Metric.write(json, suffix, value));
            json.writeEndObject();
            Metric.write(json, metric.dimensions());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Writes the common members of health and metrics, up to those of {@code metrics}. */
    private void frame(JsonGenerator json, MetricSnapshot snapshot) {
        HealthState state = health.get();
        json.writeStartObject();
        json.writeNumberProperty("time", snapshot.taken().toEpochMilli());
        json.writeObjectPropertyStart("status");
        json.writeStringProperty("code", state.code().text());
        if (!state.message().isEmpty()) {
            json.writeStringProperty("message", state.message());
        }
        json.writeEndObject();
        json.writeObjectPropertyStart("metrics");
        json.writeObjectPropertyStart("snapshot");
        json.writeNumberProperty("from", seconds(snapshot.from()));
        json.writeNumberProperty("to", seconds(snapshot.to()));
        json.writeEndObject();
    }

    /** Returns the seconds since 1970. As a double they would be written with an exponent. */
    private static BigDecimal seconds(Instant time) {
        return BigDecimal.valueOf(time.toEpochMilli(), 3);
    }

    private void config(JsonGenerator json) {
        json.writeStartObject();
        json.writeObjectPropertyStart("config");
        json.writeNumberProperty("generation", generation.getAsLong());
        json.writeObjectPropertyStart("container");
        json.writeNumberProperty("generation", generation.getAsLong());
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndObject();
    }
}
