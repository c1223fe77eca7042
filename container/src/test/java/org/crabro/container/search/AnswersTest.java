package org.crabro.container.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.crabro.component.LanguageModel;
import org.crabro.component.LanguageModelException;
import org.crabro.component.ModelRequest;
import org.crabro.component.QueryError;
import org.crabro.component.Searcher;
import org.crabro.config.component.ChainEnding;
import org.crabro.config.component.Federation;
import org.crabro.config.component.SourceOptions;
import org.crabro.container.llm.GivenContext;
import org.crabro.container.llm.LanguageModelMeters;
import org.crabro.container.llm.LanguageModelSettings;
import org.crabro.container.llm.ModelCalls;
import org.crabro.container.llm.ModelComponents;
import org.crabro.container.service.ServiceRules;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.SearchHit;
import org.eclipse.jetty.server.LocalConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Answers of language models over HTTP; models and content nodes are doubles. */
class AnswersTest {
    private static final String ASKED =
            "yql=select * from music where true&streaming.groupname=g&query=why&timeout=60s";

    private final SearchServer server = new SearchServer();
    private final AtomicReference<ModelRequest> request = new AtomicReference<>();
    private LanguageModelSettings settings = LanguageModelSettings.DEFAULT;

    @TempDir Path files;

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void sendsEachTokenAsAnEvent() throws Exception {
        start("RAGSearcher", answering("It is", " so.\n"), Map.of());

        String answer = get(ASKED + "&format=sse");

        assertThat(answer)
                .startsWith("HTTP/1.1 200")
                .contains("Content-Type: text/event-stream;charset=utf-8")
                .endsWith(
                        """
                        \r
                        \r
                        event: token
                        data: {"token":"It is"}

                        event: token
                        data: {"token":" so.\\n"}

                        event: end
                        """);
        assertThat(request.get().prompt())
                .isEqualTo("document [1]:\ntitle: Blue\nyear: 1999\n\n\nwhy");
        assertThat(request.get().isStreamed()).isTrue();
    }

    @Test
    void showsPromptHitsAndTimesOnRequest() throws Exception {
        start("RAGSearcher", answering("a", "b"), Map.of());

        String answer =
                get(
                        ASKED
                                + "&format=sse&llm.prompt=Is {context}?&llm.fields=year&llm.includePrompt=true&llm.includeHits=true&traceLevel=1");

        assertThat(answer)
                .containsSubsequence(
                        "event: prompt\ndata: {\"prompt\":\"Is document [1]:\\nyear: 1999\\n\\n?\"}\n\n",
                        "event: hits\ndata: {\"root\":{\"id\":\"toplevel\"",
                        "\"title\":\"Blue\"",
                        "event: token\ndata: {\"token\":\"a\"}\n\n",
                        "event: token\ndata: {\"token\":\"b\"}\n\n",
                        "event: stats\ndata: {\"stats\":\"Time to first token: ",
                        "Generated tokens: 2 (",
                        "event: end\n");
    }

    @Test
    void aCompleteAnswerIsATreeOfHits() throws Exception {
        start("RAGSearcher", answering("a", "b"), Map.of());

        assertThat(get(ASKED))
                .contains("Content-Type: application/json")
                .endsWith(
                        "{\"root\":{\"id\":\"token_stream\",\"relevance\":1.0,\"fields\":{\"totalCount\":1},"
                                + "\"coverage\":{\"coverage\":100,\"documents\":10,\"full\":true,\"nodes\":1,\"results\":1,\"resultsFull\":1},"
                                + "\"children\":[{\"id\":\"event_stream\",\"relevance\":1.0,\"children\":["
                                + "{\"id\":\"1\",\"relevance\":1.0,\"fields\":{\"token\":\"a\"}},"
                                + "{\"id\":\"2\",\"relevance\":1.0,\"fields\":{\"token\":\"b\"}}]}]}}");
        assertThat(get(ASKED + "&llm.stream=false&llm.includeHits=true"))
                .contains("\"root\":{\"id\":\"completion\"")
                .contains("\"id\":\"1\",\"relevance\":1.0,\"fields\":{\"hits\":{\"root\":{")
                .contains("\"id\":\"2\",\"relevance\":1.0,\"fields\":{\"completion\":\"ab\"}");
        assertThat(request.get().isStreamed()).isFalse();
        assertThat(get(ASKED + "&llm.stream=false&format=sse"))
                .contains("event: completion\ndata: {\"completion\":\"ab\"}\n\nevent: end\n");
        assertThat(get(ASKED + "&format=xml"))
                .contains("<field name=\"token\">a</field>", "<field name=\"token\">b</field>");
    }

    @Test
    void prefersThePromptOfTheRequest() throws Exception {
        Files.writeString(files.resolve("prompt.txt"), "Template of @query");
        start("RAGSearcher", answering("x"), Map.of("promptTemplate", "prompt.txt"));

        assertThat(prompt(ASKED + "&llm.context=skip")).isEqualTo("Template of why");
        assertThat(prompt(ASKED + "&llm.context=skip&prompt=p")).isEqualTo("p");
        assertThat(prompt(ASKED + "&llm.context=skip&prompt=p&llm.prompt=q")).isEqualTo("q");
    }

    @Test
    void aSearcherWithoutASearchNeedsAPromptOnly() throws Exception {
        start("LLMSearcher", answering("x"), Map.of("propertyPrefix", "my"));

        assertThat(prompt("prompt=Say @query&my.temperature=1&my.stream=true&llm.seed=1"))
                .isEqualTo("Say @query");
        assertThat(request.get().options()).isEqualTo(Map.of("temperature", "1"));
        assertThat(server.asked()).isEmpty();
        assertThat(get("format=sse"))
                .startsWith("HTTP/1.1 400")
                .contains("event: error\ndata: {\"code\":3,\"summary\":\"Illegal query\"")
                .contains("there is no prompt for the language model")
                .endsWith("event: end\n");
    }

    @Test
    void readsTheKeyOfTheRequest() throws Exception {
        start("LLMSearcher", answering("x"), Map.of());

        server.send(
                "GET /search/?prompt=a HTTP/1.0\r\nX-LLM-API-KEY: k1\r\nllm.X-LLM-API-KEY: k2\r\n\r\n");
        assertThat(request.get().apiKey()).contains("k2");
        server.send("GET /search/?prompt=a HTTP/1.0\r\nx-llm-api-key: k1\r\n\r\n");
        assertThat(request.get().apiKey()).contains("k1");
        get("prompt=a&llm.X-LLM-API-KEY=k3");
        assertThat(request.get().apiKey()).contains("k3");
        assertThat(request.get().options()).isEmpty();
    }

    @Test
    void anErrorBeforeTheFirstTokenIsTheStatus() throws Exception {
        start("LLMSearcher", failing(QueryError.Kind.UNAVAILABLE, ""), Map.of());

        assertThat(get("prompt=a&format=sse"))
                .startsWith("HTTP/1.1 503")
                .contains("event: error\ndata: {\"code\":10,", "\"message\":\"it is off\"}")
                .endsWith("event: end\n");
        assertThat(get("prompt=a")).startsWith("HTTP/1.1 503").contains("it is off");
    }

    @Test
    void anErrorAfterATokenIsAnEvent() throws Exception {
        start("LLMSearcher", failing(QueryError.Kind.UNAVAILABLE, "begun"), Map.of());

        assertThat(get("prompt=a&format=sse"))
                .startsWith("HTTP/1.1 200")
                .containsSubsequence("{\"token\":\"begun\"}", "event: error\n", "event: end\n");
        assertThat(get("prompt=a"))
                .startsWith("HTTP/1.1 200")
                .containsSubsequence("it is off", "\"token\":\"begun\"");
    }

    @Test
    void aFullOrMissingServiceSaysWhenToRepeatTheRequest() throws Exception {
        for (QueryError.Kind kind :
                List.of(QueryError.Kind.OVERLOADED, QueryError.Kind.UNAVAILABLE)) {
            start("LLMSearcher", failing(kind, ""), Map.of());
            String status = kind == QueryError.Kind.OVERLOADED ? "429" : "503";

            for (String format : List.of("&format=sse", "", "&format=xml")) {
                assertThat(get("prompt=a" + format))
                        .startsWith("HTTP/1.1 " + status)
                        .contains("Retry-After: 1\r\n");
            }
            server.stop();
        }
    }

    @Test
    void showsWhyTheTextEnds() throws Exception {
        start("LLMSearcher", ending("length", "a", "b"), Map.of());

        assertThat(get("prompt=a&format=sse"))
                .endsWith(
                        """
                        data: {"token":"b"}

                        event: finish_reason
                        data: {"finish_reason":"length"}

                        event: end
                        """);
        assertThat(get("prompt=a&format=sse&llm.stream=false&traceLevel=1"))
                .containsSubsequence(
                        "event: completion\n",
                        "event: finish_reason\ndata: {\"finish_reason\":\"length\"}\n\n",
                        "event: stats\n",
                        "event: end\n");
        // Not a child: clients take each child for a part of the text.
        assertThat(get("prompt=a"))
                .contains(
                        "{\"id\":\"event_stream\",\"relevance\":1.0,\"fields\":{\"finish_reason\":\"length\"},\"children\":["
                                + "{\"id\":\"1\",\"relevance\":1.0,\"fields\":{\"token\":\"a\"}},"
                                + "{\"id\":\"2\",\"relevance\":1.0,\"fields\":{\"token\":\"b\"}}]}");
    }

    @Test
    void anAnswerThatIsCutHasNoReasonToEnd() throws Exception {
        start("LLMSearcher", failing(QueryError.Kind.UNAVAILABLE, "begun"), Map.of());

        assertThat(get("prompt=a&format=sse"))
                .contains("event: error\n")
                .doesNotContain("finish_reason");
    }

    @Test
    void rejectsAnswersBeyondTheLimit() throws Exception {
        settings = settings.withCalls(0, 10);
        start("LLMSearcher", answering("x"), Map.of());

        assertThat(get("prompt=a&format=sse"))
                .startsWith("HTTP/1.1 429")
                .contains("Retry-After: 1", "search.models.maxInFlight");
    }

    @Test
    void anAnswerEndsAtTheTimeoutOfTheRequest() throws Exception {
        start("LLMSearcher", (_, _) -> new CountDownLatch(1).await(), Map.of());

        assertThat(get("prompt=a&timeout=50ms"))
                .startsWith("HTTP/1.1 504")
                .contains("the language model did not end within");
    }

    @Test
    void sendsATokenBeforeTheNextIsComputed() throws Exception {
        var next = new CountDownLatch(1);
        start(
                "LLMSearcher",
                (_, parts) -> {
                    parts.accept("first");
                    next.await();
                    parts.accept("second");
                },
                Map.of());

        LocalConnector.LocalEndPoint client = server.connect();
        client.addInput(
                "GET /search/?prompt=a&format=sse HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        var received = new StringBuilder();
        while (!received.toString().contains("first")) {
            received.append(UTF_8.decode(client.waitForOutput(1, TimeUnit.MINUTES)));
        }
        assertThat(received.toString()).contains("data: {\"token\":\"first\"}\n\n");

        next.countDown();
        while (!received.toString().contains("event: end")) {
            received.append(UTF_8.decode(client.waitForOutput(1, TimeUnit.MINUTES)));
        }
        assertThat(received.toString()).contains("second");
    }

    @Test
    void aSearchWithoutAnAnswerIsOneEvent() throws Exception {
        start("RAGSearcher", answering("x"), Map.of());

        assertThat(get(ASKED + "&searchChain=vespa&format=sse"))
                .contains("event: hits\ndata: {\"root\":{\"id\":\"toplevel\"", "Blue")
                .endsWith("event: end\n");
        assertThat(get("searchChain=vespa&format=sse"))
                .startsWith("HTTP/1.1 400")
                .contains("event: error\n");
    }

    @Test
    void aSourceCannotGenerateAnAnswer() throws Exception {
        var nothing = new ChainEnding.Nothing();
        server.start(
                new OwnChain(
                        "default",
                        List.of(
                                new OwnChain.FederationStep(
                                        new Federation(
                                                "f",
                                                List.of(
                                                        Federation.Source.of(
                                                                "writer", SourceOptions.NONE))))),
                        nothing,
                        true),
                new OwnChain(
                        "writer",
                        List.of(
                                new OwnChain.SearcherStep(
                                        "answers",
                                        searcher("LLMSearcher", answering("x"), Map.of()))),
                        nothing,
                        true));

        assertThat(get("prompt=a"))
                .startsWith("HTTP/1.1 500")
                .contains("source 'writer' answers with a language model");
    }

    private void start(String searcher, LanguageModel model, Map<String, String> config)
            throws Exception {
        server.answer(
                "music",
                SearchServer.reply(
                        1,
                        new SearchHit(
                                DocumentId.parse("id:n:music:g=g:1"),
                                1,
                                List.of(),
                                fields(),
                                Map.of())));
        server.start(
                new OwnChain(
                        "default",
                        List.of(
                                new OwnChain.SearcherStep(
                                        "answers", searcher(searcher, model, config))),
                        new ChainEnding.BuiltIn(true),
                        true));
    }

    private Searcher searcher(String searcher, LanguageModel model, Map<String, String> config) {
        var components =
                new ModelComponents(
                        new ModelCalls(
                                settings,
                                System::nanoTime,
                                new LanguageModelMeters(
                                        new SimpleMeterRegistry(), System::nanoTime)),
                        ServiceRules.NONE);
        return (Searcher)
                components.make(
                        "ai.vespa.search.llm." + searcher,
                        new GivenContext(
                                Map.of("ai.vespa.search.llm.llm-searcher", config),
                                Map.of("model", observed(model)),
                                files));
    }

    private LanguageModel observed(LanguageModel model) {
        return new LanguageModel() {
            @Override
            public void generate(ModelRequest asked, Consumer<String> parts)
                    throws InterruptedException {
                generateToEnd(asked, parts);
            }

            @Override
            public Optional<String> generateToEnd(ModelRequest asked, Consumer<String> parts)
                    throws InterruptedException {
                request.set(asked);
                return model.generateToEnd(asked, parts);
            }
        };
    }

    private static Map<String, FieldValue> fields() {
        var fields = new LinkedHashMap<String, FieldValue>();
        fields.put("title", new FieldValue.StringValue("Blue"));
        fields.put("year", new FieldValue.IntValue(1999));
        return fields;
    }

    private static LanguageModel answering(String... texts) {
        return (_, parts) -> {
            for (String text : texts) {
                parts.accept(text);
            }
        };
    }

    private static LanguageModel ending(String reason, String... texts) {
        return new LanguageModel() {
            @Override
            public void generate(ModelRequest asked, Consumer<String> parts) {
                List.of(texts).forEach(parts);
            }

            @Override
            public Optional<String> generateToEnd(ModelRequest asked, Consumer<String> parts) {
                generate(asked, parts);
                return Optional.of(reason);
            }
        };
    }

    private static LanguageModel failing(QueryError.Kind kind, String before) {
        return (_, parts) -> {
            parts.accept(before);
            throw new LanguageModelException(kind, "it is off");
        };
    }

    private String prompt(String query) throws Exception {
        assertThat(get(query)).startsWith("HTTP/1.1 200");
        return request.get().prompt();
    }

    private String get(String query) throws Exception {
        return server.get("/search/?" + SearchServer.encoded(query));
    }
}
