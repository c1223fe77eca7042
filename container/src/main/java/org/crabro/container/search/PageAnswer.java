package org.crabro.container.search;

import java.util.List;
import java.util.Optional;
import org.crabro.container.llm.GeneratedAnswer;

/**
 * The generated text of a result.
 *
 * @param generated the answer, which is generated while it is read
 * @param result the search result that is a part of the answer; empty if it is not
 * @param events the parts of the answer, if the result is written when it is complete
 */
public record PageAnswer(
        GeneratedAnswer generated, Optional<SearchResult> result, List<AnswerEvent> events) {
    public PageAnswer {
        events = List.copyOf(events);
    }

    /** Returns the complete answer. */
    PageAnswer with(List<AnswerEvent> all) {
        return new PageAnswer(generated, result, all);
    }

    /** Returns the id of the result in JSON. */
    public String id() {
        return generated.isStreamed() ? "token_stream" : AnswerEvent.COMPLETION;
    }
}
