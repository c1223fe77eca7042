package org.crabro.container.model;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.crabro.component.FunctionEvaluator;
import org.crabro.component.ModelsEvaluator;
import org.crabro.config.services.ModelApi.Format;
import org.crabro.config.services.ModelApi.PackagedModel;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.container.query.SearchSettings;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.RequestMemory;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Talks HTTP to the handler in memory: no port is opened. */
class ModelHandlerTest {
    private static final Path FILES = Path.of("../ranking/src/test/resources/org/crabro/ranking");

    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private final ApplicationModels models =
            ApplicationModels.open(
                    List.of(
                            model("pair", "onnx/pair.onnx", Format.ONNX),
                            model("sub_MLP", "onnx/mlp.onnx", Format.ONNX),
                            model("trees", "forest/xgboost.json", Format.XGBOOST),
                            model("light", "forest/lightgbm-binary.json", Format.LIGHTGBM)));

    private static PackagedModel model(String name, String file, Format format) {
        return new PackagedModel(name, FILES.resolve(file), format, ModelSettings.DEFAULT);
    }

    @BeforeEach
    void start() throws Exception {
        SearchSettings settings = SearchSettings.DEFAULT;
        server.addConnector(connector);
        server.setHandler(
                new ModelHandler(models, settings, settings.bodyMemory(BodyTimes.DEFAULT)));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        models.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    /model-evaluation/v1/ | {"light":"http://h:8080/model-evaluation/v1/light","pair":"http://h:8080/model-evaluation/v1/pair","sub_MLP":"http://h:8080/model-evaluation/v1/sub_MLP","trees":"http://h:8080/model-evaluation/v1/trees"}
                    /model-evaluation/v1/sub_mlp | {"model":"sub_MLP","functions":[{"function":"default.score","info":"http://h:8080/model-evaluation/v1/sub_MLP/default/score","eval":"http://h:8080/model-evaluation/v1/sub_MLP/default/score/eval","arguments":[{"name":"features","type":"tensor<float>(d0[],d1[16])"}]}]}
                    /model-evaluation/v1/pair/default/dot/ | {"model":"pair","function":"default.dot","info":"http://h:8080/model-evaluation/v1/pair/default/dot","eval":"http://h:8080/model-evaluation/v1/pair/default/dot/eval","arguments":[{"name":"document","type":"tensor<float>(d0[1],d1[])"},{"name":"query","type":"tensor<float>(d0[1],d1[])"}]}
                    /Model-Evaluation/V1/Trees/trees | {"model":"trees","function":"trees","info":"http://h:8080/model-evaluation/v1/trees/trees","eval":"http://h:8080/model-evaluation/v1/trees/trees/eval","arguments":[{"name":"attribute(size)","type":"tensor()"},{"name":"attribute(year)","type":"tensor()"},{"name":"bm25(title)","type":"tensor()"},{"name":"closeness(place)","type":"tensor()"}]}
                    """)
    void describesModels(String path, String body) throws Exception {
        assertThat(get(path)).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n" + body);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    query=[[1,2,0]]&document=[[3,0,0]] | {"type":"tensor<float>(d0[1],d1[1])","values":[[3.0]]}
                    query=[1,2,0]&document=[3,0,0]&unknown=1 | {"type":"tensor<float>(d0[1],d1[1])","values":[[3.0]]}
                    query={{d0:0,d1:0}:1,{d0:0,d1:1}:2}&document=tensor<float>(d0[1],d1[2]):[3,5] | {"type":"tensor<float>(d0[1],d1[1])","values":[[13.0]]}
                    query=[[1,2]]&document=[[3,5]]&format.tensors=long | {"type":"tensor<float>(d0[1],d1[1])","cells":[{"address":{"d0":"0","d1":"0"},"value":13.0}]}
                    query=[[1,2]]&document=[[3,5]]&format.tensors=short-value | [[13.0]]
                    query=[[1,2]]&document=[[3,5]]&format.tensors=long-value | [{"address":{"d0":"0","d1":"0"},"value":13.0}]
                    query=[[1,2]]&document=[[3,5]]&format.tensors=string | "tensor<float>(d0[1],d1[1]):[[13.0]]"
                    query=[[1,2]]&document=[[3,5]]&format.tensors=string-long | "tensor<float>(d0[1],d1[1]):{{d0:0,d1:0}:13.0}"
                    query=[[2]]&missing-value=3 | {"type":"tensor<float>(d0[1],d1[1])","values":[[6.0]]}
                    """)
    void evaluates(String parameters, String body) throws Exception {
        assertThat(get("/model-evaluation/v1/pair/default/dot/eval?" + encoded(parameters)))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n\r\n" + body);
    }

    @Test
    void acceptsParametersOfAForm() throws Exception {
        String form = encoded("query=[[1,2]]&document=[[3,5]]");

        assertThat(
                        connector.getResponse(
                                "POST /model-evaluation/v1/pair/default/the_sum/eval HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s"
                                        .formatted(form.length(), form)))
                .startsWith("HTTP/1.1 200")
                .endsWith("{\"type\":\"tensor<float>(d0[1],d1[2])\",\"values\":[[4.0,7.0]]}");
    }

    @ParameterizedTest
    @CsvSource({"trees, xgboost.csv", "light, lightgbm-binary.csv"})
    void evaluatesTreesAsTheirLibraryDoes(String model, String file) throws Exception {
        List<String> lines = Files.readAllLines(FILES.resolve("forest").resolve(file));
        List<String> names = List.of(lines.getFirst().split(",", -1));
        for (String line : lines.subList(1, 30)) {
            String[] values = line.split(",", -1);
            var url = new StringBuilder("/model-evaluation/v1/" + model + "/eval?x=0");
            for (int i = 0; i < names.size() - 1; i++) {
                if (!values[i].isEmpty()) {
                    url.append('&').append(URLEncoder.encode(names.get(i), UTF_8)).append('=');
                    url.append(URLEncoder.encode(values[i], UTF_8));
                }
            }
            String body = body(get(url.toString()));
            double score =
                    Double.parseDouble(
                            body.replaceAll("\\{\"type\":\"tensor\\(\\)\",\"value(s)?\":\\[?", "")
                                    .replaceAll("[\\]}]", ""));
            double expected = Double.parseDouble(values[values.length - 1]);
            assertThat(score).as(line).isCloseTo(expected, within(1e-5));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    /model-evaluation | 404 | expected a version after /model-evaluation, as in /model-evaluation/v1
                    /model-evaluation/v2/pair | 404 | unknown API version 'v2'; there is v1
                    /model-evaluation/v1/none | 404 | there is no model 'none'; there are [light, pair, sub_MLP, trees]
                    /model-evaluation/v1/pair/eval | 404 | model 'pair' has several functions; name one of [default.the_sum, default.dot]
                    /model-evaluation/v1/pair/default | 404 | model 'pair' has several functions; name one of [default.the_sum, default.dot]
                    /model-evaluation/v1/pair/default/x | 404 | model 'pair' has no function 'default.x'; there are [default.the_sum, default.dot]
                    /model-evaluation/v1/sub_mlp/eval | 400 | Argument 'features' must be bound to a value of type tensor<float>(d0[],d1[16])
                    /model-evaluation/v1/sub_mlp/eval?features=%5B1%5D | 400 | Argument 'features' must be bound to a value of type tensor<float>(d0[],d1[16]): a list of 1 values has no clear sizes for tensor<float>(d0[],d1[16]); write a list for each dimension
                    /model-evaluation/v1/sub_mlp/eval?features=tensor(x%5B1%5D):%5B1%5D | 400 | Argument 'features' must be bound to a value of type tensor<float>(d0[],d1[16]): expected type tensor<float>(d0[],d1[16]) but found tensor(x[1])
                    /model-evaluation/v1/trees/eval?missing-value=none | 400 | missing-value is 'none', and a number is expected
                    /model-evaluation/v1/trees/eval?format.tensors=wide | 400 | unknown format.tensors 'wide'; expected one of [short, long, short-value, long-value, hex, hex-value, string, string-long]
                    """)
    void saysWhatIsWrong(String path, int status, String problem) throws Exception {
        assertThat(get(path))
                .startsWith("HTTP/1.1 " + status)
                .endsWith("\r\n\r\n{\"error\":\"%s\"}".formatted(problem));
    }

    @Test
    void reportsWhatAModelCannotCompute() throws Exception {
        assertThat(
                        get(
                                "/model-evaluation/v1/pair/default/dot/eval?"
                                        + encoded("query=[[1,2]]&document=[[3,5,7]]")))
                .startsWith("HTTP/1.1 400")
                .contains("{\"error\":\"onnx-model 'pair' failed: ");
    }

    @Test
    void acceptsGetAndPostOnly() throws Exception {
        assertThat(
                        connector.getResponse(
                                "DELETE /model-evaluation/v1/pair HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405")
                .contains("Allow: GET, POST");
    }

    @Test
    void componentsEvaluateTheSameFunctions() {
        ModelsEvaluator evaluator = models.forComponents();
        assertThat(evaluator.models()).containsExactly("light", "pair", "sub_MLP", "trees");

        FunctionEvaluator dot = evaluator.evaluatorOf("pair", "default", "dot");

        assertThat(dot.arguments())
                .containsEntry("query", "tensor<float>(d0[1],d1[])")
                .containsOnlyKeys("query", "document");
        assertThat(
                        dot.bind("query", DenseTensor.parse("tensor<float>(d0[1],d1[2]):[1,2]"))
                                .bind("document", "[[3,5]]")
                                .evaluate())
                .hasToString("tensor<float>(d0[1],d1[1]):[[13.0]]");
        assertThatIllegalStateException()
                .isThrownBy(dot::evaluate)
                .withMessage("the function was evaluated already");
        assertThat(evaluator.evaluatorOf("trees").bind("attribute(year)", 1).evaluate().type())
                .isEqualTo(TensorType.SCALAR);
    }

    @Test
    void saysWhatComponentsDoWrong() {
        ModelsEvaluator evaluator = models.forComponents();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> evaluator.evaluatorOf("none"))
                .withMessage("there is no model 'none'; there are [light, pair, sub_MLP, trees]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> evaluator.evaluatorOf("pair"))
                .withMessage(
                        "model 'pair' has several functions; name one of [default.the_sum, default.dot]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> evaluator.evaluatorOf("sub_MLP").bind("feature", 1))
                .withMessage("there is no argument 'feature'; there are [features]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> evaluator.evaluatorOf("sub_MLP").bind("features", 1))
                .withMessage(
                        "Argument 'features' must be bound to a value of type tensor<float>(d0[],d1[16]) and not to a number");
        assertThatIllegalStateException()
                .isThrownBy(() -> evaluator.evaluatorOf("sub_MLP").evaluate())
                .withMessage(
                        "Argument 'features' must be bound to a value of type tensor<float>(d0[],d1[16])");
    }

    /** 100,000 cells in each of two inputs and in the output. */
    @ParameterizedTest
    @CsvSource({
        "4, the values of this request take 3211264 bytes of memory or more",
        "5, there is no memory for the values of this request"
    })
    void refusesARunWithoutMemoryForCopies(int mebibytes, String problem) {
        FunctionEvaluator sum = largeSum();

        try (MemoryShare request = new RequestMemory((long) mebibytes << 20).open()) {
            request.waitUntil(System.nanoTime());
            request.run(() ->
                    assertThatExceptionOfType(MemoryRefusedException.class)
                            .isThrownBy(sum::evaluate)
                            .withMessageContaining(problem));
        }
    }

    @Test
    void chargesTheRequestForTheResult() {
        FunctionEvaluator sum = largeSum();

        try (MemoryShare request = new RequestMemory(32 << 20).open()) {
            request.run(sum::evaluate);
            assertThat(request.bytes()).isEqualTo(100_000 * 16);
        }
    }

    private FunctionEvaluator largeSum() {
        DenseTensor input = DenseTensor.parse("tensor<float>(d0[1],d1[100000]):{}");
        return models.forComponents()
                .evaluatorOf("pair", "default", "the_sum")
                .bind("query", input)
                .bind("document", input);
    }

    private String get(String path) throws Exception {
        return connector.getResponse(
                "GET %s HTTP/1.1\r\nHost: h:8080\r\nConnection: close\r\n\r\n".formatted(path));
    }

    private static String body(String response) throws IOException {
        int at = response.indexOf("\r\n\r\n");
        assertThat(response).startsWith("HTTP/1.1 200");
        return response.substring(at + 4);
    }

    /** Encodes the values of parameters. */
    private static String encoded(String parameters) {
        var encoded = new StringBuilder();
        for (String parameter : parameters.split("&", -1)) {
            String[] parts = parameter.split("=", 2);
            encoded.append(encoded.isEmpty() ? "" : "&")
                    .append(parts[0])
                    .append('=')
                    .append(URLEncoder.encode(parts[1], UTF_8));
        }
        return encoded.toString();
    }
}
