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
 * The other parts of an application package that schema validation depends on.
 *
 * @param embedders the ids of all embedders; empty if services.xml could not be read
 * @param modes how content clusters search the type
 * @param inputs the types that query profiles declare for inputs of ranking, by name
 * @param expressions the files with a rank expression, by name
 * @param documents the names of all document types
 * @param files the paths of all files of the package
 * @param constants reads the tensors in these files
 * @param forests reads the decision trees in these files
 * @param models opens the ONNX models in these files
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
    /** Ranking constants stored in files. */
    public interface Constants {
        /** Returns the tensor in a file, or empty if the file has no tensor of this type. */
        Optional<Tensor> read(String path, TensorType type);
    }

    /** Decision trees stored in files. */
    public interface Forests {
        /**
         * Returns the trees in a file.
         *
         * @param path below {@code models/}
         * @throws InvalidForestException if the file has no valid trees; the message names the file
         */
        Forest read(ForestFormat format, String path);
    }

    /** ONNX models stored in files. */
    public interface Models {
        /**
         * Returns the model in a file, or empty if the file is not a valid model. {@link
         * PackagedFileCheck} reports invalid files. The creator of this object closes the models.
         *
         * @throws InvalidModelException if the model cannot be loaded; the message does not name
         *     the file
         */
        Optional<RankModelFile> open(String path);
    }

    /** The components of a package without constants, decision trees and models in files. */
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
