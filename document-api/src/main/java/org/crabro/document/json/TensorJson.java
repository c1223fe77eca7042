package org.crabro.document.json;

import org.crabro.document.json.FieldValueReader.UnfitValueException;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Reads tensors that are a JSON text of their own, such as the inputs of queries. */
public final class TensorJson {
    private static final JsonFactory JSON = new JsonFactory();

    private TensorJson() {}

    /**
     * Returns the tensor in {@code json}: an array of numbers, or an object with {@code values} or
     * {@code cells}, as documents have it.
     *
     * @throws TensorSyntaxException if it is none of {@code type}; the message says what was
     *     expected
     */
    public static DenseTensor parse(String json, TensorType type) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() == null) {
                throw new TensorSyntaxException("nothing where a tensor of " + type + " belongs");
            }
            DenseTensor tensor = new TensorReader(type, parser).read();
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
