package org.crabro.container.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.config.schema.Input;
import org.crabro.config.schema.RankProfile;
import org.crabro.document.json.TensorJson;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.wire.Deadline;
import org.crabro.ranking.expression.WrittenTensor;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.EmbeddingRefusedException;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.crabro.ranking.program.StringValue;
import org.crabro.ranking.tensor.TensorLimitException;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;

/**
 * Reads the inputs of ranking from a request. Each has the type that the rank profile declares. A
 * text that two profiles embed to the same type is embedded once.
 *
 * <p>The first of these sources that is given determines the input {@code x}: the request's rank
 * property {@code query(x)}, its rank property {@code x}, its feature {@code query(x)} or {@code
 * $x}, its rank property {@code $x}, the default value in the profile, and the profile's rank
 * properties {@code query(x)} and {@code $x}.
 *
 * <pre>
 *   value := "embed(" [ embedder "," ] text ")" | number | tensor | [ "'" ] characters
 *   text  := '"' characters '"' | "'" characters "'" | "@" parameter | characters
 * </pre>
 */
final class InputReader {
    private static final List<String> PREFIXES =
            List.of("input.", "ranking.features.", "rankfeature.");
    private static final Form QUERY_FEATURE =
            new Form("query(", Pattern.compile("query\\((?:\"(.+)\"|([^\"]+))\\)"));
    private static final Form SHORT_FEATURE =
            new Form("$", Pattern.compile("\\$([A-Za-z0-9_@.:-]+)"));

    /** A rank property with the name of an input; other properties have dots or parentheses. */
    private static final Form NAME = new Form("", Pattern.compile("[A-Za-z0-9_]+"));

    /** The lists that features such as {@code tensorFromLabels} read from rank properties. */
    private static final Pattern LIST = Pattern.compile("[\\[({]");

    private static final Pattern TEXT = Pattern.compile("'|(?!tensor[<(])\\p{IsAlphabetic}");

    /** An object, or an array of objects. */
    private static final Pattern JSON = Pattern.compile("\\{|\\[\\s*\\{");

    private static final Pattern EMBED = Pattern.compile("embed\\s*\\((.*)\\)", Pattern.DOTALL);

    private final Parameters parameters;
    private final Map<String, Embedder> embedders;
    private final int maxEmbeddedChars;
    private final Deadline deadline;

    /** Texts by the name of the input. */
    private final Map<String, String> given = new LinkedHashMap<>();

    /** Rank properties that have the name of an input, or of a list for a feature. */
    private final Map<String, String> named = new LinkedHashMap<>();

    private final Map<Embedding, Tensor> embedded = new HashMap<>();
    private long leftOut;

    /**
     * @param parameters {@link OverridesReader} reads the values of other features
     * @param deadline of embeddings
     */
    InputReader(
            Parameters parameters,
            Map<String, Embedder> embedders,
            int maxEmbeddedChars,
            Deadline deadline) {
        this.parameters = parameters;
        this.embedders = embedders;
        this.maxEmbeddedChars = maxEmbeddedChars;
        this.deadline = deadline;
        var features = new LinkedHashMap<String, String>();
        parameters
                .values()
                .forEach((name, value) ->
                        feature(name).ifPresent(feature -> features.put(feature, value)));
        Map<String, String> properties = new OverridesReader(parameters).properties();
        given.putAll(texts(properties, SHORT_FEATURE));
        given.putAll(texts(features, SHORT_FEATURE));
        given.putAll(texts(features, QUERY_FEATURE));
        given.putAll(texts(properties, QUERY_FEATURE));
        named.putAll(texts(properties, NAME));
        named.keySet().removeAll(texts(properties, QUERY_FEATURE).keySet());
    }

    /**
     * A form in which the name of an input is written.
     *
     * @param start of all texts of the form: other texts are not matched with the pattern
     * @param whole the name is its first group that is not null, or all if it has none
     */
    private record Form(String start, Pattern whole) {
        /** Returns the name; empty if the text does not have this form. */
        Optional<String> nameIn(String text) {
            if (!text.startsWith(start)) {
                return Optional.empty();
            }
            Matcher matcher = whole.matcher(text);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            for (int i = 1; i <= matcher.groupCount(); i++) {
                if (matcher.group(i) != null) {
                    return Optional.of(matcher.group(i).strip());
                }
            }
            return Optional.of(text);
        }
    }

    /** Returns the values whose keys have the form {@code written}, by the name of the input. */
    private static Map<String, String> texts(Map<String, String> values, Form written) {
        if (values.isEmpty()) {
            return Map.of();
        }
        var texts = new LinkedHashMap<String, String>();
        values.forEach((key, text) -> written.nameIn(key).ifPresent(name -> texts.put(name, text)));
        return texts;
    }

    /** Returns the feature that the parameter {@code name} sets; empty if it sets none. */
    static Optional<String> feature(String name) {
        for (String prefix : PREFIXES) {
            if (name.startsWith(prefix)) {
                return Optional.of(name.substring(prefix.length()));
            }
        }
        return Optional.empty();
    }

    /**
     * The inputs of a rank profile.
     *
     * @param values by the name of the input
     * @param warnings about rank properties that have the name of an input and are no value of it
     */
    record Inputs(Map<String, QueryInput> values, List<String> warnings) {}

    private record Embedding(String embedder, String text, TensorType type) {}

    /** Returns the name of the input; empty if the feature is no input. */
    static Optional<String> input(String feature) {
        Optional<String> name = QUERY_FEATURE.nameIn(feature);
        return name.isPresent() ? name : SHORT_FEATURE.nameIn(feature);
    }

    /**
     * Returns the inputs of {@code profile}: the values of the request, and the defaults of the
     * others.
     *
     * @param elsewhere the other profiles of the query; inputs that only they declare are left out
     * @throws IllegalQueryException if a value does not have the declared type
     */
    Inputs read(RankProfile profile, List<RankProfile> elsewhere) {
        var inputs = new HashMap<String, QueryInput>();
        profile.inputs()
                .forEach((name, input) ->
                        input.defaultValue().ifPresent(value -> inputs.put(name, input(value))));
        var texts = new LinkedHashMap<>(texts(profile.settings().properties(), SHORT_FEATURE));
        texts.putAll(texts(profile.settings().properties(), QUERY_FEATURE));
        texts.keySet().removeAll(inputs.keySet());
        texts.putAll(given);
        texts.forEach((name, text) -> {
            if (profile.inputs().containsKey(name)
                    || elsewhere.stream().noneMatch(other -> other.inputs().containsKey(name))) {
                inputs.put(name, input(name, text, profile));
            }
        });
        var warnings = new ArrayList<String>();
        named.forEach((name, text) -> {
            try {
                inputs.put(name, input(name, text, profile));
            } catch (IllegalQueryException e) {
                // A list of an undeclared name is one that features read, such as tensorFromLabels.
                boolean isDeclared = profile.inputs().containsKey(name);
                if (isDeclared && !LIST.matcher(text.strip()).lookingAt()) {
                    throw e;
                }
                if (isDeclared) {
                    warnings.add(
                            "rank property %s does not set query(%s), and only features that read a list use it. %s"
                                    .formatted(name, name, e.getMessage()));
                }
            }
        });
        return new Inputs(inputs, warnings);
    }

    private QueryInput input(String name, String text, RankProfile profile) {
        Input declared = profile.inputs().get(name);
        if (declared == null) {
            return undeclared(name, text, profile);
        }
        return declared.isText() ? hashed(text) : value(name, text, declared.type());
    }

    private static QueryInput undeclared(String name, String text, RankProfile profile) {
        try {
            return input(DenseTensor.parse(text.strip(), TensorType.SCALAR));
        } catch (TensorSyntaxException _) {
            if (TEXT.matcher(text).lookingAt() && !EMBED.matcher(text).matches()) {
                return hashed(text);
            }
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "Could not set 'query(%s)': rank profile '%s' does not declare it, so it has to be a"
                                    .formatted(name, profile.name())
                            + " number, or a text that begins with a letter or a quote");
        }
    }

    /** After a leading quote, the rest is a text, even if it looks like a number. */
    private static QueryInput hashed(String text) {
        return new QueryInput.NumberInput(
                StringValue.of(text.startsWith("'") ? text.substring(1) : text));
    }

    private QueryInput value(String name, String text, TensorType type) {
        String stripped = text.strip();
        try {
            if (stripped.isEmpty()) {
                return input(Tensor.empty(type));
            }
            Matcher embed = EMBED.matcher(stripped);
            if (embed.matches()) {
                return input(embedding(embed.group(1).strip(), type));
            }
            return input(
                    JSON.matcher(stripped).lookingAt() && stripped.contains("\"")
                            ? json(stripped, type)
                            : WrittenTensor.parse(stripped, type));
        } catch (TensorSyntaxException | TensorLimitException | IllegalArgumentException e) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "Could not set 'query(%s)' of type %s: %s"
                            .formatted(name, type, e.getMessage()));
        } catch (ModelBusyException e) {
            throw new IllegalQueryException(
                    ErrorCode.TOO_MANY_QUERIES,
                    "Could not set 'query(%s)': %s".formatted(name, e.getMessage()));
        }
    }

    /** The labels of a tensor in its literal form may have quotes, too. */
    private Tensor json(String text, TensorType type) {
        try {
            return TensorJson.parse(text, type, this::countLeftOut);
        } catch (TensorSyntaxException e) {
            if (type.isDense() || text.startsWith("[")) {
                throw e;
            }
            return written(text, type, e);
        }
    }

    /** If the text is well-formed JSON, the error describes it as JSON. */
    private static Tensor written(String text, TensorType type, TensorSyntaxException asJson) {
        try {
            return WrittenTensor.parse(text, type);
        } catch (TensorSyntaxException e) {
            throw TensorJson.isWellFormed(text) ? asJson : e;
        }
    }

    /** Bounds the cells that all inputs of a query leave out. */
    private void countLeftOut(int cells) {
        leftOut += cells;
        if (leftOut > TensorLimitException.CELL_COUNT_MAX) {
            throw new IllegalArgumentException(
                    "the inputs of a query may leave out %d cells"
                            .formatted(TensorLimitException.CELL_COUNT_MAX));
        }
    }

    private static QueryInput input(Tensor value) {
        return value instanceof DenseTensor number && number.type().dimensions().isEmpty()
                ? new QueryInput.NumberInput(number.cell(0))
                : new QueryInput.TensorInput(value);
    }

    private Tensor embedding(String arguments, TensorType type) {
        int comma = arguments.indexOf(',');
        String first = comma < 0 ? "" : arguments.substring(0, comma).strip();
        boolean named = first.matches("[A-Za-z0-9_@.:-]+");
        if (named && (embedders.containsKey(first) || embedders.size() != 1)) {
            return embedding(first, text(arguments.substring(comma + 1).strip()), type);
        }
        if (embedders.size() != 1) {
            throw new TensorSyntaxException(
                    embedders.isEmpty()
                            ? "the application has no embedder"
                            : "expected embed(embedder, text), where the embedder is one of "
                                    + new TreeSet<>(embedders.keySet()));
        }
        return embedding(embedders.keySet().iterator().next(), text(arguments), type);
    }

    private String text(String argument) {
        if (argument.startsWith("@")) {
            String name = argument.substring(1);
            return parameters
                    .named(name)
                    .orElseThrow(() ->
                            new TensorSyntaxException(
                                    "there is no request parameter '" + name + "'"));
        }
        boolean quoted =
                argument.length() > 1
                        && (argument.startsWith("\"") || argument.startsWith("'"))
                        && argument.endsWith(argument.substring(0, 1));
        return quoted ? argument.substring(1, argument.length() - 1) : argument;
    }

    private Tensor embedding(String id, String text, TensorType type) {
        Optional<Embedder> embedder = Optional.ofNullable(embedders.get(id));
        if (embedder.isEmpty()) {
            throw new TensorSyntaxException(
                    "there is no embedder '%s'; there are %s"
                            .formatted(id, new TreeSet<>(embedders.keySet())));
        }
        if (text.length() > maxEmbeddedChars) {
            throw new TensorSyntaxException(
                    "the text to embed has %d characters, at most %d are allowed"
                            .formatted(text.length(), maxEmbeddedChars));
        }
        return text.isBlank()
                ? Tensor.empty(type)
                : embedded.computeIfAbsent(
                        new Embedding(id, text, type), each -> embedded(embedder.get(), each));
    }

    private Tensor embedded(Embedder embedder, Embedding wanted) {
        var target = new Embedder.Target(Embedder.Purpose.QUERY, wanted.type, deadline.remaining());
        try {
            return embedder.embedAll(List.of(wanted.text), target).getFirst();
        } catch (EmbeddingRefusedException e) {
            throw new IllegalQueryException(
                    switch (e.reason()) {
                        case OVERLOADED -> ErrorCode.TOO_MANY_QUERIES;
                        case TIMED_OUT -> ErrorCode.TIMED_OUT;
                        case UPSTREAM_FAILED -> ErrorCode.BACKEND_COMMUNICATION;
                    },
                    "embedder '%s': %s".formatted(wanted.embedder, e.getMessage()));
        }
    }
}
