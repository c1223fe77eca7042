package org.crabro.content;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.match.NearestSearch;
import org.crabro.document.FieldType;
import org.crabro.ranking.kernel.KernelWarmUp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the JVM compile the loops of searches in the fields of schemas on a background thread, so
 * that queries some seconds after a start or a deployment do not wait for the compiler.
 */
final class SearchWarmUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SearchWarmUp.class);

    /**
     * The delay before it starts, so that it does not take processor time from immediate queries.
     */
    static final Duration DELAY = Duration.ofSeconds(1);

    private final Duration delay;

    /** One thread, only while there are tasks. */
    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(
                    1,
                    Thread.ofPlatform().name("warm-up").daemon().factory(),
                    new ThreadPoolExecutor.DiscardPolicy());

    /**
     * @param delay the time between the activation of a schema and the run of its loops
     */
    SearchWarmUp(Duration delay) {
        this.delay = delay;
        thread.setKeepAliveTime(DELAY.toNanos(), TimeUnit.NANOSECONDS);
        thread.allowCoreThreadTimeOut(true);
    }

    /** Schedules the loops for searches in {@code schemas}; does nothing after this is closed. */
    void plan(Collection<Schema> schemas) {
        Set<KernelWarmUp.Loops> loops = loops(schemas);
        if (!loops.isEmpty()) {
            // The result is not used; errors are logged.
            Future<?> _ = thread.schedule(() -> run(loops), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private static void run(Set<KernelWarmUp.Loops> loops) {
        try {
            loops.forEach(KernelWarmUp::run);
        } catch (RuntimeException e) {
            LOG.warn(
                    "Search loops could not be compiled ahead; they are compiled at their first use",
                    e);
        }
    }

    static Set<KernelWarmUp.Loops> loops(Collection<Schema> schemas) {
        return schemas.stream()
                .flatMap(schema -> schema.readable().stream())
                .filter(SchemaField::isSearchable)
                .flatMap(field -> loops(field).stream())
                .collect(Collectors.toSet());
    }

    private static Optional<KernelWarmUp.Loops> loops(SchemaField field) {
        FieldType type = field.field().type();
        if (type instanceof FieldType.TensorOf(var tensor)) {
            return NearestSearch.indexedCount(tensor) == 1
                    ? Optional.of(
                            new KernelWarmUp.Vectors(
                                    field.values().metric(), tensor.subspaceType()))
                    : Optional.empty();
        }
        return field.isText() && field.matching().mode().unit() == MatchMode.Unit.TOKEN
                ? Optional.of(new KernelWarmUp.Numbers())
                : Optional.empty();
    }

    /** Returns the number of scheduled plans. */
    int planned() {
        return thread.getQueue().size();
    }

    /** Ends the thread, even during a run. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
