package org.crabro.component;

import org.crabro.document.operation.DocumentOperation;

/**
 * A component that processes operations before documents are written. It gets each put, update and
 * remove as it was fed, before indexing scripts run. It can change, drop or reject the operation.
 *
 * {@snippet :
 * public final class Shortened implements DocumentProcessor {
 *     @Override
 *     public Progress process(DocumentOperation operation) {
 *         return switch (operation) {
 *             case DocumentOperation.Put(Document document) ->
 *                     Progress.done(new DocumentOperation.Put(shortened(document)));
 *             case DocumentOperation.Update update -> Progress.done(update);
 *             case DocumentOperation.Remove remove -> Progress.done(remove);
 *         };
 *     }
 * }
 * }
 *
 * <p>Called by many threads at once, which may block; the client waits meanwhile. If it throws an
 * exception, only that operation fails, with status 500 and a message that names the chain and the
 * processor.
 *
 * <p>Document processors are not called for documents that are read, visited or reindexed.
 */
public interface DocumentProcessor extends Component {
    /** Returns the result of processing {@code operation}. */
    Progress process(DocumentOperation operation);

    /**
     * Processes {@code operation}. The server calls this method. A processor that does not need the
     * caller does not override it.
     *
     * @param caller the sender of the operation
     */
    default Progress process(DocumentOperation operation, Caller caller) {
        return process(operation);
    }
}
