package org.crabro.component;

import java.util.Optional;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;

/**
 * A component that generates values of fields while documents are fed: {@code generate id} in an
 * indexing script calls it.
 *
 * <p>Called by many threads at once, each a virtual thread that may block; the client waits
 * meanwhile.
 */
@FunctionalInterface
public interface FieldGenerator extends Component {
    /**
     * Returns the value that is generated from a text; empty for none.
     *
     * @param text the input of the step
     * @param field the name of the field whose script runs
     * @param type of the value to return: text, a number, a boolean, or an array of these
     * @throws LanguageModelException if no value can be generated. The operation then fails with a
     *     status for the kind of the error
     * @throws InterruptedException if the thread is interrupted
     */
    Optional<FieldValue> generate(String text, String field, FieldType type)
            throws InterruptedException;
}
