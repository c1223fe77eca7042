package org.crabro.config.services;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.RemoteFileException;
import org.crabro.config.application.RemoteFiles;
import org.crabro.config.application.XmlElement;

/** Finds the files that components name as their models. */
final class ModelReader {
    private static final List<String> MODELS =
            List.of("transformer-model", "tokenizer-model", "tokenizer-vocab");

    private final ApplicationFiles files;
    private final Findings findings;

    ModelReader(ApplicationFiles files, Findings findings) {
        this.files = files;
        this.findings = findings;
    }

    /** Reports the models of {@code component} that are not there. */
    void check(XmlElement component) {
        for (XmlElement child : component.children()) {
            boolean isModel =
                    MODELS.contains(child.name())
                            || (child.name().equals("model") && !child.attributes().isEmpty());
            if (isModel) {
                model(child);
            }
        }
    }

    /** Returns the path of the model; empty if it does not exist, which is reported. */
    Optional<Path> model(XmlElement element) {
        Optional<String> path = element.attribute("path");
        if (path.isPresent()) {
            element.attribute("url")
                    .ifPresent(_ ->
                            findings.inform(
                                    element.file().place(element)
                                            + ": the file at path is used, and the one at url is not fetched"));
            return file(element, path.get());
        }
        Optional<String> url = element.attribute("url");
        if (url.isPresent()) {
            return fetched(element, url.get());
        }
        Optional<String> id = element.attribute("model-id");
        if (id.isPresent()) {
            return modelPath(element, id.get());
        }
        element.file()
                .problem(element, element.name() + " needs path, the file's place in the package");
        return Optional.empty();
    }

    private Optional<Path> modelPath(XmlElement element, String id) {
        Optional<String> file = ModelCatalog.file(id, element.name());
        if (file.isEmpty()) {
            problem(
                    element,
                    "model-id",
                    "there is no model '%s', only %s; name a file of the package with path, or an address with url"
                            .formatted(id, String.join(", ", ModelCatalog.ids())));
            return Optional.empty();
        }
        try {
            return Optional.of(files.fetched(RemoteFiles.MODEL + ":" + file.get()));
        } catch (RemoteFileException e) {
            problem(
                    element,
                    "model-id",
                    "the model '%s' cannot be used: %s".formatted(id, e.getMessage()));
            return Optional.empty();
        }
    }

    private Optional<Path> fetched(XmlElement element, String url) {
        try {
            return Optional.of(files.fetched(url));
        } catch (RemoteFileException e) {
            problem(
                    element,
                    "url",
                    "the model is at a url: %s. Put the file into the package, such as models/%s, and name it with path"
                            .formatted(e.getMessage(), url.substring(url.lastIndexOf('/') + 1)));
            return Optional.empty();
        }
    }

    /**
     * Returns the path of the model that is the text of an element; empty if it does not exist,
     * which is reported.
     */
    Optional<Path> named(XmlElement element) {
        Optional<Path> location = files.location(element.text());
        if (location.isEmpty()) {
            element.file()
                    .problem(
                            element,
                            "the package has no file %s%s"
                                    .formatted(
                                            element.text(),
                                            NearestName.hint(element.text(), files.paths())));
        }
        return location;
    }

    private Optional<Path> file(XmlElement element, String path) {
        Optional<Path> location = files.location(path);
        if (location.isEmpty()) {
            problem(
                    element,
                    "path",
                    "the package has no file %s%s"
                            .formatted(path, NearestName.hint(path, files.paths())));
        }
        return location;
    }

    private static void problem(XmlElement element, String attribute, String problem) {
        element.file().problem(element, attribute, problem);
    }
}
