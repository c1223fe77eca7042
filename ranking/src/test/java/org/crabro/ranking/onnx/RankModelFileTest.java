package org.crabro.ranking.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RankModelFileTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    mlp; features float[batch,16]; score float[batch,1]
                    pair; query float[1,n], document float[1,n]; the/sum float[1,n], dot float[1,1]
                    total; x float[1,3]; y float[]
                    lookup; ids int64[1]; rows float[1,2]
                    same-bfloat16; x bfloat16[7]; y bfloat16[7]
                    text; x string[1]; y string[1]
                    """)
    void saysWhatAModelTakesAndGives(String name, String inputs, String outputs) {
        try (RankModelFile file = RankModelFile.open(RankModelFiles.path(name + ".onnx"))) {
            assertThat(text(file.inputs())).isEqualTo(inputs);
            assertThat(text(file.outputs())).isEqualTo(outputs);
        }
    }

    private static String text(List<ModelPort> ports) {
        return String.join(", ", ports.stream().map(port -> port.name() + " " + port).toList());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            textBlock =
                    """
                    mlp; tensor<float>(d0[1],d1[16]); ; tensor<float>(d0[1],d1[1])
                    mlp; tensor<int8>(a[3],b[16]); ; tensor<float>(d0[3],d1[1])
                    pair; tensor(a[1],b[4]); tensor<bfloat16>(c[1],d[4]); tensor<float>(d0[1],d1[4]) tensor<float>(d0[1],d1[1])
                    total; tensor(d0[1],d1[3]); ; tensor()
                    unsaid; tensor(d0[5]); ; tensor<float>(d0[10])
                    same-double; tensor(x[7]); ; tensor(d0[7])
                    same-float16; tensor(x[7]); ; tensor<float>(d0[7])
                    same-bfloat16; tensor(x[7]); ; tensor<bfloat16>(d0[7])
                    same-int8; tensor(x[7]); ; tensor<int8>(d0[7])
                    same-uint8; tensor(x[7]); ; tensor<float>(d0[7])
                    same-int16; tensor(x[7]); ; tensor<float>(d0[7])
                    same-int32; tensor(x[7]); ; tensor(d0[7])
                    same-int64; tensor(x[7]); ; tensor(d0[7])
                    """)
    void findsTheTypesOfOutputs(String name, String first, String second, String outputs) {
        RankModel model =
                second == null
                        ? RankModelFiles.model(name, first)
                        : RankModelFiles.model(name, first, second);

        assertThat(
                        String.join(
                                " ",
                                model.outputs().stream()
                                        .map(output -> output.type().toString())
                                        .toList()))
                .isEqualTo(outputs);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            textBlock =
                    """
                    mlp; tensor(d0[1],d1[15]); it takes float[batch,16], and 'd1' of tensor(d0[1],d1[15]) is of size 15 where 16 is expected
                    mlp; tensor(d0[16]); it takes float[batch,16], which is of 2 dimensions, and a tensor(d0[16]) is of 1
                    mlp; tensor(d0{},d1[16]); it takes float[batch,16], and a tensor(d0{},d1[16]) has dimensions that are not indexed
                    mlp; tensor(d0[2000000],d1[16]); 'features' has more than 16777216 values
                    scalar-input; tensor(d0[1]); it takes one value without dimensions: export the model with a dimension of size 1
                    text; tensor(d0[1]); it takes values of type string, which ranking has none of
                    none; tensor(d0[3]); output 'y' has no values: its sizes are [1, 0]
                    """)
    void refusesWhatDoesNotFit(String name, String type, String problem) {
        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> RankModelFiles.model(name, type))
                .withMessage(problem.replace("16777216", "%,d".formatted(ModelLimits.CELLS)));
    }

    @Test
    void rejectsTwoSizesOfOneSymbol() {
        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() ->
                        RankModelFiles.model("pair", "tensor(a[1],b[3])", "tensor(a[1],b[4])"))
                .withMessage(
                        "it takes float[1,n], and 'b' of tensor(a[1],b[4]) is of size 4 where input"
                                + " 'query' has 3 for 'n'");
    }

    @Test
    void reportsTheCauseOfAFailedProbe() {
        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> RankModelFiles.model("fails-on-zero", "tensor(d0[1])"))
                .withMessageStartingWith(
                        "the size of output 'y' depends on what is computed, and for zeros that fails: ");
    }

    @Test
    void namesNoFileOfTheMachine() {
        Path file = RankModelFiles.path("unknown-operation.onnx");
        String directory = Objects.requireNonNull(file.getParent()).toString();

        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> RankModelFile.open(file))
                .withMessageContaining("NoSuchThing")
                .withMessageNotContaining(directory);
    }

    @Test
    void refusesAFileThatIsTooLarge(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("large.onnx");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            // A hole: nothing is written but the last byte.
            channel.write(ByteBuffer.allocate(1), ModelLimits.FILE_BYTES);
        }

        assertThat(Files.size(file)).isEqualTo(ModelLimits.FILE_BYTES + 1);
        assertThatExceptionOfType(InvalidModelException.class)
                .isThrownBy(() -> RankModelFile.open(file))
                .withMessage(
                        "%,d bytes, and a model has at most %,d"
                                .formatted(ModelLimits.FILE_BYTES + 1, ModelLimits.FILE_BYTES));
    }
}
