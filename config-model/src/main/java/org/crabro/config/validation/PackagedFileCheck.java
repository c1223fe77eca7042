package org.crabro.config.validation;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorInputStream;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.parser.SchemaDeclaration.Mapping;
import org.crabro.config.parser.SchemaDeclaration.PackagedFile;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.json.TensorJson;
import org.crabro.ranking.onnx.InvalidModelException;
import org.crabro.ranking.onnx.ModelSignature;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;

/**
 * Reads the constants and models that a schema has in files of the package, and checks them against
 * their declarations.
 */
public final class PackagedFileCheck {
    private static final Pattern INPUT =
            Pattern.compile("(?:(attribute|query|constant)\\((\\w+)\\)|(\\w+))");

    private final Schema compiled;
    private final ApplicationFiles files;
    private final Findings findings;

    private PackagedFileCheck(Schema compiled, ApplicationFiles files, Findings findings) {
        this.compiled = compiled;
        this.files = files;
        this.findings = findings;
    }

    /**
     * Reports problems in the files of {@code schema}. Missing files are skipped; {@link
     * SchemaCompiler} reports them.
     */
    public static void check(
            SchemaDeclaration schema,
            Schema compiled,
            ApplicationFiles files,
            SchemaFindings findings) {
        var check = new PackagedFileCheck(compiled, files, findings.at(SchemaStep.MODELS));
        for (PackagedFile file : schema.files()) {
            if (files.paths().contains(file.file().text())) {
                file.type().ifPresent(type -> check.constant(file, type));
                if (file.type().isEmpty()) {
                    check.model(file);
                }
            }
        }
    }

    private void constant(PackagedFile constant, TensorType type) {
        String path = constant.file().text();
        if (!constant.fileName().endsWith(".json") && !constant.fileName().endsWith(".json.lz4")) {
            problem(constant.file(), "a constant needs a .json or .json.lz4 file");
            return;
        }
        try {
            TensorJson.read(() -> reader(files, path), type);
        } catch (TensorSyntaxException e) {
            problem(
                    constant.name(),
                    "constant '%s': %s: %s"
                            .formatted(constant.name().text(), path, e.getMessage()));
        } catch (UncheckedIOException e) {
            problem(
                    constant.name(),
                    "constant '%s': %s cannot be read: %s"
                            .formatted(constant.name().text(), path, e.getMessage()));
        }
    }

    /**
     * Returns a constant of the package, or empty if its file is not valid. {@link #check} reports
     * invalid files.
     */
    public static Optional<Tensor> constant(ApplicationFiles files, String path, TensorType type) {
        try {
            return Optional.of(TensorJson.read(() -> reader(files, path), type));
        } catch (TensorSyntaxException | UncheckedIOException _) {
            return Optional.empty();
        }
    }

    private static Reader reader(ApplicationFiles files, String path) {
        Optional<Path> file = files.location(path).filter(Files::isRegularFile);
        if (file.isEmpty()) {
            return new StringReader(files.text(path).orElse(""));
        }
        try {
            InputStream bytes = new BufferedInputStream(Files.newInputStream(file.get()));
            return new InputStreamReader(
                    path.split("[?#]", 2)[0].endsWith(".lz4")
                            ? new FramedLZ4CompressorInputStream(bytes)
                            : bytes,
                    StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void model(PackagedFile model) {
        model.model().inputs().forEach(input -> source(model, input));
        model.model()
                .gpuDevice()
                .ifPresent(device ->
                        findings.warn(
                                device.at()
                                        + ": gpu-device: no model is run on a graphics processor"
                                        + " here"));
        Optional<Path> file = files.location(model.file().text()).filter(Files::isRegularFile);
        if (file.isEmpty()) {
            return;
        }
        ModelSignature signature;
        try {
            signature = ModelSignature.read(file.get());
        } catch (InvalidModelException e) {
            problem(
                    model.file(),
                    "onnx-model '%s': %s".formatted(model.name().text(), e.getMessage()));
            return;
        }
        if (signature.hasExternalData()) {
            problem(
                    model.file(),
                    "onnx-model '%s' has weights in other files: write them into the file of the model"
                            .formatted(model.name().text()));
        }
        names(model, "input", model.model().inputs(), signature.inputs());
        names(model, "output", model.model().outputs(), signature.outputs());
    }

    private void names(PackagedFile model, String kind, List<Mapping> said, List<String> there) {
        for (Mapping mapping : said) {
            String name = mapping.name().text();
            if (!there.contains(name)) {
                problem(
                        mapping.name(),
                        "onnx-model '%s' has no %s '%s' but %s%s"
                                .formatted(
                                        model.name().text(),
                                        kind,
                                        name,
                                        there,
                                        NearestName.hint(name, new HashSet<>(there))));
            }
        }
    }

    /** Checks the declared source of a model input; a function is one of the rank profiles. */
    private void source(PackagedFile model, Mapping input) {
        Matcher form = INPUT.matcher(input.target().text());
        if (!form.matches()) {
            findings.problem(
                    input.target()
                            .at()
                            .pointing(
                                    "expected attribute(…), query(…), constant(…) or the name of a"
                                            + " function, but found '"
                                            + input.target().text()
                                            + "'"));
            return;
        }
        String name = String.valueOf(form.group(2));
        if ("attribute".equals(form.group(1))) {
            boolean isAttribute =
                    compiled.named(name).filter(SchemaCompiler::isAttribute).isPresent();
            if (!isAttribute) {
                findings.problem(
                        input.target()
                                .at()
                                .pointing(
                                        "onnx-model '%s' reads attribute '%s', which does not exist%s"
                                                .formatted(
                                                        model.name().text(),
                                                        name,
                                                        NearestName.hint(name, attributes()))));
            }
        }
    }

    private Set<String> attributes() {
        var attributes = new HashSet<String>();
        for (SchemaField field : compiled.readable()) {
            if (SchemaCompiler.isAttribute(field)) {
                attributes.add(field.field().name());
            }
        }
        return attributes;
    }

    private void problem(Name at, String problem) {
        findings.problem(at.at().pointing(problem));
    }
}
