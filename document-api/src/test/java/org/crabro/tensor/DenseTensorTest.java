package org.crabro.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Random;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.RequestMemory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DenseTensorTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    5                                    | tensor():{5.0}
                    tensor():{5}                         | tensor():{5.0}
                    tensor():-2.5e3                      | tensor():{-2500.0}
                    tensor(x[2]):[1,2]                   | tensor(x[2]):[1.0, 2.0]
                    tensor<float>(x[3]): [ 0.1, 2, 3e1 ] | tensor<float>(x[3]):[0.1, 2.0, 30.0]
                    tensor<bfloat16>(x[2]):[1.0039,-2]   | tensor<bfloat16>(x[2]):[1.0, -2.0]
                    tensor<int8>(x[3]):[1,-1.9,300]      | tensor<int8>(x[3]):[1, -1, 44]
                    tensor<int8>(x[3]):[255,-129,-255.9] | tensor<int8>(x[3]):[-1, 127, 1]
                    tensor<int8>(x[2]):{{x:1}:-1e9}      | tensor<int8>(x[2]):[0, 0]
                    tensor(x[3]):[NaN,Infinity,-Infinity]| tensor(x[3]):[NaN, Infinity, -Infinity]
                    tensor(x[2],y[2]):[[1,2],[3,4]]      | tensor(x[2],y[2]):[[1.0, 2.0], [3.0, 4.0]]
                    tensor(y[2],x[2]):[[1,2],[3,4]]      | tensor(x[2],y[2]):[[1.0, 3.0], [2.0, 4.0]]
                    tensor(x[2],y[2]):[1,2,3,4]          | tensor(x[2],y[2]):[[1.0, 2.0], [3.0, 4.0]]
                    tensor(y[2],x[2]):[1,2,3,4]          | tensor(x[2],y[2]):[[1.0, 3.0], [2.0, 4.0]]
                    tensor(c[2],a[1],b[3]):[[[1,2,3]],[[4,5,6]]] | tensor(a[1],b[3],c[2]):[[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]]
                    tensor<int8>(x[4]):00FF7f80          | tensor<int8>(x[4]):[0, -1, 127, -128]
                    tensor<float>(x[2]):3F80000040000000 | tensor<float>(x[2]):[1.0, 2.0]
                    tensor<float>(x[2]):3FC0C000         | tensor<float>(x[2]):[1.5, -2.0]
                    tensor(x[3]):{{x:0}:1,{x:'2'}:3}     | tensor(x[3]):[1.0, 0.0, 3.0]
                    tensor(x[2],y[2]):{{y:1,x:0}:5}      | tensor(x[2],y[2]):[[0.0, 5.0], [0.0, 0.0]]
                    tensor(x[2]):[ 1, 2 ]             | tensor(x[2]):[1.0, 2.0]
                    tensor(x[2]):{}                      | tensor(x[2]):[0.0, 0.0]
                    tensor():{{}:1}                      | tensor():{1.0}
                    tensor():{ }                         | tensor():{0.0}
                    { }                                  | tensor():{0.0}
                    """)
    void readsEveryWayToWriteADenseValue(String text, String canonical) {
        DenseTensor tensor = DenseTensor.parse(text);

        assertThat(tensor).hasToString(canonical).isEqualTo(DenseTensor.parse(canonical));
        assertThat(DenseTensor.parse(text, tensor.type())).isEqualTo(tensor);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    ""                             | expected a number but found the end
                    [1,2]                          | expected a type in front of the value
                    {1}                            | at character 1 of '{1}': expected a type in front of the value
                    {} 1                           | at character 4 of '{} 1': expected the end
                    1d                             | expected a number but found '1d'
                    0x10                           | expected a number
                    1 2                            | expected the end but found '2'
                    tensor(x[2])                   | expected ':' but found the end
                    tensor(x[2]):                  | expected '[', '{' or hexadecimal digits but found the end
                    tensor(x[2]):[]                | expected a number but found ']'
                    tensor(x[2]):[1]               | Expected 2 values, but got 1
                    tensor(x[2]):[1,2,3]           | Expected 2 values, but got more
                    tensor(x[2]):[1,b]             | at character 17 of 'tensor(x[2]):[1,b]': expected a number but found 'b]'
                    tensor(x[2]):[1,?2]            | at character 17 of 'tensor(x[2]):[1,?2]': expected a number but found '?2]'
                    tensor(x[2]):[1,🐋2]           | expected a number but found '🐋2]'
                    tensor(x[2]):{{x:'🐋'}:1}      | label of dimension 'x' is not a number from 0 to 1
                    tensor(x[2]):[1,2              | expected ']' but found the end
                    tensor(x[2]):[[1,2]]           | expected a number: there are 1 dimensions
                    tensor(x[2],y[2]):[[1,2,3],[4]]| Expected 2 values in dimension 'y', but got 3
                    tensor(x[2],y[2]):[[1,2],3,4]  | a list holds numbers and lists
                    tensor(x[2],y[1],z[1]):[[1],[2]] | lists are nested 2 deep for 3 dimensions
                    tensor(x[2]):[1,2]]            | expected the end but found ']'
                    tensor(x[2]):123               | expected 32 hexadecimal digits for the 2 cells of tensor(x[2]), but got 3
                    tensor<int8>(x[2]):00000000    | expected 4 hexadecimal digits for the 2 cells of tensor<int8>(x[2]), but got 8
                    tensor(x[2]):{{x:2}:1}         | label of dimension 'x' is not a number from 0 to 1
                    tensor(x[2]):{{y:1}:1}         | tensor(x[2]) has no dimension y
                    tensor(x[2],y[2]):{{x:1}:1}    | an address names every dimension
                    tensor(x[2]):{{x:1,x:1}:1}     | an address names dimension 'x' twice
                    tensor(x[2],y[2]):{{x:0,y:0,x:1}:1} | an address names dimension 'x' twice
                    tensor(x{}):{a:1}              | values of type tensor(x{}) are not supported
                    tensor(x{},y[2]):{a:[1,2]}     | values of type tensor(x{},y[2]) are not supported
                    tensor(x[2000000000]):{}       | at most 16777216 can be given
                    """)
    void saysWhatDoesNotFit(String text, String problem) {
        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() -> DenseTensor.parse(text))
                .withMessageContaining(problem);
    }

    @Test
    void acceptsALeadingTypeOnlyIfItIsTheExpectedOne() {
        TensorType type = TensorType.parse("tensor<float>(x[2])");

        assertThat(DenseTensor.parse("[1,2]", type))
                .isEqualTo(DenseTensor.parse("tensor<float>(x[2]):[1,2]", type));
        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() -> DenseTensor.parse("tensor(x[2]):[1,2]", type))
                .withMessage(
                        "a tensor of type tensor<float>(x[2]) is expected, not of tensor(x[2])");
    }

    @ParameterizedTest
    @EnumSource(CellType.class)
    void hexadecimalDigitsGiveBackEveryCell(CellType cells) {
        long seed = Long.getLong("crabro.seed", 2026);
        var random = new Random(seed);
        TensorType type = new TensorType(cells, java.util.List.of(new Dimension.Indexed("x", 100)));
        double[] values = random.doubles(100, -128, 128).toArray();
        DenseTensor tensor = DenseTensor.of(type, values);

        String digits = HexCells.encode(tensor);

        assertThat(DenseTensor.of(type, HexCells.decode(digits, type)))
                .as("seed %d", seed)
                .isEqualTo(tensor);
        assertThat(DenseTensor.parse(tensor.toString())).as("seed %d", seed).isEqualTo(tensor);
    }

    @Test
    void hexadecimalDigitsAreBigEndianAndUpperCase() {
        assertThat(HexCells.encode(DenseTensor.parse("tensor<float>(x[3]):[1,2,3]")))
                .isEqualTo("3F8000004000000040400000");
        assertThat(HexCells.encode(DenseTensor.parse("tensor<bfloat16>(x[2]):[1.5,-2]")))
                .isEqualTo("3FC0C000");
        assertThat(HexCells.encode(DenseTensor.parse("tensor<int8>(x[3]):[1,-1,127]")))
                .isEqualTo("01FF7F");
        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() -> HexCells.decode("0G", TensorType.parse("tensor<int8>(x[1])")))
                .withMessage("'G' at index 1 is no hexadecimal digit");
    }

    /** A type and a label are a few bytes, whatever the number of cells. */
    @ParameterizedTest
    @ValueSource(strings = {"{}", "{{x:999999}:1}"})
    void refusesManyCellsWithoutMemory(String value) {
        try (MemoryShare request = new RequestMemory(1 << 20).open()) {
            request.run(() ->
                    assertThatExceptionOfType(MemoryRefusedException.class)
                            .isThrownBy(() -> DenseTensor.parse("tensor(x[1000000]):" + value))
                            .matches(MemoryRefusedException::isTooLarge));
        }
    }
}
