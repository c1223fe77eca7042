package org.crabro.config.validation;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.ranking.onnx.InvalidModelException;
import org.crabro.ranking.onnx.ModelSignature;
import org.crabro.ranking.onnx.RankModelFile;

/**
 * Loads the models of a package that rank profiles run, each file only once, while the package is
 * compiled. Not thread-safe.
 */
public final class PackagedModels implements Components.Models, AutoCloseable {
    private final ApplicationFiles files;
    private final Map<String, Answer> answers = new HashMap<>();

    public PackagedModels(ApplicationFiles files) {
        this.files = files;
    }

    private sealed interface Answer {
        record Read(RankModelFile model) implements Answer {}

        record Told() implements Answer {}

        record Refused(InvalidModelException problem) implements Answer {}
    }

    @Override
    public Optional<RankModelFile> open(String path) {
        return switch (answers.computeIfAbsent(path, this::answer)) {
            case Answer.Read(RankModelFile model) -> Optional.of(model);
            case Answer.Told() -> Optional.empty();
            case Answer.Refused(InvalidModelException problem) -> throw problem;
        };
    }

    private Answer answer(String path) {
        Optional<Path> file = files.location(path).filter(Files::isRegularFile);
        if (!files.paths().contains(path) || file.filter(each -> !isWhole(each)).isPresent()) {
            return new Answer.Told();
        }
        try {
            return new Answer.Read(
                    RankModelFile.open(
                            file.orElseThrow(() ->
                                    new InvalidModelException(
                                            "it is not on disk, where it could be loaded"))));
        } catch (InvalidModelException e) {
            return new Answer.Refused(e);
        }
    }

    /**
     * Returns whether the file contains the whole model. {@link PackagedFileCheck} reports the
     * problems of all other files, also of models that no rank profile uses.
     */
    private static boolean isWhole(Path file) {
        try {
            return !ModelSignature.read(file).hasExternalData();
        } catch (InvalidModelException _) {
            return false;
        }
    }

    /** Lets all models go. */
    @Override
    public void close() {
        answers.values()
                .forEach(answer -> {
                    if (answer instanceof Answer.Read(RankModelFile model)) {
                        model.close();
                    }
                });
    }
}
