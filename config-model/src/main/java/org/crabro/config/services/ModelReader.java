package org.crabro.config.services;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
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
                                            + ": nothing is fetched over the network; the file at path is used"));
            return file(element, path.get());
        }
        if (element.attribute("url").isPresent()) {
            problem(
                    element,
                    "url",
                    "models by url are not built: nothing is fetched over the network; put the"
                            + " file into the package and name it with path");
        } else if (element.attribute("model-id").isPresent()) {
            problem(
                    element,
                    "model-id",
                    "model-id names a model of a cloud; name a file of the package with path");
        } else {
            element.file()
                    .problem(
                            element,
                            element.name() + " needs path, the file's place in the package");
        }
        return Optional.empty();
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
