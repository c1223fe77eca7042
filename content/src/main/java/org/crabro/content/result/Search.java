package org.crabro.content.result;

import java.util.List;
import java.util.concurrent.Executor;
import org.crabro.config.schema.Schema;
import org.crabro.content.run.View;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;

/**
 * Answers searches on a content node. Safe for use by many threads.
 *
 * <p>All work on blocks is done by the threads of an executor of the node: platform threads, which
 * never call {@link #run} themselves.
 */
public final class Search {
    private final Executor threads;
    private final int cores;
    private final int ceiling;

    /**
     * @param threads a fixed pool of platform threads; who made it closes it
     * @param cores how many processors the queries share, at least 1
     * @param ceiling the most threads that one query gets, at least 1
     */
    public Search(Executor threads, int cores, int ceiling) {
        this.threads = threads;
        this.cores = cores;
        this.ceiling = ceiling;
    }

    /**
     * Searches {@code views} and closes them, whatever becomes of the search. Blocks its caller,
     * which may be a virtual thread, until no thread touches the views any more.
     *
     * @param schema the type that {@code request} names
     * @param views one per partition that {@code request} names
     */
    public SearchReply run(SearchRequest request, Schema schema, List<View> views) {
        throw new UnsupportedOperationException(
                "%s on %s %d %d".formatted(request, threads, cores, ceiling));
    }
}
