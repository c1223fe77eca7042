package org.crabro.config.services;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;
import org.crabro.config.services.ClientAccess.Client;
import org.crabro.config.services.ClientAccess.Control;

/**
 * Reads {@code clients} and {@code access-control} of a container, whose form was already checked.
 * An unusable file gives no access, with a warning.
 */
final class ClientReader {
    private static final Set<String> PERMISSIONS = Set.of("read", "write");

    private final ApplicationFiles files;
    private final Findings findings;

    ClientReader(ApplicationFiles files, Findings findings) {
        this.files = files;
        this.findings = findings;
    }

    ClientAccess read(XmlElement container) {
        var clients = new ArrayList<Client>();
        for (XmlElement section : container.children("clients")) {
            section.children("client").stream().map(this::client).forEach(clients::add);
        }
        Optional<Control> control =
                container.children("http").stream()
                        .flatMap(http -> http.children("filtering").stream())
                        .flatMap(filtering -> filtering.children("access-control").stream())
                        .findFirst()
                        .map(ClientReader::control);
        return new ClientAccess(clients, control);
    }

    private Client client(XmlElement element) {
        Set<String> permissions = new HashSet<>();
        for (String name : element.attribute("permissions").orElse("read,write").split(",", -1)) {
            if (PERMISSIONS.contains(name.strip())) {
                permissions.add(name.strip());
            } else {
                warn(element, "expected permissions read and write, but found '" + name + "'");
            }
        }
        var certificates = new ArrayList<X509Certificate>();
        for (XmlElement certificate : element.children("certificate")) {
            certificates.addAll(certificates(certificate));
        }
        Set<String> tokens = new HashSet<>();
        element.children("token").forEach(token -> token.attribute("id").ifPresent(tokens::add));
        return new Client(
                element.attribute("id").orElse(""),
                permissions.contains("read"),
                permissions.contains("write"),
                certificates,
                tokens);
    }

    private List<X509Certificate> certificates(XmlElement element) {
        String path = element.attribute("file").orElse("");
        Optional<String> text = files.text(path);
        if (text.isEmpty()) {
            warn(element, "there is no file '%s' in the package".formatted(path));
            return List.of();
        }
        try {
            List<X509Certificate> certificates =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(
                                    new ByteArrayInputStream(
                                            text.get().getBytes(StandardCharsets.UTF_8)))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (certificates.isEmpty()) {
                warn(element, "'%s' has no certificate".formatted(path));
            }
            return certificates;
        } catch (CertificateException e) {
            warn(element, "'%s' has no certificates: %s".formatted(path, e.getMessage()));
            return List.of();
        }
    }

    private static Control control(XmlElement element) {
        return new Control(
                !element.attribute("read").equals(Optional.of("false")),
                !element.attribute("write").equals(Optional.of("false")),
                element.children("exclude").stream()
                        .flatMap(exclude -> exclude.children("binding").stream())
                        .flatMap(binding -> BindingReader.path(binding).stream())
                        .toList());
    }

    private void warn(XmlElement element, String problem) {
        findings.warn("%s: %s".formatted(element.file().place(element), problem));
    }
}
