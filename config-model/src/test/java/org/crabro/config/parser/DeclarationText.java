package org.crabro.config.parser;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.crabro.config.parser.ScriptDeclaration.Statement;
import org.crabro.config.parser.ScriptDeclaration.Step;
import org.crabro.document.FieldValue;

/** Writes declarations as s-expressions, without their places. */
final class DeclarationText {
    private DeclarationText() {}

    static String of(SchemaDeclaration schema) {
        var lines = new StringBuilder("schema " + schema.header().name().text());
        for (var document : schema.types().documents()) {
            lines.append("\ndocument ").append(document.name().text());
            document.fields().forEach(field -> lines.append("\n  ").append(of(field)));
        }
        schema.fields().outside().forEach(field -> lines.append("\n").append(of(field)));
        schema.fields()
                .fieldsets()
                .forEach(set ->
                        lines.append(
                                "\n(fieldset %s%s)"
                                        .formatted(set.name().text(), names(set.fields()))));
        schema.rankProfiles().forEach(profile -> lines.append("\n").append(of(profile)));
        for (var summary : schema.summaries()) {
            lines.append("\n(summary ").append(summary.name().text());
            lines.append(inherits(summary.parents()));
            summary.fields()
                    .forEach(field ->
                            lines.append(" (")
                                    .append(field.name().text())
                                    .append(names(field.sources()))
                                    .append(")"));
            lines.append(")");
        }
        return lines.toString();
    }

    static String of(FieldDeclaration field) {
        return "(field "
                + field.name().text()
                + " "
                + of(field.type())
                + field.script().map(script -> " " + of(script)).orElse("")
                + (field.settings().search().match().isEmpty()
                        ? ""
                        : " (match"
                                + names(
                                        field.settings().search().match().stream()
                                                .map(MatchDeclaration::name)
                                                .toList())
                                + ")")
                + field.settings().search().gramSize().map(_ -> " gram-size").orElse("")
                + field.settings()
                        .attribute()
                        .metric()
                        .map(metric -> " metric=" + metric.text())
                        .orElse("")
                + flag("attribute", field.settings().attribute().items().stream().findFirst())
                + flag("index", field.settings().search().index().first())
                + flag("rank", field.settings().ranking().at())
                + flag("hnsw", field.settings().search().hnsw().map(graph -> graph.at()))
                + flag("mutable", field.settings().attribute().mutable())
                + flag("fast-rank", field.settings().attribute().fastRank())
                + flag(
                        "cased-dictionary",
                        field.settings().attribute().dictionary().stream()
                                .filter(word -> word.text().equals("cased"))
                                .findFirst())
                + flag("summary", field.settings().summary().inDefault())
                + (field.settings().search().aliases().isEmpty()
                        ? ""
                        : " (alias"
                                + names(
                                        field.settings().search().aliases().stream()
                                                .map(DeclaredAlias::name)
                                                .toList())
                                + ")")
                + flag("weightedset", field.settings().weights().at())
                + ")";
    }

    private static String flag(String name, Optional<Name> value) {
        return value.isPresent() ? " " + name : "";
    }

    static String of(TypeDeclaration type) {
        if (type.tensor().isPresent()) {
            return type.tensor().get().toString();
        }
        return type.arguments().isEmpty()
                ? type.name()
                : type.name()
                        + type.arguments().stream()
                                .map(DeclarationText::of)
                                .collect(Collectors.joining(",", "<", ">"));
    }

    static String of(ScriptDeclaration script) {
        return script.statements().stream()
                .map(DeclarationText::of)
                .collect(Collectors.joining(" ; ", "[", "]"));
    }

    private static String of(Statement statement) {
        return statement.steps().stream()
                .map(DeclarationText::of)
                .collect(Collectors.joining(" | "));
    }

    private static String of(Step step) {
        return switch (step) {
            case Step.Input(_, var field) -> "input" + optional(field);
            case Step.Literal(_, var value) -> literal(value);
            case Step.Concatenation(_, var parts) -> list("concat", parts, DeclarationText::of);
            case Step.FirstOf(_, var parts) -> list("first-of", parts, DeclarationText::of);
            case Step.Arithmetic(_, var operator, var left, var right) ->
                    list(operator.symbol(), List.of(left, right), DeclarationText::of);
            case Step.Embed(_, var embedder, var arguments) ->
                    "embed" + optional(embedder) + names(arguments);
            case Step.Output(_, var aspect, var field) ->
                    aspect.name().toLowerCase(Locale.ROOT) + optional(field);
            case Step.Call(_, var keyword, var arguments) -> keyword + names(arguments);
            case Step.Block block -> of(block);
            case Step.If(_, var left, var comparison, var right, var then, var otherwise) ->
                    "(if "
                            + list(comparison.symbol(), List.of(left, right), DeclarationText::of)
                            + " "
                            + of(then)
                            + otherwise.map(block -> " else " + of(block)).orElse("")
                            + ")";
            case Step.Switch(_, var cases, var otherwise) ->
                    "(switch"
                            + of(cases)
                            + otherwise.map(each -> " (default " + of(each) + ")").orElse("")
                            + ")";
            case Step.SelectInput(_, var cases) -> "(select" + of(cases) + ")";
            case Step.ForEach(_, var body) -> "(for-each " + of(body) + ")";
        };
    }

    private static String of(Step.Block block) {
        return (block.guarded() ? "guard " : "")
                + block.statements().stream()
                        .map(DeclarationText::of)
                        .collect(Collectors.joining(" ; ", "{", "}"));
    }

    private static String of(List<ScriptDeclaration.Case> cases) {
        return cases.stream()
                .map(each -> " (" + each.choice().text() + " " + of(each.statement()) + ")")
                .collect(Collectors.joining());
    }

    private static String literal(FieldValue value) {
        return switch (value) {
            case FieldValue.StringValue(var text) -> '"' + text.replace("\n", "\\n") + '"';
            case FieldValue.BoolValue(boolean truth) -> Boolean.toString(truth);
            case FieldValue.IntValue(int number) -> Integer.toString(number);
            case FieldValue.LongValue(long number) -> number + "L";
            case FieldValue.FloatValue(float number) -> number + "f";
            case FieldValue.DoubleValue(double number) -> Double.toString(number);
            case FieldValue.Composite _, FieldValue.TensorValue _, FieldValue.MixedTensorValue _ ->
                    throw new IllegalArgumentException("no literal is " + value);
        };
    }

    private static String of(RankProfileDeclaration profile) {
        var text = new StringBuilder("(profile " + profile.name().text());
        text.append(inherits(profile.parents()));
        profile.names()
                .inputs()
                .forEach(input ->
                        text.append(" (input ")
                                .append(input.name().text())
                                .append(type(input.type()))
                                .append(input.value().map(v -> " = " + v.text()).orElse(""))
                                .append(")"));
        profile.names()
                .constants()
                .forEach(constant ->
                        text.append(" (constant ")
                                .append(constant.name().text())
                                .append(type(constant.type()))
                                .append(" = ")
                                .append(constant.value().text())
                                .append(")"));
        profile.names()
                .functions()
                .forEach(function ->
                        text.append(" (function ")
                                .append(function.name().text())
                                .append(names(function.parameters()))
                                .append(" = ")
                                .append(function.body().text())
                                .append(")"));
        profile.phases()
                .first()
                .ifPresent(first -> text.append(" (first ").append(first.text()).append(")"));
        profile.features()
                .match()
                .ifPresent(features ->
                        text.append(
                                list(
                                        "features" + inherits(features.parents()),
                                        features.features(),
                                        RawText::text)));
        profile.features()
                .properties()
                .forEach(property ->
                        text.append(" (")
                                .append(property.key().text())
                                .append(" = ")
                                .append(property.value())
                                .append(")"));
        Name strict = profile.settings().values().get(RankProfileDeclaration.STRICT);
        if (strict != null && strict.text().equals("true")) {
            text.append(" strict");
        }
        return text.append(")").toString();
    }

    private static String type(Optional<RankProfileDeclaration.ValueType> type) {
        return type.map(t -> " " + t.tensor().map(Object::toString).orElse(t.name().text()))
                .orElse("");
    }

    private static String inherits(List<Name> parents) {
        return parents.isEmpty() ? "" : " <" + names(parents);
    }

    private static String optional(Optional<Name> name) {
        return name.map(n -> " " + n.text()).orElse("");
    }

    private static String names(List<Name> names) {
        return names.stream().map(name -> " " + name.text()).collect(Collectors.joining());
    }

    private static <T> String list(String head, List<T> parts, Function<T, String> text) {
        return parts.stream().map(text).collect(Collectors.joining(" ", "(" + head + " ", ")"));
    }
}
