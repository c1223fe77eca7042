package org.crabro.config.validation;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.parser.SourceText;
import org.crabro.config.services.ContentCluster.Mode;
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
 */
public record Components(
        Optional<Set<String>> embedders,
        Set<Mode> modes,
        Map<String, TensorType> inputs,
        Map<String, SourceText> expressions,
        Set<String> documents,
        Set<String> files) {
    public Components {
        embedders = embedders.map(Set::copyOf);
        modes = Set.copyOf(modes);
        inputs = Map.copyOf(inputs);
        expressions = Map.copyOf(expressions);
        documents = Set.copyOf(documents);
        files = Set.copyOf(files);
    }
}
