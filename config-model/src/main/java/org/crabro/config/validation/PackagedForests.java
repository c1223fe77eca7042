package org.crabro.config.validation;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.NearestName;
import org.crabro.ranking.forest.Forest;
import org.crabro.ranking.forest.ForestLimits;
import org.crabro.ranking.forest.ForestReader;
import org.crabro.ranking.forest.InvalidForestException;
import org.crabro.ranking.program.StringValue;

/**
 * Reads the decision trees of a package below {@code models/}, each file only once. Not
 * thread-safe.
 */
public final class PackagedForests implements Components.Forests {
    private static final String FOLDER = "models/";

    /** How files end that XGBoost saved as Universal Binary JSON. */
    private static final String BINARY = ".ubj";

    private final ApplicationFiles files;
    private final Map<Named, Answer> answers = new HashMap<>();

    public PackagedForests(ApplicationFiles files) {
        this.files = files;
    }

    private record Named(ForestFormat format, String path) {}

    private sealed interface Answer {
        record Read(Forest forest) implements Answer {}

        record Refused(String problem) implements Answer {}
    }

    @Override
    public Forest read(ForestFormat format, String path) {
        return switch (answers.computeIfAbsent(new Named(format, path), this::answer)) {
            case Answer.Read(Forest forest) -> forest;
            case Answer.Refused(String problem) -> throw new InvalidForestException(problem);
        };
    }

    private Answer answer(Named named) {
        String path = FOLDER + named.path;
        if (!files.paths().contains(path)) {
            return new Answer.Refused(
                    "there is no file " + path + NearestName.hint(named.path, models()));
        }
        try (InputStream file = open(path)) {
            return new Answer.Read(
                    switch (named.format) {
                        case XGBOOST ->
                                path.endsWith(BINARY)
                                        ? ForestReader.xgboostModel(
                                                file, ForestLimits.DEFAULT, StringValue::of)
                                        : ForestReader.xgboost(
                                                file, ForestLimits.DEFAULT, StringValue::of);
                        case LIGHTGBM ->
                                ForestReader.lightgbm(file, ForestLimits.DEFAULT, StringValue::of);
                    });
        } catch (InvalidForestException e) {
            return new Answer.Refused(path + ": " + e.getMessage());
        } catch (IOException e) {
            return new Answer.Refused(path + " cannot be read: " + e.getMessage());
        }
    }

    private Set<String> models() {
        var models = new TreeSet<String>();
        for (String path : files.paths()) {
            if (path.startsWith(FOLDER) && (path.endsWith(".json") || path.endsWith(BINARY))) {
                models.add(path.substring(FOLDER.length()));
            }
        }
        return models;
    }

    private InputStream open(String path) throws IOException {
        Optional<Path> file = files.location(path).filter(Files::isRegularFile);
        byte[] text =
                file.isPresent()
                        ? new byte[0]
                        : files.text(path).orElse("").getBytes(StandardCharsets.UTF_8);
        long size = file.isPresent() ? Files.size(file.get()) : text.length;
        if (size > ForestLimits.DEFAULT.bytes()) {
            throw new InvalidForestException(
                    "%,d bytes, and a model has at most %,d"
                            .formatted(size, ForestLimits.DEFAULT.bytes()));
        }
        return file.isPresent() ? Files.newInputStream(file.get()) : new ByteArrayInputStream(text);
    }
}
