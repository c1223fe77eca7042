package org.crabro.container.http;

import java.util.List;
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
import tools.jackson.core.JsonGenerator;

/**
 * Answers {@code /}, {@code /status.html} and {@code /ApplicationStatus}: load balancers and
 * clients request these first. Other requests go to the next handler.
 */
public final class StatusHandler extends Handler.Abstract.NonBlocking {
    /**
     * A handler in the list.
     *
     * @param name clients search for a name that ends in {@code DocumentV1ApiHandler}
     * @param paths patterns such as {@code /document/v1/*}
     */
    public record Binding(String name, List<String> paths) {
        public Binding {
            paths = List.copyOf(paths);
        }
    }

    private final Supplier<HealthState> health;
    private final LongSupplier generation;
    private final Supplier<List<Binding>> bindings;
    private final String version;

    /**
     * @param generation of the active application; 0 for none
     * @param version the version that is shown to clients
     */
    public StatusHandler(
            Supplier<HealthState> health,
            LongSupplier generation,
            Supplier<List<Binding>> bindings,
            String version) {
        this.health = health;
        this.generation = generation;
        this.bindings = bindings;
        this.version = version;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = RequestPath.of(request).text();
        boolean isServed =
                path.equals("/")
                        || path.equals("/status.html")
                        || path.equals("/ApplicationStatus");
        if (!isServed) {
            return false;
        }
        if (!HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.METHOD_NOT_ALLOWED_405,
                    "error",
                    request.getMethod() + " is not allowed at " + path + ", only GET");
        } else if (path.equals("/status.html")) {
            status(response, callback);
        } else {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.OK_200,
                    path.equals("/") ? this::root : this::application);
        }
        return true;
    }

    private void status(Response response, Callback callback) {
        HealthState state = health.get();
        boolean up = state.code() == HealthState.Code.UP;
        response.setStatus(up ? HttpStatus.OK_200 : HttpStatus.NOT_FOUND_404);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, up ? "text/html" : "text/plain");
        String page =
                up
                        ? "<html><head><title>OK</title></head><body>OK</body></html>\n"
                        : state.message() + "\n";
        Content.Sink.write(response, true, page, callback);
    }

    private void root(JsonGenerator json) {
        json.writeStartObject();
        handlers(json);
        json.writeArrayPropertyStart("servers");
        json.writeStartObject();
        json.writeStringProperty("id", "http");
        json.writeStringProperty("class", "org.crabro.container.http.HttpListener");
        json.writeStringProperty("bundle", "crabro");
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
    }

    private void application(JsonGenerator json) {
        json.writeStartObject();
        json.writeObjectPropertyStart("application");
        json.writeObjectPropertyStart("vespa");
        json.writeStringProperty("version", version);
        json.writeEndObject();
        json.writeObjectPropertyStart("meta");
        json.writeStringProperty("name", "default");
        json.writeNumberProperty("generation", generation.getAsLong());
        json.writeEndObject();
        json.writeEndObject();
        handlers(json);
        for (String empty :
                List.of(
                        "abstractComponents",
                        "clients",
                        "servers",
                        "httpRequestFilters",
                        "httpResponseFilters")) {
            json.writeArrayPropertyStart(empty);
            json.writeEndArray();
        }
        for (String empty : List.of("searchChains", "docprocChains", "processingChains")) {
            json.writeObjectPropertyStart(empty);
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private void handlers(JsonGenerator json) {
        json.writeArrayPropertyStart("handlers");
        for (Binding binding : bindings.get()) {
            json.writeStartObject();
            json.writeStringProperty("id", binding.name());
            json.writeStringProperty("class", binding.name());
            json.writeStringProperty("bundle", "crabro");
            json.writeArrayPropertyStart("serverBindings");
            for (String path : binding.paths()) {
                json.writeString("http://*" + path);
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
