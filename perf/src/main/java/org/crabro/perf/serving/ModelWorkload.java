package org.crabro.perf.serving;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.perf.data.DeployedPackage;
import org.crabro.perf.data.PlainHttp;
import org.crabro.perf.harness.ClosedLoop;
import org.crabro.perf.harness.Measured;
import org.crabro.perf.harness.ProcessUse;
import org.crabro.perf.harness.RunSize;
import org.crabro.perf.harness.ScoreSheet;
import org.crabro.perf.harness.Workload;
import org.crabro.ranking.onnx.MeasuredModel;

/** A transformer over HTTP, against ONNX Runtime in this process. */
public final class ModelWorkload implements Workload {
    private static final int TOKENS = 128;
    private static final String TASK = "model, 6 layers, 128 tokens";
    private static final String UNIT = "runs/s";

    @Override
    public String name() {
        return "model";
    }

    @Override
    public void measure(Path folder, RunSize size, ScoreSheet results) throws Exception {
        // The vocabulary adds bytes to the package and no work to a run.
        var shape = new ModelShape("model", 6, 384, 12, 1_536, 3_000);
        Path file = TransformerFile.write(shape, folder.resolve("model.onnx"));
        double alone = alone(file, size);
        Path data = Files.createDirectory(folder.resolve("data"));
        List<String> arguments =
                List.of("--data", data.toString(), "--port", "0", "--config-port", "0");
        try (ServerProcess server = ServerProcess.start(arguments);
                var http = HttpClient.newHttpClient()) {
            DeployedPackage.deployFiles(
                    Map.of(
                            "services.xml",
                            """
                            <services version="1.0">
                              <container id="default" version="1.0"><model-evaluation/></container>
                            </services>
                            """
                                    .getBytes(UTF_8),
                            "models/model.onnx",
                            Files.readAllBytes(file)),
                    http,
                    server);
            URI address = server.container().resolve("/model-evaluation/v1/model/eval");
            byte[] form = form();
            ClosedLoop.Operation run =
                    (_, _) -> PlainHttp.post(address, "application/x-www-form-urlencoded", form);
            ClosedLoop.run(RunSize.CLIENTS, size.warmUpSeconds(), run);
            ProcessUse use = ProcessUse.of(List.of(server.pid()));
            ClosedLoop.Result result = ClosedLoop.run(RunSize.CLIENTS, size.seconds(), run);
            results.add(
                    result.measured(
                            TASK,
                            result.rate(UNIT),
                            use.cost(result.count(), List.of(), 0),
                            Optional.of(new Measured.Limit("ONNX Runtime in process", alone))));
        } catch (IOException e) {
            results.miss(
                    Measured.CRABRO,
                    TASK,
                    String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private static double alone(Path file, RunSize size) throws Exception {
        try (MeasuredModel model = MeasuredModel.openByHand(file, 1)) {
            return ServingLoad.of(model, RunSize.CLIENTS, TOKENS, size.seconds()).throughput();
        }
    }

    private static byte[] form() {
        return Map.of(
                        "input_ids",
                        row(i -> 1_000 + i),
                        "attention_mask",
                        row(_ -> 1),
                        "token_type_ids",
                        row(_ -> 0))
                .entrySet()
                .stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), UTF_8))
                .collect(Collectors.joining("&"))
                .getBytes(UTF_8);
    }

    private static String row(IntUnaryOperator value) {
        return IntStream.range(0, TOKENS)
                .map(value)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(",", "[[", "]]"));
    }
}
