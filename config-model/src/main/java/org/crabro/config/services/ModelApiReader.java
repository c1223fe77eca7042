package org.crabro.config.services;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.services.ModelApi.Batching;
import org.crabro.config.services.ModelApi.Format;
import org.crabro.config.services.ModelApi.PackagedModel;
import org.crabro.config.services.ModelJsonFormat.NoModelException;
import org.crabro.ranking.onnx.ExecutionMode;
import org.crabro.ranking.onnx.InvalidModelException;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.ranking.onnx.ModelSignature;

/** Reads {@code model-evaluation}, and finds the models of a package. */
final class ModelApiReader {
    private static final String FOLDER = "models/";

    /** Files that can contain the path of a model. */
    private static final Pattern NAMING = Pattern.compile(".*\\.(xml|sd|profile|expression)");

    /** A number, and the unit; without a unit it is milliseconds. */
    private static final Pattern DELAY =
            Pattern.compile("([0-9]{1,10}(?:\\.[0-9]{1,9})?)\\s*(ms|s)?");

    private final ApplicationFiles files;
    private final Findings findings;

    ModelApiReader(ApplicationFiles files, Findings findings) {
        this.files = files;
        this.findings = findings;
    }

    /** Returns the models of a cluster; empty if it does not evaluate any on request. */
    Optional<ModelApi> read(XmlElement container) {
        List<XmlElement> apis = container.children("model-evaluation");
        if (apis.isEmpty()) {
            return Optional.empty();
        }
        Map<String, XmlElement> declared = new HashMap<>();
        for (XmlElement api : apis) {
            for (XmlElement onnx : api.children("onnx")) {
                for (XmlElement models : onnx.children("models")) {
                    for (XmlElement model : models.children("model")) {
                        declared.put(model.attribute("name").orElse(""), model);
                    }
                }
            }
        }
        List<PackagedModel> models = models(apis.getFirst(), declared);
        Set<String> names = new TreeSet<>();
        models.forEach(model -> names.add(model.name()));
        declared.forEach((name, model) -> {
            if (!names.contains(name)) {
                findings.warn(
                        "%s: there is no model '%s' below models/%s"
                                .formatted(
                                        model.file().place(model),
                                        name,
                                        NearestName.hint(name, names)));
            }
        });
        return Optional.of(new ModelApi(models));
    }

    private List<PackagedModel> models(XmlElement api, Map<String, XmlElement> declared) {
        Map<String, String> paths = new TreeMap<>();
        var models = new ArrayList<PackagedModel>();
        for (String path : files.paths()) {
            Optional<Path> file = files.location(path).filter(Files::isRegularFile);
            if (!path.startsWith(FOLDER) || file.isEmpty()) {
                continue;
            }
            if (path.endsWith(".model")) {
                findings.warn(
                        "%s: %s is left out: models as functions are not built"
                                .formatted(api.file().place(api), path));
            }
            Optional<Format> format = format(api, path, file.get());
            if (format.isEmpty()) {
                continue;
            }
            String name = name(path);
            String other = paths.putIfAbsent(name, path);
            if (other != null) {
                api.file()
                        .problem(
                                api,
                                "%s and %s are both the model '%s'; give one of them another name"
                                        .formatted(other, path, name));
                continue;
            }
            models.add(
                    new PackagedModel(
                            name,
                            file.get(),
                            format.get(),
                            Optional.ofNullable(declared.get(name))
                                    .map(ModelApiReader::settings)
                                    .orElse(ModelSettings.DEFAULT),
                            Optional.ofNullable(declared.get(name))
                                    .map(ModelApiReader::batching)
                                    .orElse(Batching.NONE)));
        }
        return models;
    }

    private static String name(String path) {
        String name = path.substring(FOLDER.length(), path.lastIndexOf('.'));
        return name.replace('/', '_').replace('.', '_');
    }

    private static ModelSettings settings(XmlElement model) {
        GpuDevice.check(model, "gpu-device");
        return ModelSettings.of(
                text(model, "execution-mode").flatMap(ExecutionMode::named),
                number(model, "intraop-threads"),
                number(model, "interop-threads"),
                !text(model, "optimize-model").equals(Optional.of("false")));
    }

    /** Returns the batches of a model. Sizes and delays above the maximum are the maximum. */
    private static Batching batching(XmlElement model) {
        for (XmlElement batching : model.children("batching")) {
            String size = batching.attribute("max-size").orElse("1");
            Optional<Duration> delay =
                    batching.attribute("max-delay-millis")
                            .map(millis -> millis + "ms")
                            .or(() -> batching.attribute("max-delay"))
                            .map(ModelApiReader::delay)
                            .orElse(Optional.of(Duration.ZERO));
            if (delay.isEmpty()) {
                batching.file()
                        .problem(
                                batching,
                                "max-delay",
                                "expected a time such as 5ms or 0.1s but found '%s'"
                                        .formatted(batching.attribute("max-delay").orElse("")));
            }
            if (size.matches("[0-9]{1,7}")) {
                return new Batching(
                        Math.clamp(Integer.parseInt(size), 1, Batching.SIZE_MAX),
                        delay.orElse(Duration.ZERO));
            }
        }
        return Batching.NONE;
    }

    private static Optional<Duration> delay(String text) {
        Matcher matcher = DELAY.matcher(text.strip());
        if (!matcher.matches()) {
            return Optional.empty();
        }
        double number = Double.parseDouble(matcher.group(1));
        double millis = "s".equals(matcher.group(2)) ? 1_000 * number : number;
        return Optional.of(
                Duration.ofNanos(
                        (long) Math.min(1e6 * millis, (double) Batching.DELAY_MAX.toNanos())));
    }

    private static Optional<String> text(XmlElement model, String name) {
        return model.children(name).stream().findFirst().map(XmlElement::text);
    }

    private static OptionalInt number(XmlElement model, String name) {
        return text(model, name)
                .filter(each -> each.matches("-?[0-9]{1,8}"))
                .map(each -> OptionalInt.of(Integer.parseInt(each)))
                .orElse(OptionalInt.empty());
    }

    /**
     * Returns the format of a file; empty if it is not evaluated. A warning says so, unless another
     * part of the package uses the file: that part then reports whatever is wrong with it.
     */
    private Optional<Format> format(XmlElement api, String path, Path file) {
        try {
            if (path.endsWith(".onnx")) {
                ModelSignature.read(file);
                return Optional.of(Format.ONNX);
            }
            if (path.endsWith(".ubj")) {
                return Optional.of(Format.XGBOOST_BINARY);
            }
            return path.endsWith(".json") ? Optional.of(ofJson(file)) : Optional.empty();
        } catch (InvalidModelException | NoModelException | IOException e) {
            if (!isNamed(path.substring(FOLDER.length()))) {
                findings.warn(
                        "%s: %s is left out: %s"
                                .formatted(api.file().place(api), path, e.getMessage()));
            }
            return Optional.empty();
        }
    }

    private static Format ofJson(Path file) throws IOException {
        try (InputStream json = Files.newInputStream(file)) {
            return ModelJsonFormat.of(json);
        }
    }

    /** Returns whether services.xml, a schema or a rank profile contains the path of a model. */
    private boolean isNamed(String path) {
        Pattern name = Pattern.compile("(?<![A-Za-z0-9_.-])" + Pattern.quote(path) + "(?![\\w-])");
        return files.paths().stream()
                .filter(each -> NAMING.matcher(each).matches())
                .anyMatch(each ->
                        files.text(each).filter(text -> name.matcher(text).find()).isPresent());
    }
}
