package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.PackageArchive;
import org.crabro.config.application.PackageLimits;
import org.crabro.config.deploy.ModelChanges;
import org.crabro.container.reindex.ReindexRegister;

/**
 * Deploys packages, one at a time: unpacks, compiles, compares with the active application,
 * activates, and then says on disk which one is active. Either in one go, or step by step in a
 * session, whose files can be changed until it is activated.
 *
 * <p>Whatever goes wrong on the way, the application that was active stays active. Sessions that
 * nobody activates are deleted after some time, by whoever comes next, and when the process starts.
 * Safe for use by many threads.
 */
final class Deployments {
    /** What is told where an application is asked for, and there is none. */
    static final String NOTHING_DEPLOYED =
            "no application is deployed: post a package to "
                    + AdminPath.ROOT
                    + "tenant/default/prepareandactivate";

    private final PackageStore store;
    private final PackageLimits limits;
    private final InstantSource clock;
    private final Sessions sessions;
    private final DeployTurns turns;
    private final ActivePackage active;
    private final SessionFiles files;
    private final Uploads uploads;
    private final ReindexRegister register;

    /**
     * @param waiting how much may come in, and wait to be activated
     * @param register told which documents are to go through their scripts again
     * @param maxWait how long a deployment waits for another one to end at most
     * @param clock says which overrides are still good, and which sessions are over
     */
    Deployments(
            PackageStore store,
            PackageLimits limits,
            SessionLimits waiting,
            ModelActivation activation,
            ReindexRegister register,
            Duration maxWait,
            InstantSource clock) {
        this.store = store;
        this.register = register;
        this.limits = limits;
        this.clock = clock;
        this.sessions = new Sessions(waiting);
        this.turns = new DeployTurns(maxWait, store, sessions, clock);
        this.active = new ActivePackage(store, activation);
        this.files = new SessionFiles(store, limits, sessions, active, turns, clock);
        this.uploads = new Uploads(store, waiting.uploads());
    }

    /** Returns what is served now. */
    ActivePackage active() {
        return active;
    }

    /** Returns the files of sessions. */
    SessionFiles files() {
        return files;
    }

    /** Returns where packages are received. */
    Uploads uploads() {
        return uploads;
    }

    /**
     * Deletes what was being received when the process ended, and activates what was active. What a
     * deployment changed during which the process ended is reindexed if it became active.
     *
     * @throws IOException if files cannot be read or deleted
     */
    void restore() throws IOException {
        store.deleteUploads();
        active.restore();
        register.settle(active.number());
    }

    /**
     * Deploys a package.
     *
     * @param activates whether to activate it, or to check it only
     * @param wait how long to wait for another deployment to end
     * @throws IOException if files cannot be written
     */
    DeployReply deploy(Path archive, PackageArchive.Format format, boolean activates, Duration wait)
            throws IOException, InterruptedException {
        return turns.take(
                wait,
                () -> {
                    long generation = store.newGeneration();
                    try {
                        Path directory = Files.createDirectory(store.files(generation));
                        PackageArchive.unpack(archive, format, directory, limits);
                        return switch (check(generation)) {
                            case CheckedPackage.Outcome.Failed(var problem) ->
                                    new DeployReply.Invalid(problem);
                            case CheckedPackage.Outcome.Passed(var checked) ->
                                    deploy(checked, generation, activates);
                        };
                    } catch (InvalidPackageException e) {
                        return new DeployReply.Invalid("Invalid application: " + e.getMessage());
                    } finally {
                        if (active.number() != generation) {
                            store.discard(generation);
                        }
                    }
                });
    }

    private DeployReply deploy(CheckedPackage checked, long generation, boolean activates)
            throws IOException {
        if (activates) {
            Optional<String> problem = serve(checked);
            if (problem.isPresent()) {
                return new DeployReply.Invalid("Invalid application: " + problem.get());
            }
        }
        return new DeployReply.Deployed(
                generation, activates, checked.notices(), checked.changes());
    }

    /**
     * Makes a session of a package.
     *
     * @throws IOException if files cannot be written
     */
    DeployReply create(Path archive, PackageArchive.Format format, Duration wait)
            throws IOException, InterruptedException {
        return turns.take(
                wait,
                () ->
                        create(directory -> {
                            Files.createDirectories(directory);
                            PackageArchive.unpack(archive, format, directory, limits);
                        }));
    }

    /**
     * Makes a session of the files of the active application.
     *
     * @throws IOException if files cannot be written
     */
    DeployReply createFromActive(Duration wait) throws IOException, InterruptedException {
        return turns.take(
                wait,
                () -> {
                    Optional<PackageContent> content = active.content();
                    return content.isEmpty()
                            ? new DeployReply.Missing(NOTHING_DEPLOYED)
                            : create(content.get()::copyTo);
                });
    }

    /** Puts the files of a package where there is nothing yet. */
    private interface Filling {
        void fill(Path directory) throws IOException;
    }

    private DeployReply create(Filling filling) throws IOException {
        Instant now = clock.instant();
        Optional<String> full = sessions.full(now);
        if (full.isPresent()) {
            return new DeployReply.Full(full.get());
        }
        long number = store.newGeneration();
        boolean isKept = false;
        try {
            filling.fill(store.files(number));
            var content = new PackageContent(store.files(number));
            long bytes = content.size().bytes();
            full = sessions.full(bytes, now);
            if (full.isPresent()) {
                return new DeployReply.Full(full.get());
            }
            sessions.add(new DeploySession(number, active.number(), now, content, bytes));
            isKept = true;
            return new DeployReply.Created(number);
        } catch (InvalidPackageException e) {
            return new DeployReply.Invalid("Invalid application: " + e.getMessage());
        } finally {
            if (!isKept) {
                store.discard(number);
            }
        }
    }

    /**
     * Checks a session's package as it is now against what is active now; again where that was done
     * before.
     *
     * @throws IOException if files cannot be read
     */
    DeployReply prepare(long number, Duration wait) throws IOException, InterruptedException {
        return turns.take(
                wait,
                () -> {
                    Optional<DeploySession> session = sessions.find(number, clock.instant());
                    if (session.isEmpty()) {
                        return files.notWaiting(number);
                    }
                    session.get().unprepare();
                    return switch (check(number)) {
                        case CheckedPackage.Outcome.Failed(var problem) ->
                                new DeployReply.Invalid(problem);
                        case CheckedPackage.Outcome.Passed(var checked) -> {
                            session.get().prepared(checked);
                            yield new DeployReply.Prepared(
                                    number, checked.notices(), checked.changes());
                        }
                    };
                });
    }

    /** Tells whether a session is prepared, without its log and its changes. */
    DeployReply prepared(long number) {
        Optional<DeploySession> session = sessions.find(number, clock.instant());
        if (session.isEmpty()) {
            return files.notWaiting(number);
        }
        return session.get().prepared().isPresent()
                ? new DeployReply.Prepared(number, List.of(), ModelChanges.NONE)
                : new DeployReply.Wrong(notPrepared(number));
    }

    /**
     * Activates a session that is prepared.
     *
     * @throws IOException if it could not be named active on disk
     */
    DeployReply activate(long number, Duration wait) throws IOException, InterruptedException {
        return turns.take(
                wait,
                () -> {
                    Optional<DeploySession> session = sessions.find(number, clock.instant());
                    if (session.isEmpty()) {
                        return files.notWaiting(number);
                    }
                    long now = active.number();
                    if (now != 0 && now != session.get().base()) {
                        return new DeployReply.Conflict(
                                "session %d cannot be activated: session %d was activated since it was"
                                                .formatted(number, now)
                                        + " made");
                    }
                    Optional<CheckedPackage> prepared = session.get().prepared();
                    if (prepared.isEmpty()) {
                        return new DeployReply.Wrong(notPrepared(number));
                    }
                    Optional<String> problem = serve(prepared.get());
                    return problem.isPresent()
                            ? new DeployReply.Invalid("Invalid application: " + problem.get())
                            : new DeployReply.Activated(number);
                });
    }

    /**
     * Stops to serve the active application, also after a restart. Documents stay stored, and
     * sessions.
     *
     * @throws IOException if that could not be said on disk; it is served on then
     */
    DeployReply remove(Duration wait) throws IOException, InterruptedException {
        return turns.take(
                wait,
                () -> {
                    if (active.model().isEmpty()) {
                        return new DeployReply.Missing(NOTHING_DEPLOYED);
                    }
                    active.remove();
                    return new DeployReply.Removed();
                });
    }

    private static String notPrepared(long number) {
        return "session %d is not prepared: put .../session/%d/prepared first"
                .formatted(number, number);
    }

    private CheckedPackage.Outcome check(long number) throws IOException {
        return CheckedPackage.check(
                store.files(number),
                number,
                active.model(),
                LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
    }

    private Optional<String> serve(CheckedPackage checked) throws IOException {
        long generation = checked.model().generation();
        // Before it is active: wherever the process ends, the next start finds what is to be done.
        register.expect(generation, checked.changes().reindex());
        try {
            return active.serve(checked.model(), sessions.numbers());
        } finally {
            if (active.is(generation)) {
                sessions.remove(generation);
            }
            register.settle(active.number());
        }
    }
}
