package org.crabro.config.services;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;
import org.crabro.ranking.significance.InvalidSignificanceException;
import org.crabro.ranking.significance.SignificanceModels;
import org.crabro.ranking.significance.SignificanceReader;

/** Reads the models with document frequencies of words. Each model is one file of the package. */
final class SignificanceModelReader {
    private final ApplicationFiles files;
    private final ModelReader models;

    SignificanceModelReader(ApplicationFiles files, Findings findings) {
        this.files = files;
        this.models = new ModelReader(files, findings);
    }

    /** Returns the models of a section: of one language, the one of the last file that has it. */
    SignificanceModels models(XmlElement search) {
        SignificanceModels all = SignificanceModels.NONE;
        for (XmlElement significance : search.children("significance")) {
            for (XmlElement model : significance.children("model")) {
                if (models.model(model).isPresent()) {
                    all = all.overriddenBy(read(model));
                }
            }
        }
        return all;
    }

    private SignificanceModels read(XmlElement model) {
        String path = model.attribute("path").orElse("");
        try (InputStream file = open(path)) {
            return SignificanceReader.read(file);
        } catch (InvalidSignificanceException e) {
            model.file().problem(model, "path", path + ": " + e.getMessage());
        } catch (IOException e) {
            model.file().problem(model, "path", path + " cannot be read: " + e.getMessage());
        }
        return SignificanceModels.NONE;
    }

    private InputStream open(String path) throws IOException {
        Path file = files.location(path).orElseThrow();
        return Files.isRegularFile(file)
                ? Files.newInputStream(file)
                : new ByteArrayInputStream(
                        files.text(path).orElse("").getBytes(StandardCharsets.UTF_8));
    }
}
