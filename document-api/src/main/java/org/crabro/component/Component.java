package org.crabro.component;

/**
 * An object that an application brings: made once when its package is deployed, and closed once
 * when another package has taken its place and the last request that may use it has ended.
 *
 * <p>A class has one public constructor. It takes nothing, or what it needs: a {@link
 * ComponentContext}, which has its configuration and the other components by id, or other
 * components by their type, where one only is of it. What the constructor throws is told to who
 * deploys, and the package before is served on.
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
     * Lets go what this holds, on a thread of no request. Called once, before the components that
     * its constructor took are closed. What it throws is logged.
     */
    @Override
    default void close() {}
}
