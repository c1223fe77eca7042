package org.crabro.config.validation;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.parser.SourceText;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.ranking.forest.Forest;
import org.crabro.ranking.forest.InvalidForestException;
import org.crabro.ranking.onnx.InvalidModelException;
import org.crabro.ranking.onnx.RankModelFile;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * The parts of a package outside a schema that the compilation of the schema uses.
 *
 * @param scripts the components that indexing scripts can name; empty if services.xml could not be
 *     read
 * @param modes how content clusters search the type
 * @param inputs the types that query profiles declare for inputs of ranking, by name
 * @param documents the names of all document types
 * @param parents the compiled schemas of the types that fields of the schema refer to
 */
public record Components(
        Optional<ScriptComponents> scripts,
        Set<Mode> modes,
        Map<String, TensorType> inputs,
        Set<String> documents,
        SchemaFiles files,
        Parents parents) {
    /**
     * Schemas that are already compiled.
     *
     * @param schemas by name; without those that could not be compiled
     * @param declarations by name
     */
    public record Parents(
            Map<String, Schema> schemas, Map<String, SchemaDeclaration> declarations) {
        /** No schema. */
        public static final Parents NONE = new Parents(Map.of(), Map.of());

        public Parents {
            schemas = Map.copyOf(schemas);
            declarations = Map.copyOf(declarations);
        }
    }

    /**
     * The files of a package that schemas refer to.
     *
     * @param paths of all files of the package
     * @param expressions the files with a rank expression, by name
     */
    public record SchemaFiles(
            Set<String> paths,
            Map<String, SourceText> expressions,
            Constants constants,
            Forests forests,
            Models models) {
        public SchemaFiles {
            paths = Set.copyOf(paths);
            expressions = Map.copyOf(expressions);
        }
    }

    /** Reads constants of ranking from files. */
    public interface Constants {
        /** Returns the tensor in a file; empty if the file holds no tensor of {@code type}. */
        Optional<Tensor> read(String path, TensorType type);
    }

    /** Reads decision trees from files. */
    public interface Forests {
        /**
         * Returns the trees in a file.
         *
         * @param path below {@code models/}
         * @throws InvalidForestException if the file has no valid trees; the message names the file
         */
        Forest read(ForestFormat format, String path);
    }

    /** Opens ONNX models in files. */
    public interface Models {
        /**
         * Returns the model in a file; empty if the file is not a model, which {@link
         * PackagedFileCheck} reports. The owner of this object closes the model.
         *
         * @throws InvalidModelException if the model cannot be loaded; the message does not name
         *     the file
         */
        Optional<RankModelFile> open(String path);
    }

    public Components {
        modes = Set.copyOf(modes);
        inputs = Map.copyOf(inputs);
        documents = Set.copyOf(documents);
    }

    /** A package without field generators, and without constants, trees and models in files. */
    public Components(
            Optional<Set<String>> embedders,
            Set<Mode> modes,
            Map<String, TensorType> inputs,
            Map<String, SourceText> expressions,
            Set<String> documents,
            Set<String> paths) {
        this(
                embedders.map(each -> new ScriptComponents(each, Set.of())),
                modes,
                inputs,
                documents,
                new SchemaFiles(
                        paths,
                        expressions,
                        (_, _) -> Optional.empty(),
                        (_, path) -> {
                            throw new InvalidForestException("there is no file models/" + path);
                        },
                        _ -> Optional.empty()),
                Parents.NONE);
    }
}
