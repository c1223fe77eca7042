package org.crabro.config.services;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.crabro.config.application.XmlElement;
import org.crabro.config.services.ServerTls.ClientAuthentication;

/** Reads {@code ssl} of a server, whose form was already checked. */
final class TlsReader {
    /** The supported protocols; older ones are insecure. */
    private static final List<String> PROTOCOLS = List.of("TLSv1.2", "TLSv1.3");

    private TlsReader() {}

    /** Returns the settings, or empty after a problem was reported. */
    static Optional<ServerTls> read(XmlElement ssl) {
        Optional<Path> key = required(ssl, "private-key-file");
        Optional<Path> certificates = required(ssl, "certificate-file");
        Optional<XmlElement> authorities = child(ssl, "ca-certificates-file");
        Optional<Path> trusted = authorities.flatMap(TlsReader::file);
        ClientAuthentication clients = clients(ssl);
        if (clients != ClientAuthentication.DISABLED && authorities.isEmpty()) {
            ssl.file()
                    .problem(
                            child(ssl, "client-authentication").orElse(ssl),
                            "client-authentication needs a ca-certificates-file, with the"
                                    + " authorities of the clients");
            return Optional.empty();
        }
        List<String> protocols = names(ssl, "protocols");
        for (String protocol : protocols) {
            if (!PROTOCOLS.contains(protocol)) {
                ssl.file()
                        .problem(
                                child(ssl, "protocols").orElse(ssl),
                                "protocols: expected some of %s, but found '%s'"
                                        .formatted(String.join(", ", PROTOCOLS), protocol));
                return Optional.empty();
            }
        }
        return key.isEmpty()
                        || certificates.isEmpty()
                        || trusted.isPresent() != authorities.isPresent()
                ? Optional.empty()
                : Optional.of(
                        new ServerTls(
                                key.get(),
                                certificates.get(),
                                trusted,
                                clients,
                                names(ssl, "cipher-suites"),
                                protocols));
    }

    private static Optional<XmlElement> child(XmlElement ssl, String name) {
        return ssl.children(name).stream().findFirst();
    }

    private static Optional<Path> required(XmlElement ssl, String name) {
        Optional<XmlElement> element = child(ssl, name);
        if (element.isEmpty()) {
            ssl.file().problem(ssl, "ssl needs a " + name);
        }
        return element.flatMap(TlsReader::file);
    }

    /** Returns the path of a file on the server; packages do not contain keys. */
    private static Optional<Path> file(XmlElement element) {
        try {
            Path path = Path.of(element.text());
            if (path.isAbsolute()) {
                return Optional.of(path);
            }
        } catch (InvalidPathException _) {
            // Reported below.
        }
        element.file()
                .problem(
                        element,
                        "%s: expected the absolute path of a file where the server runs, but found '%s'"
                                .formatted(element.name(), element.text()));
        return Optional.empty();
    }

    private static ClientAuthentication clients(XmlElement ssl) {
        String text = child(ssl, "client-authentication").map(XmlElement::text).orElse("disabled");
        for (ClientAuthentication each : ClientAuthentication.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
                return each;
            }
        }
        return ClientAuthentication.DISABLED;
    }

    private static List<String> names(XmlElement ssl, String name) {
        return child(ssl, name).map(XmlElement::text).stream()
                .flatMap(text -> Arrays.stream(text.split(",")))
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .toList();
    }
}
