package org.crabro.container.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.services.ServiceEmbedderSettings;
import org.crabro.config.services.ServiceEmbedderSettings.Access;
import org.crabro.config.services.ServiceEmbedderSettings.Model;
import org.crabro.config.services.ServiceEmbedderSettings.Quantization;
import org.crabro.config.services.ServiceEmbedderSettings.Service;
import org.crabro.container.secret.Secrets;
import org.crabro.container.service.ScriptedService;
import org.crabro.container.service.ScriptedService.Answer;
import org.crabro.container.service.ServiceClient;
import org.crabro.container.service.ServiceHosts;
import org.crabro.container.service.ServiceRules;
import org.crabro.ranking.onnx.Embedder.Purpose;
import org.crabro.ranking.onnx.Embedder.Target;
import org.crabro.ranking.onnx.EmbeddingRefusedException;
import org.crabro.ranking.onnx.EmbeddingRefusedException.Reason;
import org.crabro.ranking.onnx.TextPrefixes;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ServiceEmbedderTest {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final TensorType FLOATS = TensorType.parse("tensor<float>(x[8])");
    private static final TensorType BITS = TensorType.parse("tensor<int8>(x[1])");

    private final ServiceClient client =
            new ServiceClient(
                    new ServiceRules(
                            Secrets.of(Map.of("VESPA_SECRET_KEY", "k1"), Optional.empty()),
                            ServiceHosts.of("127.0.0.1")));
    private ScriptedService service;

    @BeforeEach
    void start() throws IOException {
        service = new ScriptedService(_ -> Answer.of(200, answer("[1,2,3,4,5,6,7,8]")));
    }

    @AfterEach
    void stop() {
        client.close();
        service.close();
    }

    @Test
    void sendsTheRequestOfOpenAi() {
        var embedder = open(Service.OPENAI, Quantization.AUTO);

        assertThat(embedder.embed("Hello \"you\"", Purpose.QUERY, FLOATS))
                .isEqualTo(DenseTensor.of(FLOATS, new double[] {1, 2, 3, 4, 5, 6, 7, 8}));
        assertThat(service.requests())
                .containsExactly(
                        new ScriptedService.Request(
                                "/v1/embeddings",
                                "Bearer k1",
                                "{\"model\":\"m1\",\"input\":[\"q: Hello \\\"you\\\"\"],\"dimensions\":8,\"encoding_format\":\"float\"}"));
    }

    @ParameterizedTest
    @CsvSource({
        "MISTRAL, AUTO, tensor<float>(x[8]), float",
        "MISTRAL, FLOAT, tensor<bfloat16>(x[8]), float",
        "MISTRAL, AUTO, tensor<int8>(x[8]), int8",
        "MISTRAL, INT8, tensor<int8>(x[8]), int8",
    })
    void sendsTheRequestOfMistral(
            Service asked, Quantization quantization, String type, String form) {
        open(asked, quantization).embed("a", Purpose.DOCUMENT, TensorType.parse(type));

        assertThat(service.requests().getFirst().body())
                .isEqualTo(
                        "{\"model\":\"m1\",\"input\":[\"d: a\"],\"output_dimension\":8,\"output_dtype\":\"%s\"}"
                                .formatted(form));
    }

    @Test
    void sendsTheRequestOfVoyage() {
        var embedder = open(Service.VOYAGE, Quantization.AUTO);
        embedder.embed("a", Purpose.DOCUMENT, FLOATS);
        embedder.embed("a", Purpose.QUERY, FLOATS);

        assertThat(service.requests().getFirst().body())
                .isEqualTo(
                        "{\"model\":\"m1\",\"input\":[\"d: a\"],\"input_type\":\"document\",\"truncation\":true,\"output_dimension\":8,\"output_dtype\":\"float\"}");
        assertThat(service.requests().getLast().body()).contains("\"input_type\":\"query\"");
    }

    @Test
    void asksForBitsThatFillTheType() {
        service.then(Answer.of(200, answer("[129]")));

        DenseTensor bits =
                open(Service.VOYAGE, Quantization.AUTO).embed("a", Purpose.DOCUMENT, BITS);

        assertThat(bits).isEqualTo(DenseTensor.of(BITS, new double[] {(byte) 0b1000_0001}));
        assertThat(service.requests().getFirst().body()).contains("\"output_dtype\":\"ubinary\"");
    }

    @Test
    void packsTheFloatsOfOpenAiIntoBits() {
        service.then(Answer.of(200, answer("[1,-1,0,0.5,-2,3,0,0.1]")));

        assertThat(open(Service.OPENAI, Quantization.AUTO).embed("a", Purpose.DOCUMENT, BITS))
                .isEqualTo(DenseTensor.of(BITS, new double[] {(byte) 0b1001_0101}));
    }

    @Test
    void sendsSeveralTextsInARequestAndLeavesOutBlankOnes() {
        service.then(
                        Answer.of(
                                200,
                                "{\"object\":\"list\",\"data\":[{\"object\":\"embedding\",\"index\":1,\"embedding\":[2,0,0,0,0,0,0,0]},{\"index\":0,\"embedding\":[1,0,0,0,0,0,0,0]}],\"usage\":{\"total_tokens\":3}}"))
                .then(Answer.of(200, answer("[3,0,0,0,0,0,0,0]")));

        var tensors =
                open(Service.OPENAI, Quantization.AUTO)
                        .embedAll(
                                List.of("a", " ", "b", "c"),
                                new Target(Purpose.DOCUMENT, FLOATS, LONG));

        assertThat(tensors)
                .extracting(each -> ((DenseTensor) each).cell(0))
                .containsExactly(1.0, 0.0, 2.0, 3.0);
        assertThat(service.requests())
                .extracting(ScriptedService.Request::body)
                .satisfiesExactly(
                        first -> assertThat(first).contains("\"input\":[\"d: a\",\"d: b\"]"),
                        second -> assertThat(second).contains("\"input\":[\"d: c\"]"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no json | it is no JSON: ",
                "[] | it is no JSON object",
                "{} | it has no array 'data'",
                "{\"data\": []} | it has 0 embeddings of 1 texts",
                "{\"data\": [1]} | an element of 'data' is no object",
                "{\"data\": [{}]} | an element of 'data' has no 'embedding'",
                "{\"data\": [{\"embedding\": 1}]} | an embedding is no array",
                "{\"data\": [{\"embedding\": [1]}]} | an embedding has 1 values, but 8 are expected",
                "{\"data\": [{\"embedding\": [1,2,3,4,5,6,7,8,9]}]} | an embedding has 9 values, but 8 are expected",
                "{\"data\": [{\"embedding\": [null]}]} | an embedding has a value that is no number",
                "{\"data\": [{\"embedding\": [1e999]}]} | an embedding has a value that is not finite",
                "{\"data\": [{\"index\": 1, \"embedding\": [1,2,3,4,5,6,7,8]}]} | it has the index 1 for 1 texts",
                "{\"data\": [{\"embedding\": [1,2 | it is no JSON: ",
            })
    void reportsAMalformedAnswer(String body, String problem) {
        service.then(Answer.of(200, body));

        assertThatExceptionOfType(EmbeddingRefusedException.class)
                .isThrownBy(() ->
                        open(Service.OPENAI, Quantization.AUTO)
                                .embed("a", Purpose.DOCUMENT, FLOATS))
                .withMessageStartingWith("127.0.0.1 sent an answer that cannot be used: " + problem)
                .extracting(EmbeddingRefusedException::reason)
                .isEqualTo(Reason.UPSTREAM_FAILED);
    }

    @Test
    void reportsASlowService() {
        service.then(Answer.of(0, ""));

        assertThatExceptionOfType(EmbeddingRefusedException.class)
                .isThrownBy(() ->
                        open(Service.OPENAI, Quantization.AUTO)
                                .embedAll(
                                        List.of("a"),
                                        new Target(Purpose.QUERY, FLOATS, Duration.ofMillis(50))))
                .withMessage("127.0.0.1 did not answer in time")
                .extracting(EmbeddingRefusedException::reason)
                .isEqualTo(Reason.TIMED_OUT);
    }

    @ParameterizedTest
    @CsvSource({
        "OPENAI, AUTO, tensor<float>(x[8]), true",
        "OPENAI, AUTO, tensor<double>(x[8]), true",
        "OPENAI, AUTO, tensor<int8>(x[1]), true",
        "OPENAI, AUTO, tensor<int8>(x[8]), false",
        "OPENAI, AUTO, tensor<float>(x[4]), false",
        "OPENAI, AUTO, tensor<float>(t{}), false",
        "VOYAGE, AUTO, tensor<int8>(x[8]), true",
        "VOYAGE, AUTO, tensor<int8>(x[1]), true",
        "VOYAGE, FLOAT, tensor<int8>(x[8]), false",
        "VOYAGE, INT8, tensor<float>(x[8]), false",
        "VOYAGE, BINARY, tensor<int8>(x[8]), false",
        "VOYAGE, BINARY, tensor<int8>(x[1]), true",
    })
    void checksTypes(Service asked, Quantization quantization, String type, boolean fits) {
        var embedder = open(asked, quantization);
        TensorType parsed = TensorType.parse(type);

        if (fits) {
            embedder.check(parsed);
        } else {
            assertThatIllegalArgumentException().isThrownBy(() -> embedder.check(parsed));
        }
    }

    @ParameterizedTest
    @EnumSource(Service.class)
    void isRefusedWithoutTheOperator(Service asked) {
        try (var none = new ServiceClient(ServiceRules.NONE)) {
            String host = asked.endpoint().getHost();

            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            ServiceEmbedder.open(
                                    "e",
                                    settings(asked, Quantization.AUTO, asked.endpoint()),
                                    none))
                    .withMessage(
                            "component 'e': this server does not call %s; its operator allows it with --services %s, or the setting services.hosts"
                                    .formatted(host, host));
        }
    }

    private ServiceEmbedder open(Service asked, Quantization quantization) {
        return ServiceEmbedder.open(
                "e", settings(asked, quantization, service.uri("/v1/embeddings")), client);
    }

    private static ServiceEmbedderSettings settings(
            Service asked, Quantization quantization, URI endpoint) {
        return new ServiceEmbedderSettings(
                asked,
                new Model("m1", 8, quantization, true),
                new Access(endpoint, Optional.of("key")),
                new TextPrefixes("q: ", "d: "),
                2);
    }

    private static String answer(String values) {
        return "{\"data\":[{\"index\":0,\"embedding\":" + values + "}]}";
    }
}
