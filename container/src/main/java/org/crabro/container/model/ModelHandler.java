package org.crabro.container.model;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.BodyRefusedException;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.RequestPath;
import org.crabro.container.http.UnusableBodyException;
import org.crabro.container.query.BodyBudget;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Parameters;
import org.crabro.container.query.RequestBody;
import org.crabro.container.query.SearchSettings;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.TensorFormat;
import org.crabro.ranking.onnx.ModelFailedException;
import org.crabro.ranking.onnx.RunDeadline;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.crabro.tensor.DenseTensor;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import tools.jackson.core.JsonGenerator;

/**
 * Handles {@code /model-evaluation/v1}, and passes every other request to the next handler. Blocks
 * while a model computes.
 *
 * <pre>
 *   path := "/model-evaluation/v1" [ "/" model [ "/" function [ "/" output ] ] [ "/eval" ] ] [ "/" ]
 * </pre>
 */
public final class ModelHandler extends Handler.Abstract {
    private static final String ROOT = "/model-evaluation";
    private static final String VERSION = "v1";
    private static final String EVALUATE = "eval";

    private static final String FORMAT = "format.tensors";
    private static final String MISSING_VALUE = "missing-value";

    /** The time that an evaluation waits for a free core. */
    private static final Duration WAIT_MAX = Duration.ofSeconds(10);

    /** After this time a rejected client may retry. */
    private static final int RETRY_AFTER_SECONDS = 1;

    private final ApplicationModels models;
    private final Map<String, String> names;
    private final SearchSettings settings;
    private final BodyBudget bodies;

    /**
     * @param settings limit the bodies, which count like those of queries
     * @param bodies shared by all applications of the process
     */
    public ModelHandler(ApplicationModels models, SearchSettings settings, BodyMemory bodies) {
        this.models = models;
        this.names = models.lowerCaseNames();
        this.settings = settings;
        this.bodies = new BodyBudget(bodies);
    }

    /** Returns whether a request is answered here. */
    public static boolean isAnswered(Request request) {
        String path = RequestPath.of(request).text().toLowerCase(Locale.ROOT);
        return path.equals(ROOT) || path.startsWith(ROOT + "/");
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (!isAnswered(request)) {
            return false;
        }
        try {
            boolean isPost = HttpMethod.POST.is(request.getMethod());
            if (!isPost && !HttpMethod.GET.is(request.getMethod())) {
                response.getHeaders().put(HttpHeader.ALLOW, "GET, POST");
                throw new Refusal(
                        HttpStatus.METHOD_NOT_ALLOWED_405,
                        "expected GET or POST but found " + request.getMethod());
            }
            answer(request, response, callback);
        } catch (Refusal e) {
            refuse(response, callback, e.status, String.valueOf(e.getMessage()));
        } catch (ModelFailedException e) {
            refuse(response, callback, HttpStatus.BAD_REQUEST_400, String.valueOf(e.getMessage()));
        } catch (ModelBusyException | BodyRefusedException e) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, RETRY_AFTER_SECONDS);
            refuse(
                    response,
                    callback,
                    HttpStatus.TOO_MANY_REQUESTS_429,
                    String.valueOf(e.getMessage()));
        } catch (UnusableBodyException e) {
            refuse(response, callback, e.getCode(), e.getReason());
        } catch (IllegalQueryException e) {
            refuse(
                    response,
                    callback,
                    e.error().code().status().orElse(HttpStatus.BAD_REQUEST_400),
                    e.error().message());
        } catch (IOException e) {
            refuse(
                    response,
                    callback,
                    HttpStatus.BAD_REQUEST_400,
                    "the body ended early: " + e.getMessage());
        }
        return true;
    }

    /** A request that is wrong. The client receives the message. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int status;

        Refusal(int status, String message) {
            super(message, null, false, false);
            this.status = status;
        }

        static Refusal notFoundRefusal(String message) {
            return new Refusal(HttpStatus.NOT_FOUND_404, message);
        }

        static Refusal bad(String message) {
            return new Refusal(HttpStatus.BAD_REQUEST_400, message);
        }
    }

    private static void refuse(Response response, Callback callback, int status, String message) {
        JsonReply.send(response, callback, status, "error", message);
    }

    private void answer(Request request, Response response, Callback callback) throws IOException {
        List<String> path =
                Arrays.stream(
                                RequestPath.of(request)
                                        .text()
                                        .toLowerCase(Locale.ROOT)
                                        .substring(ROOT.length())
                                        .split("/"))
                        .filter(part -> !part.isEmpty())
                        .toList();
        if (path.isEmpty() || !path.getFirst().equals(VERSION)) {
            throw Refusal.notFoundRefusal(
                    path.isEmpty()
                            ? "expected a version after " + ROOT + ", as in " + ROOT + "/v1"
                            : "unknown API version '%s'; there is v1".formatted(path.getFirst()));
        }
        String base = base(request);
        if (path.size() == 1) {
            JsonReply.send(response, callback, HttpStatus.OK_200, json -> list(json, base));
            return;
        }
        String name =
                Optional.ofNullable(names.get(path.get(1)))
                        .orElseThrow(() ->
                                Refusal.notFoundRefusal(
                                        "there is no model '%s'; there are %s"
                                                .formatted(path.get(1), models.names())));
        List<ModelFunction> functions = models.functions(name).orElseThrow();
        boolean isEvaluated = path.getLast().equals(EVALUATE) && path.size() > 2;
        List<String> function = path.subList(2, path.size() - (isEvaluated ? 1 : 0));
        if (isEvaluated) {
            evaluate(request, response, callback, find(name, functions, function));
        } else if (function.isEmpty()) {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.OK_200,
                    json -> describe(json, base, name, functions));
        } else {
            ModelFunction modelFunction = find(name, functions, function);
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.OK_200,
                    json -> {
                        json.writeStartObject();
                        json.writeStringProperty("model", name);
                        describe(json, base, name, modelFunction);
                        json.writeEndObject();
                    });
        }
    }

    private void evaluate(
            Request request, Response response, Callback callback, ModelFunction function)
            throws IOException {
        try (BodyBudget.Share share = bodies.share()) {
            Parameters parameters =
                    RequestBody.parameters(request, settings.bodies().maxBodyBytes(), share);
            TensorFormat format = format(parameters.values());
            DenseTensor result = evaluated(function, parameters.values());
            JsonReply.sendLarge(
                    response,
                    callback,
                    HttpStatus.OK_200,
                    json -> FieldValueWriter.write(json, result, format));
        }
    }

    private static DenseTensor evaluated(ModelFunction function, Map<String, String> parameters) {
        OptionalDouble missing = missingValue(parameters);
        try {
            Map<String, DenseTensor> values = values(function, parameters);
            return RunDeadline.within(
                    System.nanoTime() + WAIT_MAX.toNanos(),
                    () -> function.evaluate(values, missing));
        } catch (IllegalArgumentException e) {
            throw Refusal.bad(String.valueOf(e.getMessage()));
        }
    }

    private static TensorFormat format(Map<String, String> parameters) {
        String text = parameters.getOrDefault(FORMAT, TensorFormat.SHORT.parameter());
        return TensorFormat.named(text)
                .orElseThrow(() ->
                        Refusal.bad(
                                "unknown %s '%s'; expected one of %s"
                                        .formatted(
                                                FORMAT,
                                                text,
                                                Arrays.stream(TensorFormat.values())
                                                        .map(TensorFormat::parameter)
                                                        .toList())));
    }

    /** Returns the values of the arguments; parameters of other names are ignored. */
    private static Map<String, DenseTensor> values(
            ModelFunction function, Map<String, String> parameters) {
        Map<String, DenseTensor> values = new HashMap<>();
        function.arguments()
                .forEach((name, type) -> {
                    String text = parameters.get(name);
                    if (text != null) {
                        values.put(name, ModelFunction.value(name, type, text));
                    }
                });
        return values;
    }

    private static OptionalDouble missingValue(Map<String, String> parameters) {
        String text = parameters.get(MISSING_VALUE);
        if (text == null) {
            return OptionalDouble.empty();
        }
        try {
            return OptionalDouble.of(Double.parseDouble(text));
        } catch (NumberFormatException _) {
            throw Refusal.bad(
                    "%s is '%s', and a number is expected".formatted(MISSING_VALUE, text));
        }
    }

    private static ModelFunction find(
            String model, List<ModelFunction> functions, List<String> path) {
        try {
            return ModelFunction.find(model, functions, path);
        } catch (IllegalArgumentException e) {
            throw Refusal.notFoundRefusal(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the URL of this API, with the host that the client named. */
    private static String base(Request request) {
        String host = request.getHeaders().get(HttpHeader.HOST);
        if (host == null || host.isBlank()) {
            host = Request.getServerName(request) + ":" + Request.getServerPort(request);
        }
        return request.getHttpURI().getScheme() + "://" + host + ROOT + "/" + VERSION;
    }

    private void list(JsonGenerator json, String base) {
        json.writeStartObject();
        models.names().forEach(name -> json.writeStringProperty(name, base + "/" + name));
        json.writeEndObject();
    }

    private static void describe(
            JsonGenerator json, String base, String model, List<ModelFunction> functions) {
        json.writeStartObject();
        json.writeStringProperty("model", model);
        json.writeArrayPropertyStart("functions");
        for (ModelFunction function : functions) {
            json.writeStartObject();
            describe(json, base, model, function);
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void describe(
            JsonGenerator json, String base, String model, ModelFunction function) {
        String url = base + "/" + model + "/" + String.join("/", function.path());
        json.writeStringProperty("function", function.name());
        json.writeStringProperty("info", url);
        json.writeStringProperty("eval", url + "/" + EVALUATE);
        json.writeArrayPropertyStart("arguments");
        function.arguments()
                .forEach((name, type) -> {
                    json.writeStartObject();
                    json.writeStringProperty("name", name);
                    json.writeStringProperty("type", type.toString());
                    json.writeEndObject();
                });
        json.writeEndArray();
    }
}
