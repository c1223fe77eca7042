package org.crabro.container.search;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.component.Hit;
import org.crabro.component.Result;
import org.crabro.container.http.AnswerStream;
import org.crabro.container.http.ClientWatch;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.QueryOutput;
import org.crabro.container.query.ResultError;
import org.crabro.document.FieldValue;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends results whose text a language model is generating, on a virtual thread. Events are sent one
 * by one; other formats are sent when the text is complete.
 */
final class AnswerSender {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerSender.class);

    private final Renderer renderer;
    private final Whole whole;

    /** Sends a complete result. */
    interface Whole {
        void send(Request request, Response response, Callback callback, SearchResult result)
                throws IOException;
    }

    AnswerSender(Renderer renderer, Whole whole) {
        this.renderer = renderer;
        this.whole = whole;
    }

    /** Sends a result with an answer, and returns at once. */
    void start(Request request, Response response, Callback callback, SearchResult result) {
        PageAnswer answer = result.page().answer().orElseThrow();
        // A model may think for longer than a connection may be idle; its own timeout ends it.
        request.addIdleTimeoutListener(_ -> false);
        try {
            Thread.ofVirtual()
                    .name("answer")
                    .start(() -> send(request, response, callback, result, answer));
        } catch (RuntimeException | Error e) {
            answer.generated().call().close();
            throw e;
        }
    }

    private void send(
            Request request,
            Response response,
            Callback callback,
            SearchResult result,
            PageAnswer answer) {
        try {
            boolean areEvents =
                    result.output().presentation().output().format() == Presentation.Format.SSE;
            if (areEvents) {
                events(request, response, callback, result, answer);
            } else {
                collected(request, response, callback, result, answer);
            }
        } catch (IOException e) {
            // The client has disconnected.
            callback.failed(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            callback.failed(e);
        } catch (RuntimeException | Error e) {
            LOG.error("an answer could not be sent", e);
            callback.failed(e);
        } finally {
            answer.generated().call().close();
        }
    }

    private void events(
            Request request,
            Response response,
            Callback callback,
            SearchResult result,
            PageAnswer answer)
            throws IOException, InterruptedException {
        response.getHeaders()
                .put(HttpHeader.CONTENT_TYPE, renderer.contentType(result.output().presentation()));
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-cache");
        try (var out = new AnswerStream(request, response)) {
            for (ResultError error : result.errors()) {
                renderer.error(error, out);
            }
            var events = new AnswerEvents(answer, this::json);
            AnswerEvents.End end =
                    events.take(
                            ClientWatch.of(request),
                            event -> {
                                renderer.event(event, out);
                                out.sendNow();
                            });
            switch (end) {
                case AnswerEvents.End.Complete() -> {}
                case AnswerEvents.End.Failed(var error) -> {
                    if (!response.isCommitted()) {
                        int status =
                                SearchResult.failed(error, result.output().presentation()).status();
                        response.setStatus(status);
                        SearchHandler.retryLater(status, response);
                    }
                    renderer.error(error, out);
                }
                case AnswerEvents.End.Disconnected() -> throw disconnected();
            }
            renderer.end(out);
            out.end(callback);
        }
    }

    private static EofException disconnected() {
        return new EofException("the client has disconnected");
    }

    private void collected(
            Request request,
            Response response,
            Callback callback,
            SearchResult result,
            PageAnswer answer)
            throws IOException, InterruptedException {
        var all = new ArrayList<AnswerEvent>();
        AnswerEvents.End end =
                new AnswerEvents(answer, this::json).take(ClientWatch.of(request), all::add);
        var errors = new ArrayList<>(result.errors());
        switch (end) {
            case AnswerEvents.End.Complete() -> {}
            case AnswerEvents.End.Failed(var error) -> errors.add(error);
            case AnswerEvents.End.Disconnected() -> throw disconnected();
        }
        boolean hasText = all.stream().anyMatch(AnswerSender::isText);
        ResultPage page = result.page().with(Optional.empty());
        if (hasText) {
            page =
                    switch (result.output().presentation().output().format()) {
                        case JSON, CBOR, SSE -> result.page().with(Optional.of(answer.with(all)));
                        case XML, PAGE -> page.with(hits(all));
                    };
        }
        whole.send(
                request,
                response,
                callback,
                new SearchResult(
                        page,
                        result.groups(),
                        result.coverage(),
                        result.cost(),
                        errors,
                        result.output()));
    }

    /** Returns the parts of an answer as hits, for formats without a form for them. */
    private static List<ResultHit> hits(List<AnswerEvent> events) {
        var hits = new ArrayList<Hit>();
        for (AnswerEvent event : events) {
            hits.add(
                    Hit.of(
                            Integer.toString(hits.size() + 1),
                            1,
                            "",
                            Map.of(event.type(), new FieldValue.StringValue(event.text()))));
        }
        return OwnResults.hits(Result.of(hits));
    }

    private static boolean isText(AnswerEvent event) {
        return event.type().equals(AnswerEvent.TOKEN)
                || event.type().equals(AnswerEvent.COMPLETION);
    }

    /** Writes a search result as it would be without an answer. */
    private String json(SearchResult result) {
        var bytes = new ByteArrayOutputStream();
        var plain =
                new SearchResult(
                        result.page(),
                        result.groups(),
                        result.coverage(),
                        result.cost(),
                        result.errors(),
                        new QueryOutput(
                                result.output().presentation().asJson(),
                                0,
                                List.of(),
                                result.output().window()));
        try {
            renderer.render(plain, Duration.ZERO, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
