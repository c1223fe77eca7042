package org.crabro.container.reindex;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.crabro.config.deploy.ModelChanges;

/**
 * The requested reindexing runs and their progress, stored on disk so that a restart continues
 * them. A request is on disk when its method returns. Progress is saved now and then; a page that
 * is processed twice does no harm.
 *
 * <p>A deployment that changes scripts is recorded before it is activated, and becomes a run
 * afterwards. If the process ends in between, the next start decides by the active generation. Safe
 * for use by many threads.
 */
public final class ReindexRegister {
    /** The default speed. */
    public static final double SPEED_DEFAULT = 1;

    private final ReindexFile file;
    private final InstantSource clock;

    // All below are guarded by this.
    private final Map<ReindexKey, TypeReindexing> types;
    private boolean isEnabled;
    private long runs;
    private boolean isSaved = true;

    private ReindexRegister(ReindexFile file, ReindexFile.Contents contents, InstantSource clock) {
        this.file = file;
        this.clock = clock;
        this.types = new LinkedHashMap<>(contents.types());
        this.isEnabled = contents.isEnabled();
        this.runs = types.size();
    }

    /**
     * Opens the register in {@code file}, an empty one if the file does not exist.
     *
     * @param clock the source of its times
     * @throws IOException if it cannot be read; the message names the file
     */
    public static ReindexRegister open(Path file, InstantSource clock) throws IOException {
        var opened = new ReindexFile(file);
        return new ReindexRegister(opened, opened.read(), clock);
    }

    /** Returns whether requested runs are processed. */
    public synchronized boolean isEnabled() {
        return isEnabled;
    }

    /** Returns the state of all types, in the order of their first request. */
    public synchronized Map<ReindexKey, TypeReindexing> types() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(types));
    }

    /** Returns the state of a type. */
    public synchronized TypeReindexing type(ReindexKey key) {
        return types.getOrDefault(key, TypeReindexing.NONE);
    }

    /** Enables or disables reindexing; a disabled run continues later from its place. */
    public synchronized void enable(boolean on) throws IOException {
        isEnabled = on;
        write();
    }

    /** Requests runs of types, from the first document on. */
    public synchronized void ask(Collection<ReindexKey> keys, double speed, String cause)
            throws IOException {
        for (ReindexKey key : keys) {
            begin(key, speed, cause);
        }
        write();
    }

    private void begin(ReindexKey key, double speed, String cause) {
        runs++;
        ReindexRun run = ReindexRun.ready(runs, clock.millis(), speed, cause);
        types.put(key, new TypeReindexing(type(key).pending(), Optional.of(run)));
    }

    /** Changes the speed of runs, and returns the types of {@code keys} that have a run. */
    public synchronized List<ReindexKey> speed(Collection<ReindexKey> keys, double speed)
            throws IOException {
        List<ReindexKey> matches =
                keys.stream()
                        .filter(key -> types.containsKey(key) && run(key).isPresent())
                        .toList();
        for (ReindexKey key : matches) {
            types.computeIfPresent(
                    key,
                    (_, reindexing) ->
                            new TypeReindexing(
                                    reindexing.pending(),
                                    reindexing.run().map(run -> run.withSpeed(speed))));
        }
        write();
        return matches;
    }

    private Optional<ReindexRun> run(ReindexKey key) {
        return type(key).run();
    }

    /** Records the types to reindex after {@code generation} is activated. */
    public synchronized void expect(long generation, List<ModelChanges.Reindex> changes)
            throws IOException {
        for (ModelChanges.Reindex change : changes) {
            var key = new ReindexKey(change.cluster(), change.documentType());
            var pending =
                    new TypeReindexing.Pending(
                            generation,
                            "generation %d: %s"
                                    .formatted(generation, String.join("; ", change.messages())));
            types.put(key, new TypeReindexing(Optional.of(pending), run(key)));
        }
        if (!changes.isEmpty()) {
            write();
        }
    }

    /**
     * Begins the recorded runs of generations that became active, and drops those of other
     * generations.
     *
     * @param active the active generation; 0 for none, and then all records stay
     */
    public synchronized void settle(long active) throws IOException {
        boolean isChanged = false;
        for (var entry : List.copyOf(types.entrySet())) {
            Optional<TypeReindexing.Pending> pending = entry.getValue().pending();
            if (active != 0 && pending.isPresent()) {
                if (entry.getValue().run().isPresent()) {
                    types.put(
                            entry.getKey(),
                            new TypeReindexing(Optional.empty(), entry.getValue().run()));
                } else {
                    types.remove(entry.getKey());
                }
                if (pending.get().generation() <= active) {
                    double speed =
                            entry.getValue()
                                    .run()
                                    .map(run -> run.request().speed())
                                    .orElse(SPEED_DEFAULT);
                    begin(entry.getKey(), speed, pending.get().cause());
                }
                isChanged = true;
            }
        }
        if (isChanged) {
            write();
        }
    }

    /** Updates a run, unless a newer run of the type exists. Does not write to disk. */
    synchronized void update(ReindexKey key, long number, UnaryOperator<ReindexRun> change) {
        Optional<ReindexRun> run = run(key).filter(each -> each.number() == number);
        if (run.isPresent()) {
            types.put(key, new TypeReindexing(type(key).pending(), run.map(change)));
            isSaved = false;
        }
    }

    /** Writes changed progress to disk. */
    synchronized void save() throws IOException {
        if (!isSaved) {
            write();
        }
    }

    private void write() throws IOException {
        file.write(new ReindexFile.Contents(isEnabled, types));
        isSaved = true;
    }
}
