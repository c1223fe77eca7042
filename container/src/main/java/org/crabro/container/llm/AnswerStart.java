package org.crabro.container.llm;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.component.LanguageModelException;
import org.crabro.component.ModelRequest;
import org.crabro.component.Query;
import org.crabro.component.QueryError;
import org.crabro.component.Result;

/** Reads the parameters of a query for a language model, and starts the model. */
final class AnswerStart {
    /** The header, and with a prefix the header or parameter, with the key of a service. */
    private static final String KEY = "X-LLM-API-KEY";

    /** Parameters of searchers, in lower case; all others with the prefix are for the model. */
    private static final Set<String> OF_SEARCHER =
            Set.of(
                    "prompt",
                    "stream",
                    "context",
                    "fields",
                    "includeprompt",
                    "includehits",
                    "x-llm-api-key");

    private final AnswerSettings settings;
    private final ModelCalls calls;

    AnswerStart(AnswerSettings settings, ModelCalls calls) {
        this.settings = settings;
        this.calls = calls;
    }

    /** Returns a parameter, by its name without prefix. */
    Optional<String> parameter(Query query, String name) {
        return query.property(settings.prefix() + "." + name);
    }

    boolean isTrue(Query query, String name, boolean otherwise) {
        return parameter(query, name)
                .map(text -> text.isEmpty() || text.equalsIgnoreCase("true"))
                .orElse(otherwise);
    }

    /**
     * Returns the prompt of a query, as written.
     *
     * @throws LanguageModelException if there is none
     */
    String prompt(Query query) {
        return parameter(query, "prompt")
                .or(() -> query.property("prompt"))
                .or(settings::prompt)
                .or(() -> query.property("query"))
                .filter(text -> !text.isBlank())
                .orElseThrow(() ->
                        new LanguageModelException(
                                QueryError.Kind.INVALID_QUERY,
                                "there is no prompt for the language model; expected the parameter '%s.prompt', 'prompt' or 'query'"
                                        .formatted(settings.prefix())));
    }

    /**
     * Starts the model.
     *
     * @param result of the search; empty if there was none
     * @return a result whose origin is the answer, or an error
     */
    Result answer(Query query, String prompt, Optional<Result> result) {
        try {
            boolean isStreamed = isTrue(query, "stream", settings.isStreamed());
            ModelCall call =
                    calls.start(
                            settings.model(),
                            new ModelRequest(
                                    prompt,
                                    options(query),
                                    key(query),
                                    timeout(query),
                                    isStreamed));
            var answer =
                    new GeneratedAnswer(
                            call,
                            isStreamed,
                            query.traceLevel() >= 1 || isTrue(query, "includePrompt", false)
                                    ? Optional.of(prompt)
                                    : Optional.empty(),
                            result.filter(_ -> isTrue(query, "includeHits", false)),
                            query.traceLevel() >= 1);
            return new Result(
                    List.of(),
                    result.map(Result::totalCount).orElse(0L),
                    result.flatMap(Result::coverage),
                    result.map(Result::errors).orElse(List.of()),
                    Optional.of(answer));
        } catch (LanguageModelException e) {
            return Result.failed(e.error());
        }
    }

    /** The time of the request if it sets one, otherwise that of the settings. */
    private Duration timeout(Query query) {
        Duration left =
                query.property("timeout").isPresent()
                        ? query.timeLeft()
                        : calls.settings().timeout();
        if (!left.isPositive()) {
            throw new LanguageModelException(
                    QueryError.Kind.TIMED_OUT, "no time is left for the language model");
        }
        return left;
    }

    private Optional<String> key(Query query) {
        String own = settings.prefix() + "." + KEY;
        return query.header(own)
                .or(() -> query.header(KEY))
                .or(() -> query.property(own))
                .filter(value -> !value.isBlank());
    }

    private Map<String, String> options(Query query) {
        var options = new TreeMap<String, String>();
        String start = settings.prefix() + ".";
        query.properties()
                .forEach((name, value) -> {
                    String option = name.startsWith(start) ? name.substring(start.length()) : "";
                    if (!option.isEmpty()
                            && !OF_SEARCHER.contains(option.toLowerCase(Locale.ROOT))) {
                        options.put(option, value);
                    }
                });
        return options;
    }
}
