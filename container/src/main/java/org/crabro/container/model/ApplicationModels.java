package org.crabro.container.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.component.ModelsEvaluator;
import org.crabro.config.services.ModelApi.PackagedModel;
import org.crabro.ranking.forest.Forest;
import org.crabro.ranking.forest.ForestLimits;
import org.crabro.ranking.forest.ForestReader;
import org.crabro.ranking.forest.InvalidForestException;
import org.crabro.ranking.onnx.ElementType;
import org.crabro.ranking.onnx.InvalidModelException;
import org.crabro.ranking.onnx.ModelPort;
import org.crabro.ranking.onnx.ServedModel;
import org.crabro.ranking.program.StringValue;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * The loaded models of one application that are evaluated on request. Safe for use by many threads.
 * The caller of close ensures that no request uses them any more.
 */
public final class ApplicationModels implements AutoCloseable {
    /** The name of the functions of an ONNX model, before that of the output. */
    private static final String SIGNATURE = "default";

    private final SortedMap<String, List<ModelFunction>> models = new TreeMap<>();
    private final List<ServedModel> opened = new ArrayList<>();
    private final List<RequestBatches> batches = new ArrayList<>();

    private ApplicationModels() {}

    /**
     * Loads models.
     *
     * @throws InvalidModelException if one cannot be loaded; then none is
     */
    public static ApplicationModels open(List<PackagedModel> packaged) {
        var all = new ApplicationModels();
        try {
            for (PackagedModel model : packaged) {
                all.models.put(model.name(), all.functions(model));
            }
            return all;
        } catch (RuntimeException | Error e) {
            all.close();
            throw e;
        }
    }

    private List<ModelFunction> functions(PackagedModel model) {
        return switch (model.format()) {
            case ONNX -> onnx(model);
            case XGBOOST, XGBOOST_BINARY, LIGHTGBM -> List.of(trees(model));
        };
    }

    private List<ModelFunction> onnx(PackagedModel packaged) {
        ServedModel model = ServedModel.open(packaged.name(), packaged.file(), packaged.settings());
        opened.add(model);
        SortedMap<String, ArgumentType> arguments = new TreeMap<>();
        var order = new ArrayList<String>();
        for (ModelPort input : model.inputs()) {
            ElementType element =
                    input.element()
                            .orElseThrow(() ->
                                    new InvalidModelException(
                                            "model '%s' cannot be evaluated: input '%s' takes values of type %s"
                                                    .formatted(
                                                            packaged.name(),
                                                            input.name(),
                                                            input.type())));
            String argument = identifier(input.name());
            order.add(argument);
            arguments.put(argument, ArgumentType.of(input, element));
        }
        RequestBatches.Model run = run(packaged, model, arguments);
        var functions = new ArrayList<ModelFunction>();
        for (int i = 0; i < model.outputs().size(); i++) {
            ModelPort output = model.outputs().get(i);
            int number = i;
            if (output.element().isPresent()) {
                functions.add(
                        new ModelFunction(
                                List.of(SIGNATURE, identifier(output.name())),
                                Collections.unmodifiableSortedMap(arguments),
                                true,
                                values ->
                                        run.evaluate(
                                                order.stream().map(values::get).toList(), number)));
            }
        }
        return List.copyOf(functions);
    }

    /**
     * Returns how requests run the model: in batches, if its inputs can have any number of rows.
     */
    private RequestBatches.Model run(
            PackagedModel packaged, ServedModel model, Map<String, ArgumentType> arguments) {
        boolean hasRows =
                !arguments.isEmpty()
                        && arguments.values().stream()
                                .allMatch(type ->
                                        !type.sizes().isEmpty() && type.sizes().getFirst() == 0);
        if (packaged.batching().size() <= 1 || !hasRows) {
            return model::evaluate;
        }
        var together = new RequestBatches(model::evaluate, packaged.batching());
        batches.add(together);
        return together::evaluate;
    }

    /** Returns the name of an input or output in URLs and parameters. */
    private static String identifier(String name) {
        return name.replaceAll("[^A-Za-z0-9_]", "_");
    }

    private static ModelFunction trees(PackagedModel packaged) {
        Forest forest = forest(packaged);
        SortedMap<String, ArgumentType> arguments = new TreeMap<>();
        forest.features().forEach(name -> arguments.put(name, ArgumentType.NUMBER));
        return new ModelFunction(
                List.of(packaged.name()),
                Collections.unmodifiableSortedMap(arguments),
                false,
                values -> score(forest, values));
    }

    private static Forest forest(PackagedModel packaged) {
        try (InputStream file = Files.newInputStream(packaged.file())) {
            return switch (packaged.format()) {
                case XGBOOST -> ForestReader.xgboost(file, ForestLimits.DEFAULT, StringValue::of);
                case XGBOOST_BINARY ->
                        ForestReader.xgboostModel(file, ForestLimits.DEFAULT, StringValue::of);
                case LIGHTGBM -> ForestReader.lightgbm(file, ForestLimits.DEFAULT, StringValue::of);
                case ONNX -> throw new IllegalArgumentException("no trees: " + packaged);
            };
        } catch (InvalidForestException | IOException e) {
            throw new InvalidModelException(
                    "model '%s' cannot be loaded: %s".formatted(packaged.name(), e.getMessage()));
        }
    }

    private static DenseTensor score(Forest forest, Map<String, DenseTensor> values) {
        double[][] columns =
                forest.features().stream()
                        .map(name -> new double[] {value(values, name)})
                        .toArray(double[][]::new);
        var sum = new double[1];
        forest.evaluation().evaluate(columns, 1, sum);
        double score =
                switch (forest.link()) {
                    case SUM -> sum[0];
                    case SIGMOID -> 1 / (1 + Math.exp(-sum[0]));
                    case EXP -> Math.exp(sum[0]);
                    case SOFTPLUS -> Math.log(1 + Math.exp(sum[0]));
                    case SQUARE -> sum[0] * Math.abs(sum[0]);
                };
        return DenseTensor.of(TensorType.SCALAR, new double[] {score});
    }

    private static double value(Map<String, DenseTensor> values, String name) {
        DenseTensor value = values.get(name);
        return value == null ? Double.NaN : value.cell(0);
    }

    /** Returns no models. */
    public static ApplicationModels none() {
        return new ApplicationModels();
    }

    /** Returns the models as components of the application evaluate them. */
    public ModelsEvaluator forComponents() {
        return new ComponentModels(this);
    }

    /** Returns the names of the models, sorted. */
    List<String> names() {
        return List.copyOf(models.keySet());
    }

    /** Returns the functions of a model; empty if there is no such model. */
    Optional<List<ModelFunction>> functions(String model) {
        return Optional.ofNullable(models.get(model));
    }

    /** Returns the name of a model in lower case, by its name. */
    Map<String, String> lowerCaseNames() {
        Map<String, String> names = new LinkedHashMap<>();
        models.keySet().forEach(name -> names.putIfAbsent(name.toLowerCase(Locale.ROOT), name));
        return names;
    }

    @Override
    public void close() {
        batches.forEach(RequestBatches::close);
        opened.forEach(ServedModel::close);
    }
}
