package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.SchemaDeclaration.Mapping;
import org.crabro.config.parser.SchemaDeclaration.PackagedFile;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.Expression.Onnx;
import org.crabro.ranking.expression.ExpressionPosition;
import org.crabro.ranking.onnx.InvalidModelException;
import org.crabro.ranking.onnx.ModelBinding;
import org.crabro.ranking.onnx.ModelPort;
import org.crabro.ranking.onnx.RankModel;
import org.crabro.ranking.onnx.RankModelFile;
import org.crabro.ranking.type.ExpressionTypeException;

/**
 * Replaces {@code onnx(name)} and {@code onnx(name).output} in expressions of a rank profile by
 * models with their input expressions. Not thread-safe.
 */
final class ProfileModels {
    private static final Set<String> NAMES = Set.of("onnx", "onnxModel");

    private final Components.Models files;
    private final Map<String, PackagedFile> declared;
    private final ProfileExpansion.ModelInputs expressions;
    private final Map<String, Bound> bound = new HashMap<>();

    /**
     * The models whose inputs are being expanded; a model that is an input of itself is rejected.
     */
    private final Set<String> open = new LinkedHashSet<>();

    /** A problem that was already reported where it was declared. */
    static final class ToldException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A model and its inputs; outputs by their names in expressions. */
    private record Bound(RankModel model, List<Expression> inputs, Map<String, Integer> outputs) {}

    /**
     * @param declared the models of the profile, its parents and the schema, by name
     */
    ProfileModels(
            Components.Models files,
            Map<String, PackagedFile> declared,
            ProfileExpansion.ModelInputs expressions) {
        this.files = files;
        this.declared = Map.copyOf(declared);
        this.expressions = expressions;
    }

    /**
     * Returns {@code expression} with models in place of the features that name them.
     *
     * @throws ExpressionTypeException if a model or output is unknown, or the model cannot run with
     *     its inputs
     */
    Expression putInto(Expression expression) {
        boolean hasModels =
                expression.features().stream().anyMatch(feature -> NAMES.contains(feature.name()));
        return hasModels ? expression.replacing(this::output) : expression;
    }

    private Expression output(Feature feature) {
        if (!NAMES.contains(feature.name())) {
            return feature;
        }
        if (feature.arguments().size() != 1
                || !(feature.arguments().getFirst() instanceof Feature named)
                || !named.arguments().isEmpty()) {
            throw problem(
                    feature,
                    "'%s' is not known in this form; expected onnx(name) or onnx(name).output, of an onnx-model"
                            .formatted(feature));
        }
        String name = named.toString();
        PackagedFile model = declared.get(name);
        if (model == null) {
            throw problem(
                    feature,
                    "there is no onnx-model '%s'%s"
                            .formatted(name, NearestName.hint(name, declared.keySet())));
        }
        Bound bound = bound(feature, model);
        if (feature.output().isEmpty()) {
            return new Onnx(feature.toString(), bound.model, 0, bound.inputs);
        }
        Integer output = bound.outputs.get(feature.output());
        if (output == null) {
            throw problem(
                    feature,
                    "onnx-model '%s' has no output '%s' but %s%s"
                            .formatted(
                                    name,
                                    feature.output(),
                                    bound.outputs.keySet(),
                                    NearestName.hint(feature.output(), bound.outputs.keySet())));
        }
        return new Onnx(feature.toString(), bound.model, output, bound.inputs);
    }

    private Bound bound(Feature feature, PackagedFile model) {
        String name = model.name().text();
        Bound cached = bound.get(name);
        if (cached != null) {
            return cached;
        }
        if (!open.add(name)) {
            throw problem(
                    feature,
                    "onnx-model '%s' has an input that depends on its own output".formatted(name));
        }
        try {
            cached = bind(feature, model);
        } finally {
            open.remove(name);
        }
        bound.put(name, cached);
        return cached;
    }

    private Bound bind(Feature feature, PackagedFile model) {
        RankModelFile file = file(feature, model);
        ModelBinding binding = file.binding();
        var inputs = new ArrayList<Expression>();
        for (ModelPort port : file.inputs()) {
            Optional<Mapping> mapping = named(model.model().inputs(), port);
            Expression input =
                    mapping.isPresent()
                            ? expressions
                                    .parse(mapping.get().target())
                                    .orElseThrow(ToldException::new)
                            : new Feature(alias(port), List.of(), "", feature.origin());
            Expression whole = whole(feature, model, port, input, mapping.isPresent());
            add(binding, feature, model, port, whole, input);
            inputs.add(whole);
        }
        var outputs = new ArrayList<RankModel.Value>();
        var names = new LinkedHashMap<String, Integer>();
        for (int i = 0; i < file.outputs().size(); i++) {
            ModelPort port = file.outputs().get(i);
            try {
                outputs.add(binding.output(i));
            } catch (InvalidModelException e) {
                throw problem(
                        feature,
                        "onnx-model '%s': %s".formatted(model.name().text(), e.getMessage()));
            }
            names.put(
                    named(model.model().outputs(), port)
                            .map(mapping -> mapping.target().text())
                            .orElseGet(() -> alias(port)),
                    i);
        }
        return new Bound(
                binding.model(model.name().text(), model.model().settings(), outputs),
                inputs,
                names);
    }

    private RankModelFile file(Feature feature, PackagedFile model) {
        RankModelFile file;
        try {
            file = files.open(model.file().text()).orElseThrow(ToldException::new);
        } catch (InvalidModelException e) {
            throw problem(
                    feature,
                    "onnx-model '%s': %s: %s"
                            .formatted(model.name().text(), model.file().text(), e.getMessage()));
        }
        // Names that the model lacks were already reported at their declaration.
        requireNames(model.model().inputs(), file.inputs());
        requireNames(model.model().outputs(), file.outputs());
        return file;
    }

    private static void requireNames(List<Mapping> said, List<ModelPort> there) {
        Set<String> names = new LinkedHashSet<>(there.stream().map(ModelPort::name).toList());
        if (!said.stream().allMatch(mapping -> names.contains(mapping.name().text()))) {
            throw new ToldException();
        }
    }

    private Expression whole(
            Feature feature, PackagedFile model, ModelPort port, Expression input, boolean isSaid) {
        try {
            Expression whole = expressions.whole(input);
            expressions.type(whole);
            return whole;
        } catch (ExpressionTypeException e) {
            if (isSaid || expressions.has(alias(port))) {
                throw e;
            }
            throw problem(
                    feature,
                    "onnx-model '%s' has an input '%s' without a value: declare the input, or write a function '%s'"
                            .formatted(model.name().text(), port.name(), alias(port)));
        }
    }

    private void add(
            ModelBinding binding,
            Feature feature,
            PackagedFile model,
            ModelPort port,
            Expression whole,
            Expression written) {
        try {
            binding.add(expressions.type(whole));
        } catch (InvalidModelException e) {
            ExpressionPosition origin =
                    written instanceof Feature given ? given.origin() : feature.origin();
            throw new ExpressionTypeException(
                    origin,
                    "onnx-model '%s' cannot be given '%s' as input '%s': %s"
                            .formatted(model.name().text(), written, port.name(), e.getMessage()));
        }
    }

    private static Optional<Mapping> named(List<Mapping> mappings, ModelPort port) {
        return mappings.stream()
                .filter(mapping -> mapping.name().text().equals(port.name()))
                .findFirst();
    }

    /** Returns the default name of an input or output in expressions. */
    private static String alias(ModelPort port) {
        return port.name().replaceAll("[^A-Za-z0-9_]", "_");
    }

    private static ExpressionTypeException problem(Feature feature, String problem) {
        return new ExpressionTypeException(feature.origin(), problem);
    }
}
