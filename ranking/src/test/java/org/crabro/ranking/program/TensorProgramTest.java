package org.crabro.ranking.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.crabro.ranking.tensor.TensorData;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class TensorProgramTest {
    /** The features that the tables name by a letter. */
    private static final Map<String, String> FEATURES = new LinkedHashMap<>();

    static {
        FEATURES.put("n", "3");
        FEATURES.put("v", "tensor(x[3]):[1,2,3]");
        FEATURES.put("w", "tensor(x[3]):[4,5,6]");
        FEATURES.put("m", "tensor(x[3],y[2]):[[1,2],[3,4],[5,6]]");
        FEATURES.put("f", "tensor<float>(x[3]):[0.1,0.2,0.3]");
        FEATURES.put("h", "tensor<bfloat16>(x[2]):[1.5,-2]");
        FEATURES.put("b", "tensor<int8>(x[2]):[9,-1]");
        FEATURES.put("c", "tensor<int8>(x[2]):[8,1]");
        FEATURES.put("s", "tensor(k{}):{a:1,b:2,c:3}");
        FEATURES.put("t", "tensor(k{}):{b:10,c:20,d:30}");
        FEATURES.put("e", "tensor(k{}):{}");
        FEATURES.put("p", "tensor(k{},l{}):{a:{r:1,s:2},b:{r:3}}");
        FEATURES.put("q", "tensor(k{},x[3]):{a:[1,2,3],b:[4,5,6]}");
        FEATURES.put("z", "tensor(x[3]):[NaN,1,-1]");
    }

    private static Map<String, TensorData> features() {
        var features = new LinkedHashMap<String, TensorData>();
        FEATURES.forEach((name, text) -> features.put(name, Evaluated.tensor(text)));
        return features;
    }

    @ParameterizedTest
    @CsvFileSource(resources = "tensor-functions.csv", delimiter = '|', quoteCharacter = '`')
    void computes(String expression, String value) {
        assertThat(Evaluated.of(expression, features())).hasToString(value);
        assertThat(Evaluated.folded(expression, features())).hasToString(value);
    }
}
