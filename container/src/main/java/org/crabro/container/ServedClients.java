package org.crabro.container;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.Notice;
import org.crabro.config.services.ClientAccess;
import org.crabro.config.services.ClientAccess.Client;
import org.crabro.config.services.ClientAccess.Control;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ServedPath;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.PackageClients;
import org.crabro.protocol.wire.Permission;

/** The clients of the clusters of an application that share a port. */
final class ServedClients {
    private final List<ClientAccess> said;

    ServedClients(List<ContainerCluster> clusters) {
        this.said =
                clusters.stream()
                        .map(cluster -> cluster.http().clients())
                        .filter(access -> !access.isNone())
                        .toList();
    }

    /** Returns the certificates that clients may show. */
    List<X509Certificate> certificates() {
        return said.stream()
                .flatMap(access -> access.clients().stream())
                .flatMap(client -> client.certificates().stream())
                .distinct()
                .toList();
    }

    /** Returns the clients that a port with TLS accepts; empty if no cluster lists clients. */
    Optional<PackageClients> atPort() {
        if (said.isEmpty()) {
            return Optional.empty();
        }
        Map<X509Certificate, PackageClients.Client> certificates = new HashMap<>();
        Map<String, Set<Permission>> tokens = new HashMap<>();
        for (ClientAccess access : said) {
            for (Client client : access.clients()) {
                var packageClient = new PackageClients.Client(client.id(), permissions(client));
                client.certificates()
                        .forEach(certificate ->
                                certificates.merge(
                                        certificate, packageClient, ServedClients::together));
                client.tokens()
                        .forEach(token ->
                                tokens.merge(
                                        token,
                                        packageClient.permissions(),
                                        ServedClients::together));
            }
        }
        List<Control> controls =
                said.stream().flatMap(access -> access.control().stream()).toList();
        List<ServedPath> excluded =
                controls.stream().flatMap(control -> control.excluded().stream()).toList();
        return Optional.of(
                new PackageClients(
                        said.stream().anyMatch(access -> !access.clients().isEmpty()),
                        certificates,
                        tokens,
                        controls.isEmpty() ? Optional.empty() : Optional.of(controlled(controls)),
                        BoundHandler.matching(excluded)));
    }

    private static Set<Permission> permissions(Client client) {
        var permissions = EnumSet.noneOf(Permission.class);
        if (client.reads()) {
            permissions.add(Permission.READ);
        }
        if (client.writes()) {
            permissions.add(Permission.WRITE);
        }
        return permissions;
    }

    private static Set<Permission> controlled(List<Control> controls) {
        var controlled = EnumSet.noneOf(Permission.class);
        for (Control control : controls) {
            if (control.reads()) {
                controlled.add(Permission.READ);
            }
            if (control.writes()) {
                controlled.add(Permission.WRITE);
            }
        }
        return controlled;
    }

    private static PackageClients.Client together(
            PackageClients.Client one, PackageClients.Client other) {
        return new PackageClients.Client(
                one.id(), together(one.permissions(), other.permissions()));
    }

    private static Set<Permission> together(Set<Permission> one, Set<Permission> other) {
        var both = EnumSet.noneOf(Permission.class);
        both.addAll(one);
        both.addAll(other);
        return both;
    }

    /**
     * Returns notices about settings without effect, because a port speaks cleartext or the access
     * file lacks a principal.
     */
    static List<Notice> notices(ContainerCluster cluster, boolean isSecure, AccessControl access) {
        ClientAccess said = cluster.http().clients();
        var notices = new ArrayList<Notice>();
        if (!said.isNone() && !isSecure) {
            notices.add(
                    warning(
                            "container '%s': clients and access-control have no effect without TLS; every request has all rights that the access file gives it"
                                    .formatted(cluster.id())));
        }
        for (Client client : said.clients()) {
            for (String token : client.tokens()) {
                if (!access.hasPrincipal(token)) {
                    notices.add(
                            warning(
                                    "container '%s', client '%s': the access file has no principal '%s' for the token"
                                            .formatted(cluster.id(), client.id(), token)));
                }
            }
        }
        return notices;
    }

    private static Notice warning(String message) {
        return new Notice(Notice.Level.WARNING, message);
    }
}
