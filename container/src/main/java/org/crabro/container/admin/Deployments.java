package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.crabro.config.application.ApplicationName;
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
final class Deployments implements AutoCloseable {
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
    private final Tenants tenants;
    private final ReindexRegister register;

    /**
     * @param register receives the document types that are to be reindexed
     * @param clock decides which validation overrides are valid, and which sessions have expired
     * @throws IOException if the tenants cannot be read
     */
    Deployments(
            PackageStore store,
            DeployLimits limits,
            ModelActivation activation,
            ReindexRegister register,
            InstantSource clock)
            throws IOException {
        this.store = store;
        this.register = register;
        this.limits = limits.packages();
        this.clock = clock;
        this.sessions = new Sessions(limits.sessions());
        this.turns = new DeployTurns(limits.maxWait(), store, sessions, clock);
        this.active = new ActivePackage(store, activation);
        this.files = new SessionFiles(store, this.limits, sessions, active, turns, clock);
        this.uploads = new Uploads(store, limits.sessions().uploads(), limits.idle());
        this.tenants = new Tenants(store);
    }

    /** Returns what is served now. */
    ActivePackage active() {
        return active;
    }

    /** Returns the files of sessions. */
    SessionFiles files() {
        return files;
    }

    /** Returns who may deploy. */
    Tenants tenants() {
        return tenants;
    }

    /** Returns whose a session is: one that waits, or the active one, or the one before. */
    Optional<String> tenant(long session) {
        Optional<String> waiting =
                sessions.find(session, clock.instant()).map(DeploySession::tenant);
        return waiting.isPresent() || !(active.is(session) || active.was(session))
                ? waiting
                : active.model().map(model -> model.name().tenant());
    }

    /**
     * Deletes a tenant that has nothing.
     *
     * @return why it is not, if so
     * @throws IOException if that could not be said on disk
     */
    Optional<String> removeTenant(String tenant) throws IOException {
        if (active.model().filter(model -> model.name().tenant().equals(tenant)).isPresent()) {
            return Optional.of("its application is served: delete that first");
        }
        tenants.remove(tenant);
        return Optional.empty();
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
     * @param tenant who does it
     * @param parameters what was asked for
     * @throws IOException if files cannot be written
     */
    DeployReply deploy(
            Path archive, PackageArchive.Format format, String tenant, DeployParameters parameters)
            throws IOException, InterruptedException {
        ApplicationName name = parameters.name(tenant);
        return turns.take(
                parameters.patience(),
                () -> {
                    Optional<DeployReply> another = another(name);
                    if (another.isPresent()) {
                        return another.get();
                    }
                    long generation = store.newGeneration();
                    try {
                        Path directory = Files.createDirectory(store.files(generation));
                        PackageArchive.unpack(archive, format, directory, limits);
                        return switch (check(generation, name, parameters)) {
                            case CheckedPackage.Outcome.Failed(var problem) ->
                                    new DeployReply.Invalid(problem);
                            case CheckedPackage.Outcome.Passed(var checked) ->
                                    deploy(checked, generation, !parameters.flags().isDryRun());
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
                checked.model().name(),
                generation,
                activates,
                checked.notices(),
                checked.changes());
    }

    /**
     * Makes a session of a package.
     *
     * @throws IOException if files cannot be written
     */
    DeployReply create(Path archive, PackageArchive.Format format, String tenant, Duration wait)
            throws IOException, InterruptedException {
        return turns.take(
                wait,
                () ->
                        create(
                                tenant,
                                directory -> {
                                    Files.createDirectories(directory);
                                    PackageArchive.unpack(archive, format, directory, limits);
                                }));
    }

    /**
     * Makes a session of the files of the application {@code source}, if it is active.
     *
     * @throws IOException if files cannot be written
     */
    DeployReply createFrom(ApplicationName source, String tenant, Duration wait)
            throws IOException, InterruptedException {
        return turns.take(
                wait,
                () -> {
                    Optional<PackageContent> content = active.content();
                    return content.isEmpty() || !active.is(source)
                            ? new DeployReply.Missing(missing(source))
                            : create(tenant, content.get()::copyTo);
                });
    }

    /** Puts the files of a package where there is nothing yet. */
    private interface Filling {
        void fill(Path directory) throws IOException;
    }

    private DeployReply create(String tenant, Filling filling) throws IOException {
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
            sessions.add(new DeploySession(number, tenant, active.number(), now, content, bytes));
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
    DeployReply prepare(long number, String tenant, DeployParameters parameters)
            throws IOException, InterruptedException {
        ApplicationName name = parameters.name(tenant);
        return turns.take(
                parameters.patience(),
                () -> {
                    Optional<DeploySession> session = sessions.find(number, clock.instant());
                    if (session.isEmpty()) {
                        return files.notWaiting(number);
                    }
                    session.get().unprepare();
                    Optional<DeployReply> another = another(name);
                    if (another.isPresent()) {
                        return another.get();
                    }
                    return switch (check(number, name, parameters)) {
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
    DeployReply activate(long number, DeployParameters parameters)
            throws IOException, InterruptedException {
        return turns.take(
                parameters.patience(),
                () -> {
                    Optional<DeploySession> session = sessions.find(number, clock.instant());
                    if (session.isEmpty()) {
                        return files.notWaiting(number);
                    }
                    long now = active.number();
                    if (now != 0 && now != session.get().base() && !parameters.flags().isForced()) {
                        return new DeployReply.Conflict(
                                "session %d cannot be activated: session %d was activated since it was"
                                                .formatted(number, now)
                                        + " made");
                    }
                    Optional<CheckedPackage> prepared = session.get().prepared();
                    if (prepared.isEmpty()) {
                        return new DeployReply.Wrong(notPrepared(number));
                    }
                    ApplicationName name = prepared.get().model().name();
                    Optional<DeployReply> another = another(name);
                    if (another.isPresent()) {
                        return another.get();
                    }
                    Optional<String> filled =
                            prepared.get().emptyTypes().stream()
                                    .filter(active::hasDocuments)
                                    .min(Comparator.naturalOrder());
                    if (filled.isPresent()) {
                        return new DeployReply.Conflict(
                                "session %d cannot be activated: documents of type '%s' were stored since it"
                                                .formatted(number, filled.get())
                                        + " was prepared; prepare it again");
                    }
                    Optional<String> problem = serve(prepared.get());
                    return problem.isPresent()
                            ? new DeployReply.Invalid("Invalid application: " + problem.get())
                            : new DeployReply.Activated(number, name);
                });
    }

    /**
     * Stops to serve the active application, also after a restart. Documents stay stored, and
     * sessions.
     *
     * @throws IOException if that could not be said on disk; it is served on then
     */
    DeployReply remove(ApplicationName name, Duration wait)
            throws IOException, InterruptedException {
        return turns.take(
                wait,
                () -> {
                    if (!active.is(name)) {
                        return new DeployReply.Missing(missing(name));
                    }
                    active.remove();
                    return new DeployReply.Removed(name);
                });
    }

    /**
     * Builds anew what serves clusters of the active application. All of them are, where one of
     * them is meant: requests go from what was built before to what is built now in one step.
     *
     * @param filter which clusters are meant
     * @throws IOException never, unless others do in their turn
     */
    DeployReply rebuild(ApplicationName name, RestartFilter filter, Duration wait)
            throws IOException, InterruptedException {
        return turns.take(
                wait,
                () -> {
                    if (!active.is(name)) {
                        return new DeployReply.Missing(missing(name));
                    }
                    List<String> clusters =
                            filter.clusters(
                                    active.model().orElseThrow().services(), active.services());
                    if (clusters.isEmpty()) {
                        return new DeployReply.Wrong(
                                "no cluster of application '%s' is meant by %s"
                                        .formatted(name.inTenant(), filter));
                    }
                    return active.rebuild()
                            .<DeployReply>map(problem ->
                                    new DeployReply.Invalid("Invalid application: " + problem))
                            .orElseGet(() -> new DeployReply.Rebuilt(name, clusters));
                });
    }

    /** Says that an application is not served, and what is. */
    String missing(ApplicationName name) {
        return active.model()
                .map(model ->
                        "there is no application '%s', only '%s' of tenant '%s'"
                                .formatted(
                                        name.inTenant(),
                                        model.name().inTenant(),
                                        model.name().tenant()))
                .orElse(NOTHING_DEPLOYED);
    }

    /** One application is served at a time: its place is not taken from it. */
    private Optional<DeployReply> another(ApplicationName name) {
        return active.model()
                .filter(model -> !model.name().equals(name))
                .map(model ->
                        new DeployReply.Conflict(
                                "application '%s' of tenant '%s' is served here, and only one can"
                                                .formatted(
                                                        model.name().inTenant(),
                                                        model.name().tenant())
                                        + " be; delete it first"));
    }

    /** Waits for the deployment that is under way, and takes no more. */
    @Override
    public void close() {
        turns.close();
    }

    private static String notPrepared(long number) {
        return "session %d is not prepared: put .../session/%d/prepared first"
                .formatted(number, number);
    }

    private CheckedPackage.Outcome check(
            long number, ApplicationName name, DeployParameters parameters) throws IOException {
        return CheckedPackage.check(
                store.files(number),
                number,
                name,
                active,
                parameters.flags().ignoresRefusals(),
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
