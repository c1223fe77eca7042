package org.crabro.config.validation;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.ScriptDeclaration;
import org.crabro.config.parser.SourcePosition;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Compiles the {@code embed} steps of the indexing script of one field: chooses the embedder and
 * the dimension for the elements of an array.
 */
final class EmbedCompiler {
    private final String field;
    private final FieldType type;
    private final Optional<Set<String>> embedders;
    private final SchemaFindings findings;

    /**
     * @param type the type of the field
     * @param embedders the ids of all embedders, if available
     */
    EmbedCompiler(
            String field,
            FieldType type,
            Optional<Set<String>> embedders,
            SchemaFindings findings) {
        this.field = field;
        this.type = type;
        this.embedders = embedders;
        this.findings = findings;
    }

    /**
     * Returns the compiled step.
     *
     * @param value the input value of the step
     * @param target the type that the statement converts the value to in the end
     */
    Step compile(ScriptDeclaration.Step.Embed embed, ScriptCompiler.Value value, FieldType target) {
        boolean array = value.type().equals(new ArrayOf(Primitive.STRING));
        if (!array && !value.type().equals(Primitive.STRING)) {
            throw problem(
                    embed.at(),
                    "embed takes a string or an array<string>, but its input is of type %s"
                            .formatted(value.type().text()));
        }
        if (!(target instanceof TensorOf(var tensor)) || !isEmbedded(tensor, array)) {
            throw problem(
                    embed.at(),
                    (array
                                    ? "embed of an array<string> fills a tensor with a mapped and an"
                                            + " indexed dimension, with two mapped ones, or with two"
                                            + " and an indexed one, such as"
                                            + " tensor<float>(chunk{},x[384])"
                                    : "embed fills a tensor with one dimension, with a mapped and an"
                                            + " indexed one, or with two mapped ones, such as"
                                            + " tensor<float>(x[384])")
                            + ", but field '%s' is of type %s".formatted(field, type.text()));
        }
        Optional<String> outer = array ? Optional.of(outer(embed, tensor)) : Optional.empty();
        if (!array && !embed.arguments().isEmpty()) {
            throw problem(
                    embed.arguments().getFirst().at(),
                    "embed of a string takes no dimension: a string has no elements to label");
        }
        return new Step.Embed(embedder(embed), tensor, outer);
    }

    /** Returns whether embeddings of a text, or of an array of texts, fill such a tensor. */
    private static boolean isEmbedded(TensorType tensor, boolean array) {
        int mapped = tensor.mappedCount();
        int indexed = tensor.dimensions().size() - mapped;
        return array
                ? (mapped == 1 && indexed == 1) || (mapped == 2 && indexed <= 1)
                : (mapped == 2 && indexed == 0)
                        || (mapped <= 1 && indexed <= 1 && mapped + indexed > 0);
    }

    /** Returns the dimension for the elements of an array. */
    private String outer(ScriptDeclaration.Step.Embed embed, TensorType tensor) {
        List<String> mapped =
                tensor.dimensions().stream()
                        .filter(Dimension.Mapped.class::isInstance)
                        .map(Dimension::name)
                        .toList();
        if (embed.arguments().size() > 1) {
            throw problem(embed.arguments().get(1).at(), "embed takes the name of one dimension");
        }
        if (embed.arguments().isEmpty()) {
            if (mapped.size() > 1) {
                throw problem(
                        embed.at(),
                        "%s has two mapped dimensions: name after the embedder which of %s is for the"
                                        .formatted(tensor, String.join(" and ", mapped))
                                + " elements of the array");
            }
            return mapped.getFirst();
        }
        Name outer = embed.arguments().getFirst();
        if (!mapped.contains(outer.text())) {
            throw problem(
                    outer.at(),
                    "%s has no mapped dimension '%s', only %s"
                            .formatted(tensor, outer.text(), String.join(" and ", mapped)));
        }
        return outer.text();
    }

    private String embedder(ScriptDeclaration.Step.Embed embed) {
        if (embedders.isEmpty()) {
            return embed.embedder().map(Name::text).orElse("");
        }
        var ids = new TreeSet<>(embedders.get());
        if (ids.isEmpty()) {
            throw problem(
                    embed.at(),
                    "there is no embedder; add a component of type hugging-face-embedder to a"
                            + " container in services.xml");
        }
        if (embed.embedder().isEmpty()) {
            if (ids.size() > 1) {
                throw problem(
                        embed.at(),
                        "there are several embedders; write embed and one of "
                                + String.join(", ", ids));
            }
            return ids.getFirst();
        }
        Name id = embed.embedder().get();
        if (!ids.contains(id.text())) {
            throw problem(
                    id.at(),
                    "there is no embedder '%s', only %s%s"
                            .formatted(
                                    id.text(),
                                    String.join(", ", ids),
                                    NearestName.hint(id.text(), ids)));
        }
        return id.text();
    }

    private ScriptCompiler.Reported problem(SourcePosition at, String problem) {
        findings.at(SchemaStep.SCRIPTS).problem(at.pointing(problem));
        return new ScriptCompiler.Reported();
    }
}
