package org.crabro.config.services;

import java.io.InputStream;
import java.util.Set;
import org.crabro.config.services.ModelApi.Format;
import org.crabro.ranking.json.JsonFile;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/** Determines the format of a model in JSON by its first members. For one thread. */
final class ModelJsonFormat extends JsonFile<ModelJsonFormat.NoModelException> {
    /** Members that a tree of XGBoost can begin with. */
    private static final Set<String> TREE = Set.of("nodeid", "leaf", "depth", "split", "children");

    private static final JsonFactory JSON = new JsonFactory();

    /** A file is no model. The message contains the place and the reason. */
    static final class NoModelException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NoModelException(String problem) {
            super(problem);
        }
    }

    private ModelJsonFormat(InputStream json) {
        super(JSON, json, NoModelException::new);
    }

    /**
     * Returns the format of a file.
     *
     * @throws NoModelException if it is not JSON, or no model in a known format
     */
    static Format of(InputStream json) {
        try (var file = new ModelJsonFormat(json)) {
            return file.read();
        }
    }

    private Format read() {
        next();
        String start = place();
        if (parser().hasToken(JsonToken.START_ARRAY)) {
            next();
            if (parser().hasToken(JsonToken.START_OBJECT)
                    && nextMember()
                    && TREE.contains(parser().currentName())) {
                return Format.XGBOOST;
            }
        } else if (parser().hasToken(JsonToken.START_OBJECT)) {
            while (nextMember()) {
                switch (member()) {
                    case "tree_info" -> {
                        return Format.LIGHTGBM;
                    }
                    case "learner" -> {
                        return Format.XGBOOST;
                    }
                    default -> skip();
                }
            }
        }
        throw new NoModelException(start + "expected trees of XGBoost or LightGBM");
    }
}
