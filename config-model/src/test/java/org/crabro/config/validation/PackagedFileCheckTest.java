package org.crabro.config.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.InvalidApplicationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models and compressed constants, which no package that is written down in a test can have. */
class PackagedFileCheckTest {
    /** A graph with the input "in" and the output "out". */
    private static final String MODEL = "3a0d" + "5a04" + "0a02696e" + "6205" + "0a036f7574";

    @TempDir private Path root;

    @BeforeEach
    void writePackage() throws IOException {
        write(
                "services.xml",
                """
                <content version="1.0"><redundancy>1</redundancy><documents>
                  <document type="s" mode="index"/>
                </documents></content>
                """);
    }

    @Test
    void acceptsAModelWithTheDeclaredNames() throws IOException {
        model(MODEL);

        assertThat(problems("input in: attribute(a)\noutput out: score")).isEmpty();
    }

    @Test
    void refusesNamesThatAModelHasNot() throws IOException {
        model(MODEL);

        assertThat(problems("input inn: attribute(a)\noutput oot: score"))
                .containsExactly(
                        "schemas/s.sd:4:7: onnx-model 'm' has no input 'inn' but [in]; did you mean"
                                + " 'in'?",
                        "schemas/s.sd:5:8: onnx-model 'm' has no output 'oot' but [out]; did you"
                                + " mean 'out'?");
    }

    @Test
    void refusesWhatIsNoModel() throws IOException {
        model("00");

        assertThat(problems(""))
                .singleElement()
                .asString()
                .startsWith("schemas/s.sd:3:7: onnx-model 'm': m.onnx is no ONNX model");
    }

    @Test
    void readsCompressedConstants() throws IOException {
        write(
                "schemas/s.sd",
                schema("constant c {\nfile: constants/c.json.lz4\ntype: tensor(x[2])\n}"));
        compressed("{\"values\": [1, 2]}");
        assertThat(problems()).isEmpty();

        compressed("{\"values\": [1, 2, 3]}");
        assertThat(problems())
                .containsExactly(
                        "schemas/s.sd:2:10: constant 'c': constants/c.json.lz4: line 1, column 19:"
                                + " Expected 2 values for tensor(x[2]), but got more");

        write("constants/c.json.lz4", "not compressed");
        assertThat(problems())
                .singleElement()
                .asString()
                .startsWith("schemas/s.sd:2:10: constant 'c': constants/c.json.lz4 cannot be read");
    }

    private void compressed(String json) throws IOException {
        Path file = root.resolve("constants/c.json.lz4");
        Files.createDirectories(file.getParent());
        try (var out = new FramedLZ4CompressorOutputStream(Files.newOutputStream(file))) {
            out.write(json.getBytes(StandardCharsets.UTF_8));
        }
    }

    private void model(String hex) throws IOException {
        Path file = root.resolve("models/m.onnx");
        Files.createDirectories(file.getParent());
        Files.write(file, HexFormat.of().parseHex(hex));
    }

    private List<String> problems(String mappings) throws IOException {
        write("schemas/s.sd", schema("onnx-model m {\nfile: models/m.onnx\n" + mappings + "\n}"));
        return problems();
    }

    private static String schema(String item) {
        return "schema s { document s { field a type int { indexing: attribute } }\n"
                + item
                + "\n}";
    }

    private List<String> problems() throws IOException {
        try {
            ApplicationCompiler.compile(DirectoryFiles.of(root), 1);
            return List.of();
        } catch (InvalidApplicationException e) {
            return e.problems().stream()
                    .map(problem -> problem.lines().findFirst().orElse(""))
                    .toList();
        }
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
