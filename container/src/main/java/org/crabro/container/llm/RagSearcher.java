package org.crabro.container.llm;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.component.LanguageModelException;
import org.crabro.component.Query;
import org.crabro.component.QueryError;
import org.crabro.component.Result;
import org.crabro.component.Searcher;

/** Searches, and sends the hits with the prompt of the query to a language model. */
final class RagSearcher implements Searcher {
    private final AnswerStart start;

    RagSearcher(AnswerStart start) {
        this.start = start;
    }

    @Override
    public Result search(Query query, Execution execution) {
        Result result = execution.search(query);
        boolean hasFailed =
                result.hits().isEmpty()
                        && result.errors().stream()
                                .anyMatch(error -> error.kind() != QueryError.Kind.WARNING);
        if (hasFailed) {
            // An answer without documents would look like one that is based on them.
            return result;
        }
        try {
            return start.answer(query, prompt(query, result), Optional.of(result));
        } catch (LanguageModelException e) {
            return Result.failed(e.error());
        }
    }

    private String prompt(Query query, Result result) {
        String words = query.property("query").orElse("");
        String prompt = start.prompt(query);
        if (start.parameter(query, "context").filter("skip"::equals).isPresent()) {
            return prompt.replace("@query", words);
        }
        List<String> fields =
                start.parameter(query, "fields").stream()
                        .flatMap(text -> Stream.of(text.split(",")))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .toList();
        return new ContextPrompt(fields).of(prompt, words, result.hits());
    }
}
