package org.crabro.component;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * A component that generates texts, such as a client of a service. Searchers of the server that
 * answer with a language model find it by its id.
 *
 * {@snippet :
 * public final class Echo implements LanguageModel {
 *     @Override
 *     public void generate(ModelRequest request, Consumer<String> parts) {
 *         for (String word : request.prompt().split(" ")) {
 *             parts.accept(word + " ");
 *         }
 *     }
 * }
 * }
 *
 * <p>Called by many threads at once, each a virtual thread that may block. The server limits how
 * many calls run at the same time.
 */
@FunctionalInterface
public interface LanguageModel extends Component {
    /**
     * Generates the text that follows a prompt. Returns when the text is complete.
     *
     * <p>The thread is interrupted when the client of the request has disconnected, and when the
     * time of the request has passed.
     *
     * @param parts receives the parts of the text in their order, as soon as they are known. It
     *     blocks while the client reads slowly, and throws an exception if the request has ended
     * @throws LanguageModelException if no text, or only a part of it, can be generated
     * @throws InterruptedException if the thread is interrupted
     */
    void generate(ModelRequest request, Consumer<String> parts) throws InterruptedException;

    /**
     * Generates the text as {@link #generate} does, and returns why it ends. The server calls this
     * method. A model that knows the reason implements it.
     *
     * @return such as {@code stop} for a complete text, and {@code length} for one that a limit has
     *     cut; empty if the model does not know
     * @throws LanguageModelException as {@link #generate} does
     * @throws InterruptedException if the thread is interrupted
     */
    default Optional<String> generateToEnd(ModelRequest request, Consumer<String> parts)
            throws InterruptedException {
        generate(request, parts);
        return Optional.empty();
    }
}
