package org.crabro.config.services;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.Optional;
import org.crabro.config.application.XmlElement;
import org.crabro.config.services.ServiceEmbedderSettings.Access;
import org.crabro.config.services.ServiceEmbedderSettings.Model;
import org.crabro.config.services.ServiceEmbedderSettings.Quantization;
import org.crabro.config.services.ServiceEmbedderSettings.Service;
import org.crabro.ranking.onnx.TextPrefixes;

/**
 * Reads an embedder whose embeddings a network service computes. Its form has been checked: values
 * that cannot be read count as absent.
 */
final class ServiceEmbedderReader {
    /** The texts of a request, for a component that sets no number. */
    private static final int DEFAULT_BATCH = 16;

    /** The most texts that all services accept in a request. */
    private static final int BATCH_MAX = 1_000;

    private static final String PATH = "/embeddings";

    private ServiceEmbedderReader() {}

    /** Returns the settings, or empty after an invalid endpoint was reported. */
    static Optional<ServiceEmbedderSettings> settings(XmlElement component, Service service) {
        Optional<URI> endpoint = endpoint(component, service);
        if (endpoint.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new ServiceEmbedderSettings(
                        service,
                        new Model(
                                text(component, "model").orElse(""),
                                text(component, "dimensions")
                                        .filter(text -> text.matches("[0-9]{1,7}"))
                                        .map(Integer::parseInt)
                                        .orElse(1),
                                quantization(component),
                                !text(component, "truncate").equals(Optional.of("false"))),
                        new Access(endpoint.get(), text(component, "api-key-secret-ref")),
                        prefixes(component),
                        component.children("batching").stream()
                                .findFirst()
                                .flatMap(each -> each.attribute("max-size"))
                                .filter(text -> text.matches("[1-9][0-9]{0,6}"))
                                .map(Integer::parseInt)
                                .map(count -> Math.min(count, BATCH_MAX))
                                .orElse(DEFAULT_BATCH)));
    }

    /** An endpoint is the address of the service, with or without its last part. */
    private static Optional<URI> endpoint(XmlElement component, Service service) {
        Optional<XmlElement> element = component.children("endpoint").stream().findFirst();
        String text = element.map(XmlElement::text).orElse("").strip();
        if (element.isEmpty() || text.isEmpty()) {
            return Optional.of(service.endpoint());
        }
        try {
            var uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (isHttp
                    && uri.getHost() != null
                    && uri.getUserInfo() == null
                    && uri.getQuery() == null
                    && uri.getFragment() == null) {
                String path = uri.getPath();
                return Optional.of(path.endsWith(PATH) ? uri : URI.create(uri + PATH));
            }
        } catch (URISyntaxException _) {
            // Reported below.
        }
        element.get()
                .file()
                .problem(
                        element.get(),
                        "endpoint is the address of a service, as %s; found '%s'"
                                .formatted(service.endpoint(), text));
        return Optional.empty();
    }

    private static Quantization quantization(XmlElement component) {
        String text = text(component, "quantization").orElse("");
        return Arrays.stream(Quantization.values())
                .filter(each -> each.text().equals(text))
                .findFirst()
                .orElse(Quantization.AUTO);
    }

    private static TextPrefixes prefixes(XmlElement component) {
        return new TextPrefixes(
                EmbedderReader.prepend(component, "query"),
                EmbedderReader.prepend(component, "document"));
    }

    private static Optional<String> text(XmlElement component, String name) {
        return component.children(name).stream()
                .findFirst()
                .map(XmlElement::text)
                .filter(text -> !text.isEmpty());
    }
}
