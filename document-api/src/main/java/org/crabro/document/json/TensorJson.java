package org.crabro.document.json;

import java.io.Reader;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.crabro.document.json.FieldValueReader.UnfitValueException;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads tensors from JSON texts of their own, such as the inputs of queries. A number that a cell
 * cannot represent becomes the nearest one.
 */
public final class TensorJson {
    private static final JsonFactory JSON = new JsonFactory();

    private TensorJson() {}

    /**
     * Reads a tensor from a file of its own: an object with one of {@code values}, {@code cells}
     * and {@code blocks}.
     *
     * @param files opens the file; called for each pass
     * @throws TensorSyntaxException if the file is not such a tensor; the message contains the
     *     position
     */
    public static Tensor read(Supplier<Reader> files, TensorType type) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), files.get())) {
            checkMembers(parser, type);
        } catch (JacksonException e) {
            throw malformed(e);
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), files.get())) {
            parser.nextToken();
            try {
                return read(parser, type, LeftOutCells.UNCOUNTED);
            } catch (UnfitValueException e) {
                throw at(parser, String.valueOf(e.getMessage()));
            } catch (TensorSyntaxException e) {
                throw at(parser, String.valueOf(e.getMessage()));
            }
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    private static Tensor read(JsonParser parser, TensorType type, LeftOutCells leftOut) {
        return type.isDense()
                ? new TensorReader(type, parser, false, leftOut).read()
                : new MixedTensorReader(type, parser, false, leftOut).read();
    }

    private static TensorSyntaxException malformed(JacksonException e) {
        // The position is not known if a name, a number or the nesting exceeds a limit of the
        // parser.
        TokenStreamLocation place = e.getLocation();
        String where =
                place == null
                        ? ""
                        : "line %d, column %d: ".formatted(place.getLineNr(), place.getColumnNr());
        // After the problem, the parser's message names its source, which is of no use here.
        String problem = e.getOriginalMessage().replaceFirst("(?s) \\(start marker at.*", "");
        return new TensorSyntaxException(where + "no JSON that is well formed: " + problem);
    }

    private static void checkMembers(JsonParser parser, TensorType type) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw at(parser, "expected an object with values, cells or blocks");
        }
        var given = new TreeSet<String>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            if (!parser.hasToken(JsonToken.PROPERTY_NAME)) {
                throw at(parser, "expected a member of an object, or its end");
            }
            String member = parser.currentName();
            parser.nextToken();
            switch (member) {
                case TensorMembers.TYPE -> checkType(parser, type);
                case TensorMembers.VALUES, TensorMembers.CELLS, TensorMembers.BLOCKS -> {
                    given.add(member);
                    parser.skipChildren();
                }
                default ->
                        throw at(
                                parser,
                                "expected type, values, cells or blocks, but found '"
                                        + member
                                        + "'");
            }
        }
        if (given.size() != 1) {
            throw at(
                    parser,
                    "expected one of values, cells and blocks, but found "
                            + (given.isEmpty() ? "none" : String.join(" and ", given)));
        }
        if (parser.nextToken() != null) {
            throw at(parser, "something follows the tensor of " + type);
        }
    }

    private static void checkType(JsonParser parser, TensorType type) {
        if (!parser.currentToken().isScalarValue()) {
            throw at(parser, "expected the text of a tensor type");
        }
        TensorType actual;
        try {
            actual = TensorType.parse(parser.getString());
        } catch (TensorSyntaxException e) {
            throw at(parser, String.valueOf(e.getMessage()));
        }
        if (!type.accepts(actual)) {
            throw at(parser, "expected type %s but found %s".formatted(type, actual));
        }
    }

    private static TensorSyntaxException at(JsonParser parser, String problem) {
        TokenStreamLocation place = parser.currentTokenLocation();
        return new TensorSyntaxException(
                "line %d, column %d: %s"
                        .formatted(place.getLineNr(), place.getColumnNr(), problem));
    }

    /** Returns whether {@code text} is well-formed JSON. */
    public static boolean isWellFormed(String text) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            return parser.nextToken() == null;
        } catch (JacksonException _) {
            return false;
        }
    }

    /**
     * Returns the tensor in {@code json}: an array of numbers, or an object with {@code values} or
     * {@code cells}, as in documents. A {@code type} in it must be {@code type}.
     *
     * @param leftOut receives the number of omitted cells
     * @throws TensorSyntaxException if it is not a tensor of {@code type}; the message names the
     *     expected form
     */
    public static Tensor parse(String json, TensorType type, LeftOutCells leftOut) {
        try (JsonParser parser =
                MeteredParser.of(JSON.createParser(ObjectReadContext.empty(), json))) {
            if (parser.nextToken() == null) {
                throw new TensorSyntaxException("nothing where a tensor of " + type + " belongs");
            }
            Tensor tensor = read(parser, type, leftOut);
            if (parser.nextToken() != null) {
                throw new TensorSyntaxException("something follows the tensor of " + type);
            }
            return tensor;
        } catch (UnfitValueException e) {
            throw new TensorSyntaxException(String.valueOf(e.getMessage()));
        } catch (JacksonException e) {
            throw new TensorSyntaxException(
                    "no JSON that is well formed: " + e.getOriginalMessage());
        }
    }
}
