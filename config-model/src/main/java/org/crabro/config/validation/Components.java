package org.crabro.config.validation;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.parser.SourceText;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.ranking.forest.Forest;
import org.crabro.ranking.forest.InvalidForestException;
import org.crabro.ranking.onnx.InvalidModelException;
import org.crabro.ranking.onnx.RankModelFile;
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
 * @param forests the trees in them
 * @param models the ONNX models in them
 */
public record Components(
        Optional<Set<String>> embedders,
        Set<Mode> modes,
        Map<String, TensorType> inputs,
        Map<String, SourceText> expressions,
        Set<String> documents,
        Set<String> files,
        Constants constants,
        Forests forests,
        Models models) {
    /** Constants of ranking that stand in files. */
    public interface Constants {
        /** Returns the tensor in a file; nothing where it is none of that type. */
        Optional<Tensor> read(String path, TensorType type);
    }

    /** Decision trees that stand in files. */
    public interface Forests {
        /**
         * Returns the trees in a file.
         *
         * @param path below {@code models/}
         * @throws InvalidForestException if there are none; the message names the file
         */
        Forest read(ForestFormat format, String path);
    }

    /** Models that stand in files. */
    public interface Models {
        /**
         * Returns the model in a file, which who made this closes; nothing where the file is none,
         * of which {@link PackagedFileCheck} tells.
         *
         * @throws InvalidModelException if the model cannot be loaded; the message names no file
         */
        Optional<RankModelFile> open(String path);
    }

    /** What a package without constants, trees and models in files says. */
    public Components(
            Optional<Set<String>> embedders,
            Set<Mode> modes,
            Map<String, TensorType> inputs,
            Map<String, SourceText> expressions,
            Set<String> documents,
            Set<String> files) {
        this(
                embedders,
                modes,
                inputs,
                expressions,
                documents,
                files,
                (_, _) -> Optional.empty(),
                (_, path) -> {
                    throw new InvalidForestException("there is no file models/" + path);
                },
                _ -> Optional.empty());
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
