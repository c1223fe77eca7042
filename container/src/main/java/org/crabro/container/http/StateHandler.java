package org.crabro.container.http;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Locale;
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
 * Answers {@code /state/v1/…} and {@code /prometheus/v1/values}: health, version, configuration and
 * metrics of this process. Leaves every other request to the next handler.
 */
public final class StateHandler extends Handler.Abstract.NonBlocking {
    private static final List<String> RESOURCES = List.of("config", "health", "metrics", "version");

    private final Supplier<HealthState> health;
    private final LongSupplier generation;
    private final PrometheusMeterRegistry registry;
    private final String version;
    private final long startMillis = System.currentTimeMillis();

    /**
     * @param generation of the active application; 0 for none
     * @param version the version that is shown to clients
     */
    public StateHandler(
            Supplier<HealthState> health,
            LongSupplier generation,
            PrometheusMeterRegistry registry,
            String version) {
        this.health = health;
        this.generation = generation;
        this.registry = registry;
        this.version = version;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        boolean prometheus = path.equals("/prometheus/v1/values");
        if (!prometheus && !path.equals("/state/v1") && !path.startsWith("/state/v1/")) {
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
        String resource = prometheus ? "prometheus" : path.replaceFirst("^/state/v1/?", "");
        switch (resource) {
            case "" -> JsonReply.send(response, callback, 200, json -> resources(json, request));
            case "health" -> JsonReply.send(response, callback, 200, this::health);
            case "version" -> JsonReply.send(response, callback, 200, "version", version);
            case "config" -> JsonReply.send(response, callback, 200, this::config);
            case "prometheus" -> prometheus(response, callback);
            case "metrics" -> {
                Fields parameters = Request.extractQueryParameters(request);
                if ("prometheus".equals(parameters.getValue("format"))) {
                    prometheus(response, callback);
                } else {
                    JsonReply.send(response, callback, 200, this::metrics);
                }
            }
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

    private void prometheus(Response response, Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; version=0.0.4");
        Content.Sink.write(response, true, registry.scrape(), callback);
    }

    private static void resources(JsonGenerator json, Request request) {
        String base = request.getHttpURI().getScheme() + "://" + Request.getServerName(request);
        json.writeStartObject();
        json.writeArrayPropertyStart("resources");
        for (String resource : RESOURCES) {
            json.writeStartObject();
            json.writeStringProperty(
                    "url", base + ":" + Request.getServerPort(request) + "/state/v1/" + resource);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void health(JsonGenerator json) {
        frame(json);
        json.writeArrayPropertyStart("values");
        double count = 0;
        double sum = 0;
        double max = 0;
        for (int hundreds = 1; hundreds <= 5; hundreds++) {
            var timer = registry.find("http.status." + hundreds + "xx").timer();
            if (timer != null) {
                count += timer.count();
                sum += timer.totalTime(java.util.concurrent.TimeUnit.SECONDS);
                max = Math.max(max, timer.max(java.util.concurrent.TimeUnit.SECONDS));
            }
        }
        double seconds = Math.max(1, (System.currentTimeMillis() - startMillis) / 1000.0);
        value(json, "requestsPerSecond", count, count / seconds);
        json.writeStartObject();
        json.writeStringProperty("name", "latencySeconds");
        json.writeObjectPropertyStart("values");
        json.writeNumberProperty("average", count == 0 ? 0 : sum / count);
        json.writeNumberProperty("sum", sum);
        json.writeNumberProperty("count", (long) count);
        json.writeNumberProperty("max", max);
        json.writeNumberProperty("rate", count / seconds);
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void value(JsonGenerator json, String name, double count, double rate) {
        json.writeStartObject();
        json.writeStringProperty("name", name);
        json.writeObjectPropertyStart("values");
        json.writeNumberProperty("count", (long) count);
        json.writeNumberProperty("rate", rate);
        json.writeEndObject();
        json.writeEndObject();
    }

    private void metrics(JsonGenerator json) {
        frame(json);
        json.writeArrayPropertyStart("values");
        for (Meter meter : registry.getMeters()) {
            json.writeStartObject();
            json.writeStringProperty("name", meter.getId().getName());
            json.writeObjectPropertyStart("values");
            for (Measurement measurement : meter.measure()) {
                double value = measurement.getValue();
                json.writeNumberProperty(
                        name(measurement.getStatistic()), Double.isFinite(value) ? value : 0);
            }
            json.writeEndObject();
            json.writeObjectPropertyStart("dimensions");
            for (Tag tag : meter.getId().getTags()) {
                json.writeStringProperty(tag.getKey(), tag.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndObject();
    }

    private static String name(Statistic statistic) {
        return switch (statistic) {
            case TOTAL, TOTAL_TIME -> "sum";
            case COUNT -> "count";
            case MAX -> "max";
            case VALUE, UNKNOWN -> "last";
            case ACTIVE_TASKS, DURATION -> statistic.name().toLowerCase(Locale.ROOT);
        };
    }

    /** Writes what health and metrics share, up to the members of {@code metrics}. */
    private void frame(JsonGenerator json) {
        long now = System.currentTimeMillis();
        HealthState state = health.get();
        json.writeStartObject();
        json.writeNumberProperty("time", now);
        json.writeObjectPropertyStart("status");
        json.writeStringProperty("code", state.code().text());
        if (!state.message().isEmpty()) {
            json.writeStringProperty("message", state.message());
        }
        json.writeEndObject();
        json.writeObjectPropertyStart("metrics");
        json.writeObjectPropertyStart("snapshot");
        json.writeNumberProperty("from", startMillis / 1000.0);
        json.writeNumberProperty("to", now / 1000.0);
        json.writeEndObject();
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
