package org.crabro.server.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.crabro.config.application.ApplicationName;
import org.crabro.container.admin.PackageCopies;

/**
 * The packages of a config server that leads.
 *
 * @param begin the packages when it began to lead
 */
record SharedPackages(ClusterController controller, DeployedPackages begin, Archives archives)
        implements PackageCopies {
    /** Makes archives of packages, and copies of them. */
    interface Archives {
        /**
         * Makes an archive of a package, and waits until a majority of the config servers has it.
         *
         * @return its name
         */
        String keep(Path files) throws IOException;
    }

    @Override
    public Optional<Deployed> recorded() {
        List<Session> sessions =
                begin.sessions().entrySet().stream()
                        .map(each ->
                                new Session(
                                        each.getKey(),
                                        each.getValue().tenant(),
                                        each.getValue().base(),
                                        Instant.ofEpochMilli(each.getValue().createdMillis())))
                        .toList();
        return Optional.of(
                new Deployed(
                        begin.last(),
                        begin.tenants(),
                        begin.active()
                                .map(each ->
                                        new Named(
                                                each.number(),
                                                ApplicationName.parse(each.name()).orElseThrow())),
                        sessions));
    }

    @Override
    public void keep(Session session, Path files, Collection<Long> others) throws IOException {
        controller.keep(
                session.number(),
                new DeployedPackages.Waiting(
                        session.tenant(),
                        session.base(),
                        session.created().toEpochMilli(),
                        archives.keep(files)),
                others);
    }

    @Override
    public void keepTenants(Collection<String> names) throws IOException {
        controller.keepTenants(names);
    }
}
