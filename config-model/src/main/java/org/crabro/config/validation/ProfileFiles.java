package org.crabro.config.validation;

import java.util.List;
import java.util.Map;
import org.crabro.config.parser.SchemaDeclaration.PackagedFile;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.TensorExpression;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;

/**
 * The constants and models in files of a schema and its rank profiles.
 *
 * @param declared in the order of the schema
 * @param constants reads the files
 */
record ProfileFiles(List<PackagedFile> declared, Components.Constants constants) {
    /** Returns the files of {@code owner}, a profile or a schema. */
    List<PackagedFile> of(String owner) {
        return declared.stream().filter(file -> file.owner().equals(owner)).toList();
    }

    /** Adds a constant or a model, unless there is one of that name. */
    void add(
            PackagedFile file,
            Map<String, Expression> intoConstants,
            Map<String, PackagedFile> intoModels) {
        String name = file.name().text();
        if (file.type().isEmpty()) {
            intoModels.putIfAbsent(name, file);
        } else if (!intoConstants.containsKey(name)) {
            TensorType type = file.type().get();
            TensorData value =
                    constants
                            .read(file.file().text(), type)
                            .map(TensorData::of)
                            .orElseGet(() -> TensorData.empty(type));
            intoConstants.put(name, new TensorExpression.Value(value));
        }
    }
}
