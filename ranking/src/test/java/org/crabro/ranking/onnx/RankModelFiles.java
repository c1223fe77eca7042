package org.crabro.ranking.onnx;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.crabro.tensor.TensorType;

/** The models next to the tests, made by {@code make_models.py}. */
public final class RankModelFiles {
    private RankModelFiles() {}

    /** Returns the path of a model, or of another file next to it. */
    static Path path(String file) {
        try {
            return Path.of(Objects.requireNonNull(RankModelFiles.class.getResource(file)).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a model that is given tensors of {@code types}. */
    public static RankModel model(String name, String... types) {
        try (RankModelFile file = RankModelFile.open(path(name + ".onnx"))) {
            ModelBinding binding = file.binding();
            for (String type : types) {
                binding.add(TensorType.parse(type));
            }
            var outputs = new ArrayList<RankModel.Value>();
            for (int i = 0; i < file.outputs().size(); i++) {
                outputs.add(binding.output(i));
            }
            return binding.model(name, ModelSettings.DEFAULT, List.copyOf(outputs));
        }
    }
}
