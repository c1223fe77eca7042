package org.crabro.ranking.onnx;

import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The models that one generation of an application ranks with, loaded. Queries count themselves in
 * and out; the models are closed when the last is out after {@link #retire}. Safe for use by many
 * threads.
 */
public final class RankModels {
    private final Map<Key, RankSession> sessions = new HashMap<>();
    private final AtomicInteger loaded;

    /** Queries under way, and one for being a generation that is served. */
    private final AtomicInteger uses = new AtomicInteger(1);

    /**
     * The properties that models with a shared session have in common: the file and the settings.
     * Their inputs may differ in size.
     */
    private record Key(Path file, ModelSettings settings) {
        static Key of(RankModel model) {
            return new Key(model.file(), model.settings());
        }
    }

    private RankModels(AtomicInteger loaded) {
        this.loaded = loaded;
    }

    /** Returns no models. */
    public static RankModels none() {
        return new RankModels(new AtomicInteger());
    }

    /**
     * Loads models for a content node, where each runs on the calling thread.
     *
     * @param loaded counts the loaded models that are not closed
     * @throws InvalidModelException if one cannot be loaded; then none is
     */
    public static RankModels forContent(Collection<RankModel> models, AtomicInteger loaded) {
        return open(models, ModelSessions.Place.CONTENT, loaded);
    }

    /** Loads models for a container, where each runs according to its settings. */
    public static RankModels forContainer(Collection<RankModel> models, AtomicInteger loaded) {
        return open(models, ModelSessions.Place.CONTAINER, loaded);
    }

    private static RankModels open(
            Collection<RankModel> models, ModelSessions.Place place, AtomicInteger loaded) {
        var opened = new RankModels(loaded);
        try {
            for (RankModel model : models) {
                Key key = Key.of(model);
                if (!opened.sessions.containsKey(key)) {
                    opened.sessions.put(
                            key, RankSession.open(model.file(), model.settings(), place));
                    loaded.incrementAndGet();
                }
                opened.session(model).prepare(model);
            }
            return opened;
        } catch (InvalidModelException e) {
            opened.retire();
            throw new InvalidModelException("A model cannot be loaded: " + e.getMessage(), e);
        }
    }

    /** Returns whether there are no models. */
    public boolean isEmpty() {
        return sessions.isEmpty();
    }

    /** Counts a query without a deadline in; empty if the models are already closed. */
    public Optional<ModelRuns> begin() {
        return begin(System.nanoTime() + RunDeadline.WAIT_MAX.toNanos());
    }

    /**
     * Counts a query in; empty if the models are already closed.
     *
     * @param deadline until which its runs wait for a free core, and at which they end, on the
     *     scale of {@link System#nanoTime()}
     */
    public Optional<ModelRuns> begin(long deadline) {
        int seen = uses.get();
        while (seen > 0) {
            int current = uses.compareAndExchange(seen, seen + 1);
            if (current == seen) {
                return Optional.of(new ModelRuns(this, deadline));
            }
            seen = current;
        }
        return Optional.empty();
    }

    /** Marks that no further query begins. Called once. */
    public void retire() {
        release();
    }

    void release() {
        if (uses.decrementAndGet() == 0) {
            sessions.values()
                    .forEach(session -> {
                        session.close();
                        loaded.decrementAndGet();
                    });
        }
    }

    RankSession session(RankModel model) {
        RankSession session = sessions.get(Key.of(model));
        if (session == null) {
            throw new IllegalArgumentException("no model of the generation: " + model);
        }
        return session;
    }
}
