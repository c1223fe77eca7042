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
 * Has the JVM compile the loops of searches in the fields of schemas, on a thread beside, so that
 * who asks some seconds after a start or a deployment does not wait for that.
 */
final class SearchWarmUp implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SearchWarmUp.class);

    /** Who asks at once is not to share the processors with this. */
    static final Duration DELAY = Duration.ofSeconds(1);

    private final Duration delay;

    /** One thread, while there is something to do. */
    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(
                    1,
                    Thread.ofPlatform().name("warm-up").daemon().factory(),
                    new ThreadPoolExecutor.DiscardPolicy());

    /**
     * @param delay how long after a schema has come its loops are run
     */
    SearchWarmUp(Duration delay) {
        this.delay = delay;
        thread.setKeepAliveTime(DELAY.toNanos(), TimeUnit.NANOSECONDS);
        thread.allowCoreThreadTimeOut(true);
    }

    /** Runs what searches in {@code schemas} need, in a while; nothing once this is closed. */
    void plan(Collection<Schema> schemas) {
        Set<KernelWarmUp.Loops> loops = loops(schemas);
        if (!loops.isEmpty()) {
            // Nobody waits for it, and what goes wrong is logged.
            Future<?> _ = thread.schedule(() -> run(loops), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private static void run(Set<KernelWarmUp.Loops> loops) {
        try {
            loops.forEach(KernelWarmUp::run);
        } catch (RuntimeException e) {
            LOG.warn("Loops of searches are left to be compiled as they are used", e);
        }
    }

    static Set<KernelWarmUp.Loops> loops(Collection<Schema> schemas) {
        return schemas.stream()
                .flatMap(schema -> schema.fields().values().stream())
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

    /** Returns how many plans wait for their time. */
    int planned() {
        return thread.getQueue().size();
    }

    /** Ends the thread, whatever it is at. */
    @Override
    public void close() {
        thread.shutdownNow();
    }
}
