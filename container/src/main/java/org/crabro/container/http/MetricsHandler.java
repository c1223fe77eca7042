package org.crabro.container.http;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import tools.jackson.core.JsonGenerator;

/**
 * Answers {@code /metrics/v1}, {@code /metrics/v2} and {@code /prometheus/v1}: the metrics of this
 * process, under the names of the services that it replaces. Other requests go to the next handler.
 */
public final class MetricsHandler extends Handler.Abstract.NonBlocking {
    private static final List<String> ROOTS =
            List.of("/metrics/v1", "/metrics/v2", "/prometheus/v1");
    private static final String VALUES = "/values";

    private final Supplier<HealthState> health;
    private final Supplier<ClusterNames> clusters;
    private final MetricIntervals metrics;
    private final String host;

    /**
     * @param host the name of this machine
     */
    public MetricsHandler(
            Supplier<HealthState> health,
            Supplier<ClusterNames> clusters,
            MetricIntervals metrics,
            String host) {
        this.health = health;
        this.clusters = clusters;
        this.metrics = metrics;
        this.host = host;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = RequestPath.of(request).text();
        if (!isBelow(path, "/metrics") && !isBelow(path, "/prometheus")) {
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
        MetricSet set = MetricSet.of(Request.extractQueryParameters(request).getValue("consumer"));
        String asked = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        if (ROOTS.contains(asked)) {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.OK_200,
                    json -> JsonReply.resources(json, request, asked, List.of("values")));
            return true;
        }
        switch (asked) {
            case "/metrics/v1/values" ->
                    JsonReply.send(response, callback, HttpStatus.OK_200, json -> node(json, set));
            case "/metrics/v2/values" ->
                    JsonReply.send(response, callback, HttpStatus.OK_200, json -> nodes(json, set));
            case "/prometheus/v1/values" -> {
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, PrometheusText.CONTENT_TYPE);
                Content.Sink.write(response, true, prometheus(set), callback);
            }
            default ->
                    JsonReply.send(
                            response,
                            callback,
                            HttpStatus.NOT_FOUND_404,
                            "error",
                            "there is no "
                                    + path
                                    + "; there are "
                                    + ROOTS.stream().map(root -> root + VALUES).toList());
        }
        return true;
    }

    private static boolean isBelow(String path, String root) {
        return path.equals(root) || path.startsWith(root + "/");
    }

    private void node(JsonGenerator json, MetricSet set) {
        json.writeStartObject();
        services(json, set);
        json.writeEndObject();
    }

    private void nodes(JsonGenerator json, MetricSet set) {
        json.writeStartObject();
        json.writeArrayPropertyStart("nodes");
        json.writeStartObject();
        json.writeStringProperty("hostname", host);
        json.writeStringProperty("role", "hosts/" + host);
        services(json, set);
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    private void services(JsonGenerator json, MetricSet set) {
        MetricSnapshot snapshot = metrics.snapshot();
        ClusterNames names = clusters.get();
        json.writeArrayPropertyStart("services");
        for (MetricService service : MetricService.values()) {
            json.writeStartObject();
            json.writeStringProperty("name", service.text());
            json.writeNumberProperty("timestamp", snapshot.taken().getEpochSecond());
            HealthState state = state(service);
            json.writeObjectPropertyStart("status");
            json.writeStringProperty("code", code(state));
            json.writeStringProperty("description", state.message());
            json.writeEndObject();
            json.writeArrayPropertyStart("metrics");
            values(snapshot, service, set, names)
                    .forEach((dimensions, values) -> {
                        json.writeStartObject();
                        json.writeObjectPropertyStart("values");
                        values.forEach((name, value) -> Metric.write(json, name, value));
                        json.writeEndObject();
                        Metric.write(json, dimensions);
                        json.writeEndObject();
                    });
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Returns the values of a service, grouped by dimensions. */
    private static Map<Map<String, String>, Map<String, Double>> values(
            MetricSnapshot snapshot, MetricService service, MetricSet set, ClusterNames names) {
        var byDimensions = new LinkedHashMap<Map<String, String>, Map<String, Double>>();
        for (Metric metric : snapshot.metrics()) {
            if (MetricService.of(metric.name()) == service && set.has(metric.name())) {
                var values =
                        byDimensions.computeIfAbsent(
                                dimensions(metric, service, names), _ -> new LinkedHashMap<>());
                metric.values()
                        .forEach(
                                (suffix, value) -> values.put(metric.name() + "." + suffix, value));
            }
        }
        return byDimensions;
    }

    private static Map<String, String> dimensions(
            Metric metric, MetricService service, ClusterNames names) {
        Optional<String> cluster =
                service == MetricService.CONTAINER ? names.container() : names.content();
        var dimensions = new TreeMap<>(metric.dimensions());
        cluster.ifPresent(name -> dimensions.put("clustername", name));
        return dimensions;
    }

    private String prometheus(MetricSet set) {
        MetricSnapshot snapshot = metrics.snapshot();
        Instant taken = snapshot.taken();
        ClusterNames names = clusters.get();
        var text = new PrometheusText();
        for (Metric metric : snapshot.metrics()) {
            if (set.has(metric.name())) {
                MetricService service = MetricService.of(metric.name());
                Map<String, String> labels = dimensions(metric, service, names);
                labels.put("vespa_service", PrometheusText.name(service.text()));
                text.add(metric, labels, taken);
            }
        }
        for (MetricService service : MetricService.values()) {
            boolean isUp = state(service).code() == HealthState.Code.UP;
            text.add(service.text() + "_status", Map.of(), isUp ? 1 : 0, taken);
        }
        return text.text();
    }

    /**
     * Returns the state of a service: the container waits for an application, every other service
     * runs as long as the process.
     */
    private HealthState state(MetricService service) {
        HealthState state = health.get();
        return switch (state.code()) {
            case UP, DOWN -> state;
            case INITIALIZING -> service == MetricService.CONTAINER ? state : HealthState.UP;
        };
    }

    private static String code(HealthState state) {
        return switch (state.code()) {
            case UP, DOWN -> state.code().text();
            case INITIALIZING -> "unknown";
        };
    }
}
