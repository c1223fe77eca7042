package org.crabro.container.llm;

import java.util.Optional;
import org.crabro.component.Result;

/**
 * The origin of a result whose text a language model is generating.
 *
 * @param call the running call; the code that writes the result closes it
 * @param isStreamed whether each part of the text is an event; otherwise the whole text is one
 * @param prompt shown before the text; empty if it is not shown
 * @param result the search result, shown before the text; empty if it is not shown
 * @param showsTimes whether the times are shown after the text
 */
public record GeneratedAnswer(
        ModelCall call,
        boolean isStreamed,
        Optional<String> prompt,
        Optional<Result> result,
        boolean showsTimes) {}
