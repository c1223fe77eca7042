package org.crabro.config.validation;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.parser.SourceText;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * What a package says elsewhere that matters for a schema.
 *
 * @param embedders the ids of all embedders; nothing where services.xml could not be read
 * @param modes how content clusters search the type
 * @param inputs the types that query profiles declare for inputs of ranking, by name
 * @param expressions the files with a rank expression, by name
 * @param documents the names of all document types
 * @param files the paths of all files of the package
 * @param constants the tensors in them
 */
public record Components(
        Optional<Set<String>> embedders,
        Set<Mode> modes,
        Map<String, TensorType> inputs,
        Map<String, SourceText> expressions,
        Set<String> documents,
        Set<String> files,
        Constants constants) {
    /** Constants of ranking that stand in files. */
    public interface Constants {
        /** Returns the tensor in a file; nothing where it is none of that type. */
        Optional<Tensor> read(String path, TensorType type);
    }

    /** What a package without constants in files says. */
    public Components(
            Optional<Set<String>> embedders,
            Set<Mode> modes,
            Map<String, TensorType> inputs,
            Map<String, SourceText> expressions,
            Set<String> documents,
            Set<String> files) {
        this(embedders, modes, inputs, expressions, documents, files, (_, _) -> Optional.empty());
    }

    public Components {
        embedders = embedders.map(Set::copyOf);
        modes = Set.copyOf(modes);
        inputs = Map.copyOf(inputs);
        expressions = Map.copyOf(expressions);
        documents = Set.copyOf(documents);
        files = Set.copyOf(files);
    }
}
