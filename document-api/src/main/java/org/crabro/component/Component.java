package org.crabro.component;

/**
 * An object of an application's own code. The container creates it once when its package is
 * deployed. It closes it once, after another package was deployed and the last request that can use
 * it has ended.
 *
 * <p>A class has one public constructor. It has no parameters, or parameters of these types: a
 * {@link ComponentContext}, which has the configuration and the other components by id, or the type
 * of another component, if only one component has that type. If the constructor throws, the
 * deployment fails with its message, and the previous package stays active.
 *
 * {@snippet :
 * public final class Synonyms implements Component {
 *     private final Map<String, String> words;
 *
 *     public Synonyms(ComponentContext context) {
 *         words = read(context.config("my.synonyms").text("file", "words.txt"));
 *     }
 * }
 * }
 *
 * <p>Constructors run one after another on one thread; everything else is called by many threads at
 * once.
 */
public interface Component extends AutoCloseable {
    /**
     * Releases resources, on a thread that handles no request. Called once, before the components
     * that were passed to the constructor are closed. Exceptions are logged.
     */
    @Override
    default void close() {}
}
