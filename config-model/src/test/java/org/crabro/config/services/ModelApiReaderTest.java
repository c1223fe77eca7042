package org.crabro.config.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.Notice;
import org.crabro.config.services.ModelApi.Batching;
import org.crabro.config.services.ModelApi.Format;
import org.crabro.config.services.ModelApi.PackagedModel;
import org.crabro.ranking.onnx.ExecutionMode;
import org.crabro.ranking.onnx.ModelSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelApiReaderTest {
    private static final Path TESTED = Path.of("../ranking/src/test/resources/org/crabro/ranking");

    @TempDir private Path folder;

    private final Findings findings = new Findings();

    @BeforeEach
    void writeModels() throws IOException {
        copy("onnx/pair.onnx", "models/pair.onnx");
        copy("onnx/mlp.onnx", "models/sub/rank.v2.onnx");
        copy("forest/xgboost.json", "models/trees.json");
        copy("forest/xgboost-saved.json", "models/saved.json");
        copy("forest/xgboost-dart.ubj", "models/dart.ubj");
        copy("forest/lightgbm-binary.json", "models/light.json");
        copy("onnx/pair.onnx", "elsewhere/other.onnx");
        write("models/tokenizer.json", "{\"version\":\"1.0\",\"model\":{\"vocab\":{\"a\":1}}}");
        write("models/list.json", "[1, 2]");
        write("models/broken.json", "{\"tree_in");
        write("models/no.onnx", "no model");
    }

    @Test
    void findsTheModelsOfThePackage() throws IOException {
        List<PackagedModel> models = models("<model-evaluation/>").orElseThrow().models();

        assertThat(models)
                .extracting(PackagedModel::name)
                .containsExactly("dart", "light", "pair", "saved", "sub_rank_v2", "trees");
        assertThat(models)
                .extracting(PackagedModel::format)
                .containsExactly(
                        Format.XGBOOST_BINARY,
                        Format.LIGHTGBM,
                        Format.ONNX,
                        Format.XGBOOST,
                        Format.ONNX,
                        Format.XGBOOST);
        assertThat(models).extracting(PackagedModel::settings).containsOnly(ModelSettings.DEFAULT);
        assertThat(findings.problems()).isEmpty();
    }

    @Test
    void warnsOfFilesThatAreNoModels() throws IOException {
        write("models/empty.json", "");

        models("<model-evaluation/>");

        assertThat(findings.notices())
                .containsExactlyInAnyOrder(
                        leftOut(
                                "broken.json",
                                "line 1, column 10: no JSON that is well formed: Unexpected end-of-input in property name"),
                        leftOut("empty.json", "expected trees of XGBoost or LightGBM"),
                        leftOut(
                                "list.json",
                                "line 1, column 1: expected trees of XGBoost or LightGBM"),
                        leftOut(
                                "tokenizer.json",
                                "line 1, column 1: expected trees of XGBoost or LightGBM"),
                        leftOut(
                                "no.onnx",
                                "no.onnx is no ONNX model: a field of an unknown kind at byte 1"));
        assertThat(findings.problems()).isEmpty();
    }

    @Test
    void warnsOfNoFileThatAnotherPartOfThePackageUses() throws IOException {
        Files.createDirectories(folder.resolve("schemas"));
        write(
                "schemas/note.sd",
                """
                schema note {
                  document note {}
                  rank-profile trees {
                    first-phase { expression: xgboost("broken.json") + lightgbm('list.json') }
                  }
                  onnx-model no { file: models/no.onnx }
                }
                """);

        models(
                """
                <component id="e" type="hugging-face-tokenizer"><model path="models/tokenizer.json"/></component>
                <model-evaluation/>
                """);

        assertThat(findings.notices())
                .extracting(Notice::message)
                .noneMatch(message -> message.contains("is left out"));
    }

    private static Notice leftOut(String file, String reason) {
        return new Notice(
                Notice.Level.WARNING,
                "services.xml:1:31: models/%s is left out: %s".formatted(file, reason));
    }

    @Test
    void readsTheSettingsOfAModel() throws IOException {
        List<PackagedModel> models =
                models(
                                """
                                <model-evaluation><onnx><models>
                                  <model name="pair">
                                    <execution-mode>parallel</execution-mode>
                                    <intraop-threads>2</intraop-threads>
                                    <interop-threads>3</interop-threads>
                                    <gpu-device>0</gpu-device>
                                  </model>
                                  <model name="sub_rank_v2">
                                    <execution-mode>adaptive</execution-mode>
                                    <intraop-threads>-2</intraop-threads>
                                    <batching max-size="8" max-delay="0.005s"/>
                                  </model>
                                </models></onnx></model-evaluation>
                                """)
                        .orElseThrow()
                        .models();

        assertThat(models.get(2).settings())
                .isEqualTo(new ModelSettings(2, 3, ExecutionMode.PARALLEL, true));
        assertThat(models.get(4).settings())
                .isEqualTo(
                        ModelSettings.of(
                                Optional.of(ExecutionMode.ADAPTIVE),
                                OptionalInt.of(-2),
                                OptionalInt.empty(),
                                true));
        assertThat(models).filteredOn(model -> model.batching().equals(Batching.NONE)).hasSize(5);
        assertThat(findings.notices())
                .extracting(Notice::message)
                .contains(
                        "services.xml:6:5: gpu-device: no model is run on a graphics processor here");
        assertThat(models.get(4).batching()).isEqualTo(new Batching(8, Duration.ofMillis(5)));
        assertThat(findings.problems()).isEmpty();
    }

    @Test
    void aDelayIsATime() throws IOException {
        models(
                """
                <model-evaluation><onnx><models><model name="pair">
                  <batching max-size="8" max-delay="soon"/>
                </model></models></onnx></model-evaluation>
                """);

        assertThat(findings.problems())
                .hasSize(1)
                .first()
                .asString()
                .contains("expected a time such as 5ms or 0.1s but found 'soon'");
    }

    @Test
    void rejectsModelsThatItCannotServe() throws IOException {
        copy("onnx/pair.onnx", "models/sub_rank.v2.onnx");
        write("models/functions.model", "model functions {}");

        models(
                """
                <model-evaluation><onnx><models><model name="pairs"/></models></onnx></model-evaluation>
                """);

        assertThat(findings.problems())
                .hasSize(1)
                .first()
                .asString()
                .contains(
                        "models/sub/rank.v2.onnx and models/sub_rank.v2.onnx are both the model 'sub_rank_v2'; give one of them another name");
        assertThat(findings.notices())
                .extracting(Notice::message)
                .contains(
                        "services.xml:1:31: models/functions.model is left out: models as functions are not built",
                        "services.xml:1:63: there is no model 'pairs' below models/; did you mean 'pair'?");
    }

    @Test
    void aClusterWithoutTheElementServesNone() throws IOException {
        assertThat(models("")).isEmpty();
    }

    private Optional<ModelApi> models(String element) throws IOException {
        write(
                "services.xml",
                "<container version=\"1.0\">     %s</container>".formatted(element.strip()));
        return ServicesReader.read(
                        DirectoryFiles.of(folder),
                        Set.of(),
                        ApplicationName.DEFAULT,
                        new DocumentPlaces(),
                        findings)
                .flatMap(services -> services.containers().getFirst().models().api());
    }

    private void copy(String from, String to) throws IOException {
        Path file = folder.resolve(to);
        Files.createDirectories(file.resolve("..").normalize());
        Files.copy(TESTED.resolve(from), file);
    }

    private void write(String path, String text) throws IOException {
        Files.writeString(folder.resolve(path), text);
    }
}
