package org.crabro.ranking.onnx;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.crabro.ranking.onnx.threads.CoreGate;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.crabro.ranking.onnx.threads.RunRequest;
import org.crabro.ranking.onnx.threads.ThreadLevels;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of one model. Safe for use by many threads. The caller of close ensures that no
 * thread runs the model any more.
 *
 * <p>An adaptive model has a session for each of its levels, which share the weights ({@link
 * SessionSource}). The first level runs on the calling thread and is loaded at once. A thread loads
 * another level when the process's {@link CoreGate} asks for it, while runs use the levels that
 * there are. The threads of a level spin during a run, because the gate gives them cores. All other
 * threads of pools sleep while they wait, since other work runs at the same time.
 */
final class ModelSessions implements AutoCloseable {
    private final String name;
    private final SessionSource source;
    private final OrtSession first;
    private final Place place;
    private final int fixedThreads;
    private final Optional<Levels> levels;

    private ModelSessions(
            Loader loader,
            OrtSession first,
            Place place,
            int fixedThreads,
            Optional<Levels> levels) {
        this.name = loader.name;
        this.source = loader.source;
        this.first = first;
        this.place = place;
        this.fixedThreads = fixedThreads;
        this.levels = levels;
    }

    /** Where a model runs. */
    enum Place {
        /** On a content node: on the calling thread, because other threads compute other rows. */
        CONTENT,
        /** In a container: according to the settings of the model. */
        CONTAINER
    }

    /** Makes the options of sessions, except for their threads. The caller closes them. */
    interface Options {
        SessionOptions create() throws OrtException;
    }

    /** Runs a session. */
    interface Call<T> {
        T on(OrtSession session) throws OrtException;
    }

    /**
     * Loads a model.
     *
     * @throws InvalidModelException if the weights cannot be read
     * @throws OrtException if ONNX Runtime does not take it
     */
    static ModelSessions open(Path file, ModelSettings settings, Place place, Options options)
            throws OrtException {
        boolean isAdaptive = place == Place.CONTAINER && settings.mode() == ExecutionMode.ADAPTIVE;
        // A copy is optimized.
        Optional<PreparedModels> models =
                settings.isOptimized() ? PreparedModels.shared() : Optional.empty();
        SessionSource source = SessionSource.of(file, models, isAdaptive, options);
        try {
            var loader = new Loader(name(file), source, options);
            return isAdaptive ? adaptive(loader, settings, place) : fixed(loader, settings, place);
        } catch (OrtException | RuntimeException e) {
            source.close();
            throw e;
        }
    }

    private static ModelSessions adaptive(Loader loader, ModelSettings settings, Place place)
            throws OrtException {
        int processors = Runtime.getRuntime().availableProcessors();
        int threads = ModelSettings.threads(settings.intraOpThreads(), processors);
        OrtSession first = loader.load(1, 1);
        ThreadLevels levels = OnnxEnvironment.CORES.levels(threads == 0 ? processors : threads);
        return new ModelSessions(
                loader, first, place, 0, Optional.of(new Levels(loader, levels, first)));
    }

    private static ModelSessions fixed(Loader loader, ModelSettings settings, Place place)
            throws OrtException {
        if (place == Place.CONTENT) {
            return new ModelSessions(loader, loader.load(1, 1), place, 1, Optional.empty());
        }
        int processors = Runtime.getRuntime().availableProcessors();
        int threads = ModelSettings.threads(settings.intraOpThreads(), processors);
        int interOp =
                settings.mode() == ExecutionMode.PARALLEL
                        ? ModelSettings.threads(settings.interOpThreads(), processors)
                        : 1;
        return new ModelSessions(
                loader,
                loader.load(threads, interOp),
                place,
                threads == 0 ? processors : threads,
                Optional.empty());
    }

    static String name(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return dot > 0 ? name.substring(0, dot) : name;
    }

    /** Loads the sessions of a model, which has {@code name} in metrics. */
    private record Loader(String name, SessionSource source, Options options) {
        /**
         * Loads a session.
         *
         * @param intraOp threads of an operator; 0 for as many as there are processors
         * @param interOp operators at once; 0 for as many as there are processors
         */
        OrtSession load(int intraOp, int interOp) throws OrtException {
            return load(intraOp, interOp, "0");
        }

        /** Returns the session of a level: its threads spin during a run, and sleep after it. */
        OrtSession level(int threads) throws OrtException {
            return load(threads, 1, "1");
        }

        private OrtSession load(int intraOp, int interOp, String spins) throws OrtException {
            try (SessionOptions made = options.create()) {
                made.setIntraOpNumThreads(intraOp);
                made.addConfigEntry("session.intra_op.allow_spinning", spins);
                made.addConfigEntry("session.force_spinning_stop", "1");
                made.setInterOpNumThreads(interOp);
                made.setExecutionMode(
                        interOp == 1
                                ? SessionOptions.ExecutionMode.SEQUENTIAL
                                : SessionOptions.ExecutionMode.PARALLEL);
                made.addConfigEntry("session.inter_op.allow_spinning", "0");
                return source.load(made);
            }
        }
    }

    /** Returns a session that describes the model. */
    OrtSession description() {
        return first;
    }

    /**
     * Runs the model. If it is adaptive, waits for a free core.
     *
     * @param size of the inputs in cells
     * @param deadline of the wait, on the scale of {@link System#nanoTime()}
     * @throws ModelBusyException if the run cannot start before that
     */
    <T> T run(long size, long deadline, Call<T> call) throws OrtException {
        if (place == Place.CONTENT) {
            return call.on(first);
        }
        RunListeners.all().forEach(listener -> listener.arrived(name));
        return levels.isPresent() ? runAt(levels.get(), size, deadline, call) : runFixed(call);
    }

    private <T> T runFixed(Call<T> call) throws OrtException {
        long begin = System.nanoTime();
        OnnxEnvironment.CORES.enterFixed();
        try {
            RunDeadline.reportStart();
            return call.on(first);
        } finally {
            OnnxEnvironment.CORES.exitFixed();
            ended(fixedThreads, 0, System.nanoTime() - begin);
        }
    }

    private <T> T runAt(Levels all, long size, long deadline, Call<T> call) throws OrtException {
        RunRequest request;
        try {
            request = OnnxEnvironment.CORES.enter(all.levels, size, deadline);
        } catch (ModelBusyException e) {
            RunListeners.all().forEach(listener -> listener.rejected(name));
            throw e;
        }
        long begin = System.nanoTime();
        boolean isMeasured = false;
        try {
            RunDeadline.reportStart();
            OrtSession session = all.session(request.level());
            T result =
                    Thread.currentThread().isVirtual() && !request.isShort()
                            ? RunThreads.run(() -> call.on(session))
                            : call.on(session);
            isMeasured = true;
            return result;
        } finally {
            OnnxEnvironment.CORES.exit(request, isMeasured).ifPresent(all::startLoading);
            ended(
                    all.levels.threads(request.level()),
                    request.waitedNanos(),
                    System.nanoTime() - begin);
        }
    }

    private void ended(int threads, long waitedNanos, long runNanos) {
        RunListeners.all()
                .forEach(listener -> listener.ended(name, threads, waitedNanos, runNanos));
    }

    /**
     * Loads all levels at once, for measurements.
     *
     * @throws OrtException if one cannot be loaded
     */
    void loadAll() throws OrtException {
        if (levels.isPresent()) {
            levels.get().loadAll();
        }
    }

    /** Returns how many sessions are loaded. */
    int loadedCount() {
        return levels.map(Levels::loadedCount).orElse(1);
    }

    @Override
    public void close() {
        try {
            if (levels.isPresent()) {
                levels.get().close();
            } else {
                first.close();
            }
        } catch (OrtException e) {
            throw new IllegalStateException("model " + name + " cannot be closed", e);
        } finally {
            source.close();
        }
    }

    /** The sessions of an adaptive model. */
    private static final class Levels {
        private final Loader loader;
        private final ThreadLevels levels;
        private final AtomicReferenceArray<@Nullable OrtSession> sessions;

        /** Guarded by this. */
        private Optional<Thread> loading = Optional.empty();

        Levels(Loader loader, ThreadLevels levels, OrtSession first) {
            this.loader = loader;
            this.levels = levels;
            this.sessions = new AtomicReferenceArray<>(levels.count());
            sessions.set(0, first);
        }

        OrtSession session(int level) {
            OrtSession session = sessions.get(level);
            if (session == null) {
                throw new IllegalStateException(
                        "level " + level + " of " + loader.name + " is not loaded");
            }
            return session;
        }

        /** Loads a level on a thread of its own; called for one level at a time. */
        synchronized void startLoading(int level) {
            Thread thread =
                    Thread.ofPlatform().daemon().name("onnx-level").unstarted(() -> load(level));
            loading = Optional.of(thread);
            thread.start();
        }

        private void load(int level) {
            try {
                sessions.set(level, loader.level(levels.threads(level)));
            } catch (OrtException | RuntimeException e) {
                RunListeners.all()
                        .forEach(listener ->
                                listener.notLoaded(loader.name, levels.threads(level), e));
                return;
            }
            OnnxEnvironment.CORES.loaded(levels, level);
        }

        void loadAll() throws OrtException {
            for (int level = 1; level < levels.count(); level++) {
                sessions.set(level, loader.level(levels.threads(level)));
                OnnxEnvironment.CORES.loaded(levels, level);
            }
        }

        int loadedCount() {
            int count = 0;
            for (int level = 0; level < sessions.length(); level++) {
                count += sessions.get(level) == null ? 0 : 1;
            }
            return count;
        }

        void close() throws OrtException {
            join();
            for (int level = 0; level < sessions.length(); level++) {
                OrtSession session = sessions.get(level);
                if (session != null) {
                    session.close();
                }
            }
        }

        /** Waits for a level that is being loaded, which uses the weights. */
        private synchronized void join() {
            boolean isInterrupted = false;
            while (loading.isPresent()) {
                try {
                    loading.get().join();
                    loading = Optional.empty();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
