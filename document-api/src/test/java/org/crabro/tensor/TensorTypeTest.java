package org.crabro.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TensorTypeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    tensor()                            | tensor()                 | 1
                    tensor(x[3])                        | tensor(x[3])             | 3
                    tensor<double>(x[3])                | tensor(x[3])             | 3
                    tensor<float>( y[2], x[3] )         | tensor<float>(x[3],y[2]) | 6
                    tensor < bfloat16 > ( x [ 384 ] )   | tensor<bfloat16>(x[384]) | 384
                    tensor<int8>(b[2],a[3],c[4])        | tensor<int8>(a[3],b[2],c[4]) | 24
                    tensor(d0[1],@x_1$[2147483647])     | tensor(@x_1$[2147483647],d0[1]) | 2147483647
                    """)
    void readsDenseTypes(String text, String canonical, int cells) {
        TensorType type = TensorType.parse(text);

        assertThat(type).hasToString(canonical).isEqualTo(TensorType.parse(canonical));
        assertThat(type.isDense()).isTrue();
        assertThat(type.cellCount()).isEqualTo(cells);
    }

    @Test
    void readsMappedDimensions() {
        TensorType type = TensorType.parse("tensor<float>(y[2],x{})");

        assertThat(type)
                .hasToString("tensor<float>(x{},y[2])")
                .isEqualTo(
                        new TensorType(
                                CellType.FLOAT,
                                List.of(new Dimension.Mapped("x"), new Dimension.Indexed("y", 2))));
        assertThat(type.isDense()).isFalse();
        assertThatIllegalStateException().isThrownBy(type::cellCount);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    ""                       | at character 1 of '': expected 'tensor' but found the end
                    tenser(x[3])             | expected 'tensor' but found 'tenser(x[3])'
                    tensor                   | at character 7 of 'tensor': expected '(' but found the end
                    tensor(x[3]              | at character 12 of 'tensor(x[3]': expected ')' but found the end
                    tensor(x[3]) y           | at character 14 of 'tensor(x[3]) y': expected the end but found 'y'
                    tensor(x)                | expected '{}' or '[size]' after dimension 'x'
                    tensor(x[0])             | size of dimension 'x' is '0', a number from 1 to 2^31-1
                    tensor(x[2147483648])    | size of dimension 'x' is '2147483648'
                    tensor(x[-1])            | expected a size but found '-1])'
                    tensor(x[])              | unbound
                    tensor(x[2],x{})         | two dimensions called 'x'
                    tensor<float>()          | a tensor without dimensions has cells of type double, not float
                    tensor<half>(x[2])       | at character 8 of 'tensor<half>(x[2])': unknown cell type 'half'
                    tensor(x[65536],y[65536])| at most 2^31-1 values
                    """)
    void saysWhatDoesNotFit(String text, String problem) {
        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() -> TensorType.parse(text))
                .withMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    double   | double float bfloat16 int8
                    float    | float bfloat16 int8
                    bfloat16 | float bfloat16 int8
                    int8     | int8
                    """)
    void acceptsCellsThatAreNotLargerAndRoundsFloats(String cells, String accepted) {
        TensorType type = TensorType.parse("tensor<%s>(k{},x[2])".formatted(cells));

        assertThat(
                        Stream.of("double", "float", "bfloat16", "int8")
                                .filter(given ->
                                        type.accepts(
                                                TensorType.parse(
                                                        "tensor<%s>(x[2],k{})".formatted(given)))))
                .containsExactly(accepted.split(" "));
        assertThat(type.accepts(TensorType.parse("tensor<int8>(k{},x[3])"))).isFalse();
    }

    @Test
    void keepsDimensionsSorted() {
        var x = new Dimension.Indexed("x", 2);
        var y = new Dimension.Indexed("y", 2);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TensorType(CellType.FLOAT, List.of(y, x)))
                .withMessage("dimension 'x' is not sorted: it follows 'y'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TensorType(CellType.FLOAT, List.of(x, x)));
        assertThatIllegalArgumentException().isThrownBy(() -> new Dimension.Indexed("x", 0));
    }
}
