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
import org.crabro.config.application.RemoteFiles;
import org.crabro.config.deploy.ModelChanges;
import org.crabro.container.reindex.ReindexRegister;

/**
 * Deploys packages, one at a time: unpacks, compiles, compares with the active application,
 * activates, and records the active one on disk. A deployment is one step, or a session whose files
 * can be changed until its activation.
 *
 * <p>After every error the old application stays active. Expired sessions are deleted by the next
 * deployment and at the start of the process. Safe for use by many threads.
 */
final class Deployments implements AutoCloseable {
    /** The message for requests to an application if none is deployed. */
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
     * @param remote fetches the files that packages name by URI
     * @param register receives the document types to reindex
     * @param clock determines which validation overrides are valid, and which sessions have expired
     * @throws IOException if the tenants or the history cannot be read
     */
    Deployments(
            PackageStore store,
            RemoteFiles remote,
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
        this.active =
                new ActivePackage(
                        store, remote, activation, PackageHistory.open(store.history(), clock));
        this.files = new SessionFiles(store, this.limits, sessions, active, turns, clock);
        this.uploads = new Uploads(store, limits.sessions().uploads(), limits.idle());
        this.tenants = new Tenants(store);
    }

    /** Returns the active application. */
    ActivePackage active() {
        return active;
    }

    /** Returns the files of sessions. */
    SessionFiles files() {
        return files;
    }

    /** Returns the tenants. */
    Tenants tenants() {
        return tenants;
    }

    /**
     * Returns the tenant of a session: one that waits for activation, the active one, or the one
     * before.
     */
    Optional<String> tenant(long session) {
        Optional<String> waiting =
                sessions.find(session, clock.instant()).map(DeploySession::tenant);
        return waiting.isPresent() || !(active.is(session) || active.was(session))
                ? waiting
                : active.model().map(model -> model.name().tenant());
    }

    /**
     * Deletes a tenant without an application.
     *
     * @return why it was not deleted; empty if it was
     * @throws IOException if that could not be recorded on disk
     */
    Optional<String> removeTenant(String tenant) throws IOException {
        if (active.model().filter(model -> model.name().tenant().equals(tenant)).isPresent()) {
            return Optional.of("its application is served: delete that first");
        }
        tenants.remove(tenant);
        return Optional.empty();
    }

    /** Returns the uploads in progress. */
    Uploads uploads() {
        return uploads;
    }

    /**
     * Deletes incomplete uploads, and activates the application that was active when the process
     * ended. If the process ended during a deployment that became active, its changes are
     * reindexed.
     *
     * @throws IOException if files cannot be read or deleted
     */
    void restore() throws IOException {
        store.deleteUploads();
        for (PackageCopies.Session each : store.sessions()) {
            var content = new PackageContent(store.files(each.number()));
            sessions.add(
                    new DeploySession(
                            each.number(),
                            each.tenant(),
                            each.base(),
                            each.created(),
                            content,
                            content.size().bytes()));
        }
        active.restore();
        register.settle(active.number());
    }

    /**
     * Deploys a package.
     *
     * @param tenant of the request
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
                                    deploy(checked, tenant, !parameters.flags().isDryRun());
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

    private DeployReply deploy(CheckedPackage checked, String tenant, boolean activates)
            throws IOException {
        long generation = checked.model().generation();
        if (activates) {
            store.keep(
                    new PackageCopies.Session(generation, tenant, active.number(), clock.instant()),
                    sessions.numbers());
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
     * Creates a session from a package.
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
     * Creates a session from the files of the application {@code source}, if it is active.
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

    /** Writes the files of a package to a new directory. */
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
        boolean isCompleted = false;
        try {
            filling.fill(store.files(number));
            var content = new PackageContent(store.files(number));
            long bytes = content.size().bytes();
            full = sessions.full(bytes, now);
            if (full.isPresent()) {
                return new DeployReply.Full(full.get());
            }
            var session = new DeploySession(number, tenant, active.number(), now, content, bytes);
            keep(session);
            sessions.add(session);
            isCompleted = true;
            return new DeployReply.Created(number);
        } catch (InvalidPackageException e) {
            return new DeployReply.Invalid("Invalid application: " + e.getMessage());
        } finally {
            if (!isCompleted) {
                store.discard(number);
            }
        }
    }

    /** Keeps a session on other config servers too. */
    private void keep(DeploySession session) throws IOException {
        store.keep(
                new PackageCopies.Session(
                        session.number(), session.tenant(), session.base(), session.created()),
                sessions.numbers());
    }

    /**
     * Checks the current package of a session against the active application, also if it was
     * checked before.
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
                            // Its files may have changed.
                            keep(session.get());
                            session.get().prepared(checked, active.number());
                            yield new DeployReply.Prepared(
                                    number, checked.notices(), checked.changes());
                        }
                    };
                });
    }

    /** Returns whether a session is prepared, without its log and its changes. */
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
     * @throws IOException if it could not be recorded on disk
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
                    if (now != 0 && now != session.get().comparedWith()) {
                        // Forced: what the change loses was found out for another application.
                        session.get().unprepare();
                        return new DeployReply.Conflict(
                                "session %d cannot be activated: session %d was activated since it was"
                                                .formatted(number, now)
                                        + " prepared; prepare it again");
                    }
                    Optional<String> filled =
                            prepared.get().emptyTypes().stream()
                                    .filter(active::hasDocuments)
                                    .map(ModelChanges.Stored::documentType)
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
     * Deactivates the application, also for restarts. Documents and sessions stay stored.
     *
     * @throws IOException if that could not be recorded on disk; it stays active then
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
     * Rebuilds the services of clusters of the active application. If the filter matches one
     * cluster, all are rebuilt, because requests move to the new services in one step.
     *
     * @param filter selects clusters
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
                                "no cluster of application '%s' matches %s"
                                        .formatted(name.inTenant(), filter));
                    }
                    return active.rebuild()
                            .<DeployReply>map(problem ->
                                    new DeployReply.Invalid("Invalid application: " + problem))
                            .orElseGet(() -> new DeployReply.Rebuilt(name, clusters));
                });
    }

    /** Returns the error of an application that is not active, which names the active one. */
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

    /** Only one application is active at a time, and another one does not replace it. */
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

    /** Waits for the deployment in progress, and accepts no more. */
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
        // Recorded before the activation, so that the next start knows the pending changes,
        // whenever the process ends.
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
