package org.crabro.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TensorTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor():{6}                   | tensor():{6.0}                             | tensor():{6.0}
                    tensor(x[2]):[1e10,1e-7]       | tensor(x[2]):[1.0E10, 1.0E-7]              | tensor(x[2]):{{x:0}:1.0E10, {x:1}:1.0E-7}
                    tensor<float>(x[1]):[0.1]      | tensor<float>(x[1]):[0.1]                  | tensor<float>(x[1]):{{x:0}:0.10000000149011612}
                    tensor<int8>(x[2]):[1,-2]      | tensor<int8>(x[2]):[1, -2]                 | tensor<int8>(x[2]):{{x:0}:1.0, {x:1}:-2.0}
                    tensor(y[2],x[2]):[[1,2],[3,4]] | tensor(x[2],y[2]):[[1.0, 3.0], [2.0, 4.0]] | tensor(x[2],y[2]):{{x:0,y:0}:1.0, {x:0,y:1}:3.0, {x:1,y:0}:2.0, {x:1,y:1}:4.0}
                    tensor(x[2]):[NaN,-Infinity]   | tensor(x[2]):[NaN, -Infinity]              | tensor(x[2]):{{x:0}:NaN, {x:1}:-Infinity}
                    """)
    void writesWhatIsIndexed(String literal, String written, String inFull) {
        DenseTensor tensor = DenseTensor.parse(literal);

        assertThat(TensorText.of(tensor)).isEqualTo(written).hasToString(tensor.toString());
        assertThat(TensorText.longOf(tensor)).isEqualTo(inFull);
        assertThat(DenseTensor.parse(written)).isEqualTo(tensor);
        assertThat(DenseTensor.parse(inFull)).isEqualTo(tensor);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor(k{})           | a;12;b c;it's | tensor(k{}):{12:2.0, a:1.0, 'b c':3.0, "it's":4.0} | tensor(k{}):{{k:12}:2.0, {k:a}:1.0, {k:'b c'}:3.0, {k:"it's"}:4.0}
                    tensor<int8>(k{},x[2]) | a;b          | tensor<int8>(k{},x[2]):{a:[1, 2], b:[3, 4]}        | tensor<int8>(k{},x[2]):{{k:a,x:0}:1.0, {k:a,x:1}:2.0, {k:b,x:0}:3.0, {k:b,x:1}:4.0}
                    tensor<float>(k{},l{}) | a,b;a,c      | tensor<float>(k{},l{}):{{k:a,l:b}:1.0, {k:a,l:c}:2.0} | tensor<float>(k{},l{}):{{k:a,l:b}:1.0, {k:a,l:c}:2.0}
                    tensor(k{},x[1],z{})  | a,b           | tensor(k{},x[1],z{}):{{k:a,x:0,z:b}:1.0}           | tensor(k{},x[1],z{}):{{k:a,x:0,z:b}:1.0}
                    tensor(k{})           | ``            | tensor(k{}):{}                                     | tensor(k{}):{}
                    tensor(k{},x[2])      | ``            | tensor(k{},x[2]):{}                                | tensor(k{},x[2]):{}
                    """)
    void writesWhatIsMapped(String type, String addresses, String written, String inFull) {
        TensorType parsed = TensorType.parse(type);
        Map<List<String>, double[]> subspaces = new HashMap<>();
        int cell = 1;
        for (String address : addresses.isEmpty() ? List.<String>of() : split(addresses, ";")) {
            var cells = new double[parsed.subspaceSize()];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = cell++;
            }
            subspaces.put(split(address, ","), cells);
        }
        MixedTensor tensor = MixedTensor.of(parsed, subspaces);

        assertThat(TensorText.of(tensor)).isEqualTo(written).hasToString(tensor.toString());
        assertThat(TensorText.longOf(tensor)).isEqualTo(inFull);
    }

    private static List<String> split(String text, String separator) {
        return new ArrayList<>(List.of(text.split(separator, -1)));
    }
}
