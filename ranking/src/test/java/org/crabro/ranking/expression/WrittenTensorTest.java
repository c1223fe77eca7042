package org.crabro.ranking.expression;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WrittenTensorTest {
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
}
