package org.crabro.container.llm;

import java.util.Optional;
import org.crabro.component.LanguageModelException;
import org.crabro.component.Query;
import org.crabro.component.Result;
import org.crabro.component.Searcher;

/** Sends the prompt of a query to a language model, without a search. */
final class PromptSearcher implements Searcher {
    private final AnswerStart start;

    PromptSearcher(AnswerStart start) {
        this.start = start;
    }

    @Override
    public Result search(Query query, Execution execution) {
        try {
            return start.answer(query, start.prompt(query), Optional.empty());
        } catch (LanguageModelException e) {
            return Result.failed(e.error());
        }
    }
}
