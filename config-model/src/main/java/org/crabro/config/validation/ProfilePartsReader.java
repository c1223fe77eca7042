package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.RankProfileDeclaration;
import org.crabro.config.parser.RawText;
import org.crabro.config.parser.SchemaDeclaration.PackagedFile;
import org.crabro.config.schema.Input;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Constant;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ProfileFunctions;
import org.crabro.ranking.expression.ScalarFunction;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.expression.WrittenTensor;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;

/** Reads the parts that one rank profile declares itself, and checks their names. */
final class ProfilePartsReader {
    /** Settings that are {@code true} or {@code false}. */
    private static final List<String> FLAGS =
            List.of(RankProfileDeclaration.STRICT, RankProfileDeclaration.USE_MODEL);

    /** Names with the syntax of rank features that are replaced before features are evaluated. */
    private static final Set<String> RESERVED =
            Set.of(
                    "constant",
                    "lightgbm",
                    "normalize_linear",
                    "onnx",
                    "onnxModel",
                    "onnx_vespa",
                    "reciprocal_rank",
                    "reciprocal_rank_fusion",
                    "xgboost");

    private final ProfileFiles files;
    private final ProfileExpressions expressions;
    private final RankPropertyCheck properties;
    private final FieldUseCheck fieldUses;
    private final SchemaFindings findings;

    ProfilePartsReader(
            ProfileFields fields,
            ProfileFiles files,
            ProfileExpressions expressions,
            SchemaFindings findings) {
        this.files = files;
        this.expressions = expressions;
        this.properties = new RankPropertyCheck(fields, findings.at(SchemaStep.PROFILES));
        this.fieldUses = new FieldUseCheck(fields, findings);
        this.findings = findings;
    }

    /** Returns the parts of {@code declaration}, without inherited ones and lists of features. */
    ProfileParts read(RankProfileDeclaration declaration) {
        var into = new ProfileParts();
        for (RankProfileDeclaration.Input input : declaration.names().inputs()) {
            boolean second = into.inputs.containsKey(input.name().text());
            refuseSecond("input", input.name(), second);
            into.inputs.put(input.name().text(), input(input));
        }
        for (RankProfileDeclaration.Constant constant : declaration.names().constants()) {
            refuseSecond(
                    "constant",
                    constant.name(),
                    into.constants.containsKey(constant.name().text()));
            into.constants.put(constant.name().text(), constant(constant));
        }
        files.of(declaration.name().text())
                .forEach(file -> files.add(file, into.constants, into.models));
        declaration
                .names()
                .home()
                .ifPresent(schema ->
                        files.of(SchemaInheritance.ownerElsewhere(schema))
                                .forEach(file -> into.elsewhere.put(key(file), file)));
        for (RankProfileDeclaration.Function function : declaration.names().functions()) {
            String name = function.name().text();
            refuseSecond("function", function.name(), into.functions.containsKey(name));
            if (into.constants.containsKey(name)) {
                problem(function.name(), "'" + name + "' is a constant and a function");
            }
            shadowed(name, function.parameters().size())
                    .ifPresent(what ->
                            findings.at(SchemaStep.PROFILES)
                                    .warn(
                                            "%s: function '%s' %s of that name"
                                                    .formatted(function.name().at(), name, what)));
            into.functions.put(name, function(function));
        }
        for (RankProfileDeclaration.Property property : declaration.features().properties()) {
            properties.check(property);
            into.properties.put(property.key().text(), property.value());
        }
        declaration.settings().uses().forEach(fieldUses::check);
        for (RankProfileDeclaration.Unbuilt unbuilt : declaration.settings().unbuilt()) {
            unbuilt.expressions().forEach(expressions::parse);
            problem(
                    SchemaStep.EXPRESSIONS,
                    unbuilt.keyword(),
                    unbuilt.keyword().text() + " is not built yet");
        }
        into.firstPhase = declaration.phases().first().flatMap(expressions::parse);
        declaration
                .phases()
                .later()
                .forEach((phase, text) ->
                        expressions
                                .parse(text)
                                .ifPresent(parsed -> into.phases.put(phase, parsed)));
        into.limits.putAll(declaration.phases().limits());
        into.fields.putAll(declaration.settings().fields());
        into.settings.putAll(declaration.settings().values());
        for (String setting : FLAGS) {
            Name said = declaration.settings().values().get(setting);
            if (said != null) {
                into.values.put(setting, said.text());
            }
        }
        declaration
                .settings()
                .fields()
                .forEach((field, ranking) -> {
                    ranking.weight()
                            .ifPresent(weight -> into.values.put("weight of " + field, weight));
                    ranking.type()
                            .ifPresent(type -> into.values.put("rank-type of " + field, type));
                });
        return into;
    }

    private static String key(PackagedFile file) {
        return file.kind() + " " + file.name().text();
    }

    /**
     * Returns the effect of a function whose name is already taken by the language or a feature;
     * empty for all other names.
     */
    private static Optional<String> shadowed(String name, int parameterCount) {
        if (ScalarFunction.named(name).filter(f -> f.arity() == parameterCount).isPresent()) {
            return Optional.of("has precedence over the function of the language");
        }
        if (ExpressionParser.isOfLanguage(name)) {
            return Optional.of(
                    "is called only if the function of the language does not accept the call");
        }
        return ProfileExpressions.isFeature(name) || RESERVED.contains(name)
                ? Optional.of("has precedence over the rank feature")
                : Optional.empty();
    }

    private Input input(RankProfileDeclaration.Input input) {
        boolean isText = input.type().filter(RankProfileDeclaration.ValueType::isText).isPresent();
        if (isText) {
            input.value()
                    .ifPresent(value ->
                            findings.at(SchemaStep.PROFILES)
                                    .problem(
                                            value.at()
                                                    .pointing(
                                                            "an input of type string has no default"
                                                                    + " value")));
            return Input.TEXT;
        }
        TensorType type =
                input.type()
                        .flatMap(RankProfileDeclaration.ValueType::tensor)
                        .orElse(TensorType.SCALAR);
        return Input.of(type, input.value().flatMap(value -> tensor(value, type)));
    }

    private Optional<Tensor> tensor(RawText value, TensorType type) {
        try {
            return Optional.of(WrittenTensor.parse(value.text(), type));
        } catch (TensorSyntaxException e) {
            findings.at(SchemaStep.PROFILES)
                    .problem(
                            value.at()
                                    .pointing(
                                            "expected a value of type %s: %s"
                                                    .formatted(type, e.getMessage())));
            return Optional.empty();
        }
    }

    /** A constant without a type is a number, or a tensor that contains its type. */
    private Expression constant(RankProfileDeclaration.Constant constant) {
        Optional<TensorType> type =
                constant.type().flatMap(RankProfileDeclaration.ValueType::tensor);
        RawText value = constant.value();
        boolean saysType = type.isEmpty() && value.text().matches("(?s)(tensor|\\{).*");
        Optional<Expression> written = saysType ? expressions.parse(value) : Optional.empty();
        if (written.isPresent()
                && (written.get() instanceof TensorExpression.Value
                        || written.get() instanceof Constant)) {
            return written.get();
        }
        if (saysType) {
            written.ifPresent(_ ->
                    findings.at(SchemaStep.PROFILES)
                            .problem(value.at().pointing("expected a tensor of numbers alone")));
            return new Constant(0);
        }
        return tensor(value, type.orElse(TensorType.SCALAR))
                .<Expression>map(tensor ->
                        tensor instanceof DenseTensor dense && dense.type().dimensions().isEmpty()
                                ? new Constant(dense.cell(0))
                                : new TensorExpression.Value(TensorData.of(tensor)))
                .orElseGet(() ->
                        new TensorExpression.Value(
                                TensorData.empty(type.orElse(TensorType.SCALAR))));
    }

    private ProfileFunctions.Function function(RankProfileDeclaration.Function function) {
        var parameters = new ArrayList<String>();
        for (Name parameter : function.parameters()) {
            refuseSecond("parameter", parameter, parameters.contains(parameter.text()));
            parameters.add(parameter.text());
        }
        // A body with a syntax error becomes a number, so that calls find the name.
        Expression body = expressions.parse(function.body()).orElse(new Constant(0));
        return new ProfileFunctions.Function(parameters, body);
    }

    private void refuseSecond(String kind, Name name, boolean isSecond) {
        if (isSecond) {
            problem(name, kind + " '" + name.text() + "' is declared twice");
        }
    }

    private void problem(Name at, String problem) {
        problem(SchemaStep.PROFILES, at, problem);
    }

    private void problem(SchemaStep step, Name at, String problem) {
        findings.at(step).problem(at.at().pointing(problem));
    }
}
