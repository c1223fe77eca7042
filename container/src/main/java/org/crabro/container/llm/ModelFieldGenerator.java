package org.crabro.container.llm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.component.Config;
import org.crabro.component.FieldGenerator;
import org.crabro.component.LanguageModelException;
import org.crabro.component.ModelRequest;
import org.crabro.component.QueryError;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.ArrayOf;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.protocol.wire.CancellationToken;
import org.crabro.ranking.onnx.RunDeadline;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Generates values of fields with a language model. The model gets the text in a prompt. It answers
 * with a text, or with JSON that follows a schema for the type of the value.
 */
final class ModelFieldGenerator implements FieldGenerator {
    static final String CONFIG = "ai.vespa.llm.generation.language-model-field-generator";

    private static final Logger LOG = LoggerFactory.getLogger(ModelFieldGenerator.class);
    private static final JsonMapper JSON = new JsonMapper();
    private static final String INPUT = "{input}";
    private static final String SCHEMA = "{jsonSchema}";

    private final String id;
    private final NamedModel model;
    private final ModelCalls calls;
    private final String template;
    private final Format format;
    private final InvalidAnswers invalid;

    /** The form of the answers of the model. */
    enum Format {
        TEXT,
        JSON
    }

    /** What happens with an answer that is no value of the type. */
    enum InvalidAnswers {
        /** The field gets no value. */
        DISCARD,
        /** The field gets no value, and the log a warning. */
        WARN,
        /** The operation fails. */
        FAIL
    }

    /**
     * @throws IllegalArgumentException if the configuration is wrong
     */
    ModelFieldGenerator(ModelContext context, ModelCalls calls) {
        Config config = context.config(CONFIG);
        this.id = context.id();
        this.model = AnswerSettings.model(config.text("providerId", ""), context);
        this.calls = calls;
        this.template =
                Optional.of(config.text("promptTemplate", ""))
                        .filter(text -> !text.isBlank())
                        .or(() ->
                                AnswerSettings.template(
                                        config.text("promptTemplateFile", ""), context))
                        .orElse(INPUT);
        this.format = choice(config, "responseFormatType", Format.JSON);
        this.invalid = choice(config, "invalidResponseFormatPolicy", InvalidAnswers.DISCARD);
    }

    private static <E extends Enum<E>> E choice(Config config, String name, E otherwise) {
        String text = config.text(name, otherwise.name());
        for (E each : otherwise.getDeclaringClass().getEnumConstants()) {
            if (each.name().equals(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "%s: expected one of %s, but found '%s'"
                        .formatted(
                                name,
                                List.of(otherwise.getDeclaringClass().getEnumConstants()),
                                text));
    }

    @Override
    public Optional<FieldValue> generate(String text, String field, FieldType type)
            throws InterruptedException {
        String schema = format == Format.JSON ? schema(field, type) : "";
        String prompt = template.replace(SCHEMA, schema).replace(INPUT, text);
        String answer = answer(prompt, schema);
        Optional<FieldValue> value =
                format == Format.TEXT ? ofText(answer, type) : ofJson(answer, field, type);
        if (value.isEmpty()) {
            String problem =
                    "field generator '%s': the answer is no value of type %s"
                            .formatted(id, type.text());
            switch (invalid) {
                case DISCARD -> {}
                case WARN -> LOG.warn("{}", problem);
                case FAIL -> throw new LanguageModelException(QueryError.Kind.FAILED, problem);
            }
        }
        return value;
    }

    private String answer(String prompt, String schema) throws InterruptedException {
        // The deadline of the write that needs the value.
        Duration timeout = RunDeadline.remaining(calls.settings().timeout());
        if (!timeout.isPositive()) {
            throw new LanguageModelException(
                    QueryError.Kind.TIMED_OUT, "no time is left for the language model");
        }
        var request =
                new ModelRequest(
                        prompt,
                        schema.isEmpty() ? Map.of() : Map.of("json_schema", schema),
                        Optional.empty(),
                        timeout,
                        false);
        var answer = new StringBuilder();
        try (ModelCall call = calls.start(model, request)) {
            while (true) {
                switch (call.next(CancellationToken.NONE).orElseThrow()) {
                    case ModelEvent.Part(var part) -> answer.append(part);
                    case ModelEvent.Complete(_) -> {
                        return answer.toString();
                    }
                    case ModelEvent.Failed(var error) ->
                            throw new LanguageModelException(error.kind(), error.message());
                }
            }
        }
    }

    /** Returns the schema of an object with one member, because services accept objects only. */
    private static String schema(String field, FieldType type) {
        var schema = JSON.createObjectNode();
        schema.put("type", "object");
        var member = schema.putObject("properties").putObject(field);
        if (type instanceof ArrayOf(var element)) {
            member.put("type", "array");
            member.putObject("items").put("type", name(element));
        } else {
            member.put("type", name(type));
        }
        schema.putArray("required").add(field);
        schema.put("additionalProperties", false);
        return schema.toString();
    }

    private static String name(FieldType type) {
        if (!(type instanceof Primitive primitive)) {
            throw new IllegalArgumentException("a value of type " + type.text());
        }
        return switch (primitive) {
            case BOOL -> "boolean";
            case INT, LONG, BYTE -> "integer";
            case FLOAT, DOUBLE, FLOAT16 -> "number";
            case STRING, URI, RAW, PREDICATE -> "string";
        };
    }

    private static Optional<FieldValue> ofText(String answer, FieldType type) {
        return type == Primitive.STRING && !answer.isBlank()
                ? Optional.of(new FieldValue.StringValue(answer.strip()))
                : Optional.empty();
    }

    private static Optional<FieldValue> ofJson(String answer, String field, FieldType type) {
        JsonNode value;
        try {
            value = JSON.readTree(answer).path(field);
        } catch (JacksonException _) {
            return Optional.empty();
        }
        if (!(type instanceof ArrayOf(Primitive element))) {
            return type instanceof Primitive primitive
                    ? primitive(value, primitive)
                    : Optional.empty();
        }
        if (!value.isArray()) {
            return Optional.empty();
        }
        var elements = new ArrayList<FieldValue>();
        for (JsonNode each : value) {
            Optional<FieldValue> read = primitive(each, element);
            if (read.isEmpty()) {
                return Optional.empty();
            }
            elements.add(read.get());
        }
        return Optional.of(new FieldValue.ArrayValue(elements));
    }

    private static Optional<FieldValue> primitive(JsonNode value, Primitive type) {
        boolean isWhole = value.isIntegralNumber() && value.canConvertToLong();
        return switch (type) {
            case STRING ->
                    value.isString()
                            ? Optional.of(new FieldValue.StringValue(value.asString()))
                            : Optional.empty();
            case BOOL ->
                    value.isBoolean()
                            ? Optional.of(new FieldValue.BoolValue(value.asBoolean()))
                            : Optional.empty();
            case INT ->
                    isWhole && value.canConvertToInt()
                            ? Optional.of(new FieldValue.IntValue(value.asInt()))
                            : Optional.empty();
            case BYTE ->
                    isWhole && value.asLong() == (byte) value.asLong()
                            ? Optional.of(new FieldValue.IntValue(value.asInt()))
                            : Optional.empty();
            case LONG ->
                    isWhole
                            ? Optional.of(new FieldValue.LongValue(value.asLong()))
                            : Optional.empty();
            case FLOAT, FLOAT16 ->
                    value.isNumber()
                            ? Optional.of(new FieldValue.FloatValue((float) value.asDouble()))
                            : Optional.empty();
            case DOUBLE ->
                    value.isNumber()
                            ? Optional.of(new FieldValue.DoubleValue(value.asDouble()))
                            : Optional.empty();
            case URI, RAW, PREDICATE -> Optional.empty();
        };
    }
}
