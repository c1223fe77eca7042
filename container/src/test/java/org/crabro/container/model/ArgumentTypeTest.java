package org.crabro.container.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.crabro.tensor.CellType;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentTypeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    0 2; [[1,2],[3,4],[5,6]]; tensor<float>(d0[3],d1[2]):[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
                    0 2; [1,2,3,4]; tensor<float>(d0[2],d1[2]):[[1.0, 2.0], [3.0, 4.0]]
                    0 0; [[1],[2]]; tensor<float>(d0[2],d1[1]):[[1.0], [2.0]]
                    0; [1,2,3]; tensor<float>(d0[3]):[1.0, 2.0, 3.0]
                    0; {{d0:2}:7}; tensor<float>(d0[3]):[0.0, 0.0, 7.0]
                    0 2; {{d0:1,d1:0}:7}; tensor<float>(d0[2],d1[2]):[[0.0, 0.0], [7.0, 0.0]]
                    3; [1,2,3]; tensor<float>(d0[3]):[1.0, 2.0, 3.0]
                    0; tensor<float>(d0[2]):[1,2]; tensor<float>(d0[2]):[1.0, 2.0]
                    """)
    void readsTheSizesFromTheText(String sizes, String text, String tensor) {
        assertThat(TensorText.of(type(sizes).parse(text))).isEqualTo(tensor);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    0 2; [1,2,3]; a list of 3 values has no clear sizes for tensor<float>(d0[],d1[2])
                    0 0; [1,2]; a list of 2 values has no clear sizes for tensor<float>(d0[],d1[])
                    0; [[1]]; lists are deeper than the dimensions of tensor<float>(d0[])
                    0; ]; expected
                    0; {{d0:x}:1}; expected a number as label of d0 but found 'x'
                    0; {{d0:99999999}:1}; the text has labels for more than
                    2; tensor<float>(d0[3]):[1,2,3]; expected type tensor<float>(d0[2]) but found tensor<float>(d0[3])
                    0; tensor(x[1]):[1]; expected type tensor<float>(d0[]) but found tensor(x[1])
                    """)
    void saysWhatIsWrong(String sizes, String text, String problem) {
        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() -> type(sizes).parse(text))
                .withMessageContaining(problem);
    }

    @Test
    void readsOrRejectsAnyText() {
        long seed = Long.getLong("crabro.seed", 20_26);
        var random = new Random(seed);
        String letters = "[]{},:d01 -.e'x";
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder("[{".substring(i % 2, i % 2 + 1));
            for (int j = random.nextInt(14); j > 0; j--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            try {
                assertThat(type(i % 3 == 0 ? "0" : "0 2").parse(text.toString()).size())
                        .as("seed %d: %s", seed, text)
                        .isPositive();
            } catch (TensorSyntaxException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }

    private static ArgumentType type(String sizes) {
        var all = new ArrayList<Integer>();
        for (String size : sizes.split(" ", -1)) {
            all.add(Integer.parseInt(size));
        }
        return new ArgumentType(CellType.FLOAT, List.copyOf(all));
    }
}
