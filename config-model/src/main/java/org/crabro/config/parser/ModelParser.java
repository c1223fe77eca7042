package org.crabro.config.parser;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.parser.SchemaDeclaration.DeclaredModel;
import org.crabro.config.parser.SchemaDeclaration.Import;
import org.crabro.config.parser.SchemaDeclaration.Mapping;
import org.crabro.config.parser.SchemaDeclaration.PackagedFile;
import org.crabro.config.parser.SchemaScanner.Token;
import org.crabro.ranking.onnx.ExecutionMode;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * Parses declarations of files with models and constants, starting after the keyword.
 *
 * <pre>
 *   constant := id "{" { file | "type" ":" tensor type } "}"
 *   model    := id "{" { file | ( "input" | "output" ) ( id | string ) ":" raw to the
 *               end of the line | "gpu-device" ":" int | "intraop-threads" ":" int
 *               | "interop-threads" ":" int | "execution-mode" ":" ( "adaptive" | "parallel" |
 *               "sequential" )
 *               | "optimize-model" ":" bool } "}"
 *   file     := "file" ":" path | "uri" ":" URI up to a blank
 *   path     := a letter, then letters, digits and _-/.
 * </pre>
 */
final class ModelParser {
    private static final Set<String> MODES =
            Arrays.stream(ExecutionMode.values())
                    .map(ExecutionMode::toString)
                    .collect(Collectors.toUnmodifiableSet());

    private final SchemaCursor cursor;

    ModelParser(SchemaCursor cursor) {
        this.cursor = cursor;
    }

    /** The items of a block that are parsed so far. */
    private static final class Items {
        private @Nullable Name file;
        private @Nullable TensorType type;
        private final List<Mapping> inputs = new ArrayList<>();
        private final List<Mapping> outputs = new ArrayList<>();
        private final Set<String> given = new HashSet<>();
        private OptionalInt intraOpThreads = OptionalInt.empty();
        private OptionalInt interOpThreads = OptionalInt.empty();
        private Optional<ExecutionMode> mode = Optional.empty();
        private boolean isOptimized = ModelSettings.DEFAULT.isOptimized();
        private @Nullable Name gpuDevice;
    }

    PackagedFile constant() {
        Name name = cursor.id("the constant's name");
        var items = new Items();
        cursor.block(() -> {
            Token token = cursor.peek();
            switch (cursor.oneOf(Set.of("file", "uri", "type")).text()) {
                case "file" -> file(token, items);
                case "uri" -> uri(token, items);
                default -> {
                    once(token, items);
                    cursor.expect(":");
                    if (!cursor.peek().is("tensor")) {
                        throw cursor.unknown(cursor.peek(), Set.of("tensor"), "a tensor type");
                    }
                    items.type = cursor.typeOfValues();
                }
            }
        });
        if (items.file == null || items.type == null) {
            throw new SchemaSyntaxException(
                    name.at(),
                    "constant '%s' needs a file, or its uri, and a type".formatted(name.text()));
        }
        return new PackagedFile(
                "constant", "", name, items.file, Optional.of(items.type), DeclaredModel.NONE);
    }

    /** Parses a constant of a rank profile, starting after the colon. */
    PackagedFile constant(String owner, Name name, TensorType type) {
        var items = new Items();
        file(cursor.next(), items);
        return new PackagedFile(
                "constant",
                owner,
                name,
                Objects.requireNonNull(items.file),
                Optional.of(type),
                DeclaredModel.NONE);
    }

    /**
     * @param owner the name of the rank profile that declares the model; empty for a schema
     */
    PackagedFile model(String owner) {
        Name name = cursor.id("the model's name");
        var items = new Items();
        cursor.block(() -> modelItem(items));
        if (items.file == null) {
            throw new SchemaSyntaxException(
                    name.at(), "onnx-model '%s' needs a file, or its uri".formatted(name.text()));
        }
        return new PackagedFile(
                "onnx-model",
                owner,
                name,
                items.file,
                Optional.empty(),
                new DeclaredModel(
                        items.inputs,
                        items.outputs,
                        ModelSettings.of(
                                items.mode,
                                items.intraOpThreads,
                                items.interOpThreads,
                                items.isOptimized),
                        Optional.ofNullable(items.gpuDevice)));
    }

    private void modelItem(Items items) {
        Token token = cursor.peek();
        Set<String> permitted =
                Set.of(
                        "file",
                        "uri",
                        "input",
                        "output",
                        "gpu-device",
                        "intraop-threads",
                        "interop-threads",
                        "execution-mode",
                        "optimize-model");
        switch (cursor.oneOf(permitted).text()) {
            case "file" -> file(token, items);
            case "uri" -> uri(token, items);
            case "input", "output" -> mapping(token, items);
            case "execution-mode" ->
                    items.mode = ExecutionMode.named(cursor.oneOfBehindColon(MODES).text());
            case "optimize-model" -> items.isOptimized = cursor.booleanBehindColon();
            case "intraop-threads" -> items.intraOpThreads = threads(token);
            case "interop-threads" -> items.interOpThreads = threads(token);
            default -> {
                int device = cursor.integerBehindColon();
                items.gpuDevice = device < 0 ? null : cursor.name(token);
            }
        }
    }

    private OptionalInt threads(Token keyword) {
        int threads = cursor.integerBehindColon();
        if (Math.abs((long) threads) > ModelSettings.THREADS_MAX) {
            throw new SchemaSyntaxException(
                    cursor.at(keyword),
                    "%s is at most %d, or minus as much for a share of the processors"
                            .formatted(keyword.text(), ModelSettings.THREADS_MAX));
        }
        return OptionalInt.of(threads);
    }

    private void mapping(Token keyword, Items items) {
        Token name = cursor.next();
        if (name.kind() != SchemaScanner.Kind.WORD && name.kind() != SchemaScanner.Kind.STRING) {
            throw cursor.expected(name, "the name of the model's " + keyword.text());
        }
        if (!items.given.add(keyword.text() + " " + name.text())) {
            throw new SchemaSyntaxException(
                    cursor.at(name),
                    "%s '%s' is given twice".formatted(keyword.text(), name.text()));
        }
        List<RawText> target = cursor.peek().is(":") ? cursor.rawWords() : List.of();
        if (target.size() != 1) {
            throw cursor.expected(cursor.peek(), "':' and what the " + keyword.text() + " is");
        }
        (keyword.is("input") ? items.inputs : items.outputs)
                .add(new Mapping(cursor.name(name), target.getFirst()));
    }

    private void file(Token keyword, Items items) {
        if (items.given.contains("uri")) {
            throw new SchemaSyntaxException(
                    cursor.at(keyword), "the file is given twice: file and uri exclude each other");
        }
        once(keyword, items);
        cursor.expect(":");
        items.file = cursor.path();
    }

    private void once(Token keyword, Items items) {
        if (!items.given.add(keyword.text())) {
            throw new SchemaSyntaxException(cursor.at(keyword), keyword.text() + " is given twice");
        }
    }

    private void uri(Token keyword, Items items) {
        if (items.file != null) {
            throw new SchemaSyntaxException(
                    cursor.at(keyword), "the file is given twice: file and uri exclude each other");
        }
        once(keyword, items);
        cursor.expect(":");
        items.file = cursor.uri();
    }

    /** Parses an imported field, starting after the word {@code import}. */
    Import importedField() {
        cursor.expect("field");
        Name path = cursor.id("a reference and a field of the document that it names");
        if (path.text().chars().filter(c -> c == '.').count() != 1) {
            throw new SchemaSyntaxException(
                    path.at(),
                    "expected a reference, a dot and a field, as in ref.name, but found '%s'"
                            .formatted(path.text()));
        }
        cursor.expect("as");
        Name name = cursor.id("the name of the field here");
        cursor.block(() -> {
            throw cursor.expected(cursor.peek(), "'}'");
        });
        int dot = path.text().indexOf('.');
        return new Import(
                name,
                new Name(path.at(), path.text().substring(0, dot)),
                new Name(path.at().plus(dot + 1), path.text().substring(dot + 1)));
    }
}
