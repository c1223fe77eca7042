package org.crabro.ranking.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenTensorTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor()         | {}                               | tensor():{0.0}
                    tensor()         | { }                              | tensor():{0.0}
                    tensor()         | tensor():{}                      | tensor():{0.0}
                    tensor()         | 1e400                            | tensor():{Infinity}
                    tensor(x[2])     | [-1e400,1e400]                   | tensor(x[2]):[-Infinity, Infinity]
                    tensor(x{})      | {a:-1e400,b:1e400}               | tensor(x{}):{a:-Infinity, b:Infinity}
                    tensor<int8>(x[2]) | [-1e400,1e400]                 | tensor<int8>(x[2]):[0, -1]
                    tensor<int8>(x{}) | {a:-1e400,b:1e400}              | tensor<int8>(x{}):{a:0, b:-1}
                    tensor(x[2])     | {}                               | tensor(x[2]):[0.0, 0.0]
                    tensor(x[2])     | tensor<float>(x[2]):[1,2]        | tensor(x[2]):[1.0, 2.0]
                    tensor<bfloat16>(x[1]) | tensor<float>(x[1]):[1.0039] | tensor<bfloat16>(x[1]):[1.0]
                    tensor<float>(k{}) | tensor<int8>(k{}):{a:255}      | tensor<float>(k{}):{a:-1.0}
                    tensor(x{})      | {}                               | tensor(x{}):{}
                    tensor(x{},y[2]) | ` tensor(y[2],x{}):{{x:a,y:1}:3}` | tensor(x{},y[2]):{a:[0.0, 3.0]}
                    """)
    void readsValues(String type, String text, String written) {
        assertThat(WrittenTensor.parse(text, TensorType.parse(type))).hasToString(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor(x[3],y[2])      | tensor(y[2],x[3]):[[1,2,3],[4,5,6]]   | tensor(x[3],y[2]):[[1,4],[2,5],[3,6]]
                    tensor(x[3],y[2])      | tensor(y[2],x[3]):[1,2,3,4,5,6]       | tensor(x[3],y[2]):[[1,4],[2,5],[3,6]]
                    tensor(x[2],y[2])      | tensor( y[2] , x[2] ):[1,2,3,4]       | tensor(x[2],y[2]):[[1,3],[2,4]]
                    tensor<int8>(x[2],y[2]) | tensor<int8>(y[2],x[2]):01020304     | tensor<int8>(x[2],y[2]):[[1,3],[2,4]]
                    tensor(a[2],b[1],c[2]) | tensor(c[2],b[1],a[2]):[1,2,3,4]      | tensor(a[2],b[1],c[2]):[[[1,3]],[[2,4]]]
                    tensor(a[2],b[1],c[2]) | tensor(c[2],b[1],a[2]):[[[1,2]],[[3,4]]] | tensor(a[2],b[1],c[2]):[[[1,3]],[[2,4]]]
                    tensor(x[2],y[2])      | [1,2,3,4]                             | tensor(x[2],y[2]):[[1,2],[3,4]]
                    tensor(k{},x[2],y[2])  | tensor(k{},y[2],x[2]):{a:[[1,2],[3,4]]} | tensor(k{},x[2],y[2]):{a:[[1,3],[2,4]]}
                    tensor(k{},x[2],y[2])  | tensor(y[2],k{},x[2]):{a:[[1,2],[3,4]]} | tensor(k{},x[2],y[2]):{a:[[1,3],[2,4]]}
                    tensor(k{},x[2],y[2])  | tensor(k{},y[2],x[2]):{a:[1,2,3,4]}   | tensor(k{},x[2],y[2]):{a:[[1,3],[2,4]]}
                    tensor(k{},x[2],y[3])  | tensor(y[3],x[2],k{}):{a:[1,2,3,4,5,6]} | tensor(k{},x[2],y[3]):{a:[[1,3,5],[2,4,6]]}
                    tensor<int8>(k{},x[2],y[2]) | tensor<int8>(k{},y[2],x[2]):{a:01020304} | tensor<int8>(k{},x[2],y[2]):{a:[[1,3],[2,4]]}
                    tensor(k{},x[2],y[2])  | {a:[1,2,3,4]}                         | tensor(k{},x[2],y[2]):{a:[[1,2],[3,4]]}
                    tensor(k{},m{},x[1])   | tensor(m{},k{},x[1]):{p:{q:[1]}}      | tensor(k{},m{},x[1]):{{k:q,m:p}:[1]}
                    tensor(k{},m{})        | tensor(m{},k{}):{{m:p,k:q}:1}         | tensor(k{},m{}):{{k:q,m:p}:1}
                    """)
    void cellsAreInTheOrderInWhichTheTypeInFrontIsWritten(
            String type, String text, String inStandardOrder) {
        var parsed = TensorType.parse(type);

        assertThat(WrittenTensor.parse(text, parsed))
                .isEqualTo(WrittenTensor.parse(inStandardOrder, parsed));
        assertThat(
                        ExpressionText.of(
                                ExpressionParser.parse(
                                        text.startsWith("tensor") ? text : type + ":" + text)))
                .isEqualTo(ExpressionText.of(ExpressionParser.parse(inStandardOrder)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    tensor()         | {1,2}              | at character 3 of '{1,2}': expected '}' but found ',2}'
                    tensor(x[2])     | [1,x]              | at character 4 of '[1,x]': expected a number but found 'x]'
                    tensor(x{})      | {a:1,b}            | at character 7 of '{a:1,b}': expected ':' but found '}'
                    tensor(x{})      | ` {a:1,b}`         | at character 8 of ' {a:1,b}': expected ':' but found '}'
                    tensor(x{})      | tensor(x{}):{a:}   | at character 16 of 'tensor(x{}):{a:}': expected a value but found '}'
                    tensor(x{})      | tensor(x{}:{a:1}   | at character 7 of 'tensor(x{}:{a:1}': the type has no end
                    tensor(x{})      | {a:1,b:1+y}        | at character 10 of '{a:1,b:1+y}': expected numbers alone in a value of tensor(x{})
                    tensor(x{})      | {a:1+1}            | expected numbers alone in a value of tensor(x{})
                    tensor(x{},y[2]) | {a:[1]}            | at character 4 of '{a:[1]}': expected 2 values in dimension 'y', but got 1
                    tensor(x{},y[2]) | {aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa:[1]} | at character 83 of '{aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...': expected 2 values in dimension 'y', but got 1
                    tensor<float>(x{}) | tensor(x{}):{a:1} | expected type tensor<float>(x{}) but found tensor(x{})
                    tensor<float>(x[1]) | tensor(x[1]):[1] | a tensor of type tensor<float>(x[1]) is expected, not of tensor(x[1])
                    tensor(x{})      | tensor(y{}):{a:1}  | expected type tensor(x{}) but found tensor(y{})
                    """)
    void reportsThePlaceOfAWrongValue(String type, String text, String problem) {
        assertThatExceptionOfType(TensorSyntaxException.class)
                .isThrownBy(() -> WrittenTensor.parse(text, TensorType.parse(type)))
                .withMessage(problem);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{a:[1,2],b:[3,4]}",
                "{a:3F80000040000000,b:4040000040800000}",
                "{{token:a,dt:0}:1,{token:a,dt:1}:2,{token:b,dt:0}:3,{token:b,dt:1}:4}",
                "tensor<float>(token{},dt[2]):{a:[1,2],b:[3,4]}"
            })
    void labelsStandAroundCellsWhateverTheDimensionsAreCalled(String text) {
        var type = TensorType.parse("tensor<float>(token{},dt[2])");

        assertThat(WrittenTensor.parse(text, type))
                .isEqualTo(
                        MixedTensor.of(
                                type,
                                Map.of(
                                        List.of("a"), new double[] {1, 2},
                                        List.of("b"), new double[] {3, 4})));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{p:{q:[[1,2],[3,4]]}}",
                "{p:{q:[1,2,3,4]}}",
                "{{m:q,z:0,k:p,a:0}:1,{m:q,z:1,k:p,a:0}:2,{m:q,z:0,k:p,a:1}:3,{m:q,z:1,k:p,a:1}:4}"
            })
    void dimensionsOfOneKindNestSorted(String text) {
        var type = TensorType.parse("tensor(m{},z[2],k{},a[2])");

        assertThat(WrittenTensor.parse(text, type))
                .isEqualTo(
                        MixedTensor.of(type, Map.of(List.of("p", "q"), new double[] {1, 2, 3, 4})));
    }

    /** A hash map of such labels compares each with half of those before: it takes minutes. */
    @Test
    void readsManyLabelsWithEqualHashCodes() {
        var text = new StringBuilder("{");
        for (int i = 0; i < 1 << 15; i++) {
            text.append(i == 0 ? "" : ", ");
            for (int bit = 0; bit < 15; bit++) {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            text.append(": 1");
        }

        Tensor tensor =
                WrittenTensor.parse(text.append("}").toString(), TensorType.parse("tensor(k{})"));

        assertThat(((MixedTensor) tensor).addresses()).hasSize(1 << 15);
    }
}
