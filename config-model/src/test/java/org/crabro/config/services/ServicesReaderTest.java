package org.crabro.config.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.MapFiles;
import org.crabro.config.application.Notice;
import org.crabro.config.component.OwnComponents;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.services.ContainerCluster.DocumentApi;
import org.crabro.config.services.ContainerCluster.HttpAccess;
import org.crabro.config.services.ContainerCluster.HttpServer;
import org.crabro.config.services.ContainerCluster.SearchApi;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.ContentCluster.ResourceLimits;
import org.crabro.ranking.onnx.EmbedderModel;
import org.crabro.ranking.onnx.HuggingFaceSettings;
import org.crabro.ranking.onnx.HuggingFaceSettings.Pooling;
import org.crabro.ranking.onnx.ModelSettings;
import org.crabro.ranking.onnx.TextPrefixes;
import org.crabro.ranking.onnx.TokenizerFile;
import org.crabro.ranking.significance.SignificanceModels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServicesReaderTest {
    @Test
    void readsClusters() {
        var findings = new Findings();

        Services services =
                read(
                                """
                                <?xml version="1.0" encoding="utf-8" ?>
                                <services version="1.0" minimum-required-vespa-version="8.600.12">
                                  <admin version="2.0"><adminserver hostalias="a"/></admin>
                                  <container id="web" version="1.0">
                                    <search><chain id="mine" inherits="vespa"/></search>
                                    <document-api>
                                      <ignore-undefined-fields>true</ignore-undefined-fields>
                                      <max-document-size>10 MiB</max-document-size>
                                      <timeout>60</timeout>
                                    </document-api>
                                    <document-processing/>
                                    <component id="mini" type="hugging-face-embedder">
                                      <transformer-model path="models/m.onnx" url="https://x/y"/>
                                      <tokenizer-model path="models/t.json"/>
                                      <max-tokens> 128 </max-tokens>
                                      <transformer-token-type-ids/>
                                      <pooling-strategy>cls</pooling-strategy>
                                      <normalize>true</normalize>
                                      <prepend><query>query:</query></prepend>
                                      <onnx-intraop-threads>-4</onnx-intraop-threads>
                                    </component>
                                    <nodes count="2"><resources vcpu="4"/></nodes>
                                    <http><server id="main" port="8081"/><server id="b"/></http>
                                  </container>
                                  <container id="plain" version="1.0"><http/></container>
                                  <content id="store" version="1.0">
                                    <min-redundancy>2</min-redundancy>
                                    <documents>
                                      <document type="mail" mode="streaming"/>
                                      <document type="page" mode="index" global="true"/>
                                      <document type="file" mode="store-only"/>
                                      <document-processing cluster="web"/>
                                    </documents>
                                    <nodes><node hostalias="a" distribution-key="0"/></nodes>
                                    <search><query-timeout>2.5</query-timeout></search>
                                    <tuning>
                                      <max-document-size>1MiB</max-document-size>
                                      <resource-limits>
                                        <disk>0.9</disk>
                                        <memory>1</memory>
                                      </resource-limits>
                                    </tuning>
                                  </content>
                                </services>
                                """,
                                findings)
                        .orElseThrow();

        assertThat(findings.problems()).isEmpty();
        assertThat(services.contents())
                .containsExactly(
                        new ContentCluster(
                                "store",
                                List.of(
                                        new ClusterDocument("mail", Mode.STREAMING),
                                        new ClusterDocument("page", Mode.INDEX, true),
                                        new ClusterDocument("file", Mode.STORE_ONLY)),
                                new ResourceLimits(
                                        OptionalDouble.of(0.9),
                                        OptionalDouble.of(1),
                                        OptionalInt.of(1 << 20)),
                                Optional.of(Duration.ofMillis(2_500))));
        assertThat(services.containers())
                .containsExactly(
                        new ContainerCluster(
                                "web",
                                Optional.of(
                                        new SearchApi(
                                                Set.of("mine"),
                                                List.of(),
                                                SignificanceModels.NONE)),
                                Optional.of(
                                        new DocumentApi(
                                                true,
                                                OptionalLong.of(10 << 20),
                                                Optional.of(Duration.ofMinutes(1)))),
                                new HttpAccess(
                                        List.of(
                                                new HttpServer(OptionalInt.of(8081)),
                                                HttpServer.DEFAULT)),
                                List.of(
                                        new EmbedderComponent(
                                                "mini",
                                                new EmbedderSource.OfModel(
                                                        new HuggingFaceSettings(
                                                                new EmbedderModel(
                                                                        Path.of(
                                                                                "/package/models/m.onnx"),
                                                                        "input_ids",
                                                                        "attention_mask",
                                                                        "",
                                                                        "last_hidden_state",
                                                                        ModelSettings.sequential(-4)
                                                                                .withInterOpThreads(
                                                                                        1)),
                                                                new TokenizerFile(
                                                                        Path.of(
                                                                                "/package/models/t.json"),
                                                                        128),
                                                                Optional.empty(),
                                                                Pooling.CLS,
                                                                true,
                                                                new TextPrefixes("query: ", ""))))),
                                OwnComponents.NONE),
                        new ContainerCluster(
                                "plain",
                                Optional.empty(),
                                Optional.empty(),
                                new HttpAccess(List.of()),
                                List.of(),
                                OwnComponents.NONE));
        assertThat(findings.notices().stream().map(Notice::message))
                .contains(
                        "services.xml:3:3: services/admin has no effect",
                        "services.xml:13:7: the file at path is used, and the one at url is not fetched");
    }

    @Test
    void aSingleClusterMayBeTheRoot() {
        var findings = new Findings();

        Services services =
                read("<container version='1.0'><search/></container>", findings).orElseThrow();

        assertThat(findings.problems()).isEmpty();
        assertThat(services.containers().getFirst().id()).isEqualTo("default");
        assertThat(services.contents()).isEmpty();
    }

    @Test
    void snippetSettingsHoldForEveryCluster() {
        var findings = new Findings();

        Services services =
                read(
                                """
                                <services version="1.0">
                                  <config name="vespa.config.search.summary.juniperrc">
                                    <length>100</length><winsize>50</winsize>
                                    <override>
                                      <item><fieldname>a</fieldname><length>10</length></item>
                                      <item><fieldname>b</fieldname><length>20</length></item>
                                    </override>
                                  </config>
                                  <content id="one" version="1.0">
                                    <min-redundancy>1</min-redundancy>
                                    <documents><document type="mail" mode="index"/></documents>
                                    <config name="juniperrc" namespace="vespa.config.search.summary">
                                      <winsize>60</winsize>
                                      <override>
                                        <item><fieldname>a</fieldname><max_matches>9</max_matches></item>
                                      </override>
                                    </config>
                                    <config name="vespa.config.search.summary.juniperrc">
                                      <prefix>false</prefix>
                                    </config>
                                  </content>
                                  <content id="two" version="1.0">
                                    <min-redundancy>1</min-redundancy>
                                    <documents><document type="page" mode="index"/></documents>
                                  </content>
                                </services>
                                """,
                                findings)
                        .orElseThrow();

        assertThat(findings.problems()).isEmpty();
        assertThat(findings.notices()).isEmpty();
        SnippetRules one = services.contents().getFirst().queries().snippets();
        assertThat(one.usual().size().length()).isEqualTo(100);
        assertThat(one.usual().window()).isEqualTo(60);
        assertThat(one.usual().prefix()).isFalse();
        assertThat(one.of("a").size().length()).as("the later item replaces").isEqualTo(100);
        assertThat(one.of("a").size().maxMatches()).isEqualTo(9);
        assertThat(one.of("b").size().length()).isEqualTo(20);
        assertThat(one.of("b").window()).isEqualTo(60);
        SnippetRules two = services.contents().getLast().queries().snippets();
        assertThat(two.usual().window()).isEqualTo(50);
        assertThat(two.usual().prefix()).isTrue();
        assertThat(two.of("a").size().length()).isEqualTo(10);
    }

    @Test
    void theNearestConfigSetsTheTextsForHighlighting() {
        var findings = new Findings();
        String config =
                "<config name=\"container.qr-searchers\"><tag>%s</tag><expert>1</expert></config>";
        Services services =
                read(
                                """
                                <services version="1.0">
                                  %s
                                  <container id="one" version="1.0">
                                    %s
                                    <search>%s</search>
                                  </container>
                                  <container id="two" version="1.0">
                                    <search/>
                                    <http><server id="b" port="8081"/></http>
                                  </container>
                                </services>
                                """
                                        .formatted(
                                                config.formatted(
                                                        "<bold><open>[</open></bold><separator>…</separator>"),
                                                config.formatted(
                                                        "<bold><open>&lt;b&gt;</open><close>&lt;/b&gt;</close></bold>"),
                                                config.formatted("<separator></separator>")
                                                        .replace("<expert>1</expert>", "")),
                                findings)
                        .orElseThrow();

        assertThat(findings.problems()).isEmpty();
        assertThat(findings.notices())
                .extracting(Notice::message)
                .containsExactly(
                        "services.xml:2:3: of config container.qr-searchers only tag is read; without effect: expert",
                        "services.xml:4:5: of config container.qr-searchers only tag is read; without effect: expert");
        assertThat(services.containers())
                .extracting(container -> container.search().orElseThrow().tags())
                .containsExactly(
                        new HighlightTags(Optional.of("<b>"), Optional.of("</b>"), Optional.of("")),
                        new HighlightTags(Optional.of("["), Optional.empty(), Optional.of("…")));
    }

    @Test
    void aTypeThatIsDeclaredTwiceInAClusterIsStoredOnce() {
        var findings = new Findings();

        Services services =
                read(
                                """
                                <content id="one" version="1.0">
                                  <min-redundancy>1</min-redundancy>
                                  <documents selection="mail.size &gt; 0 or page">
                                    <document type="mail" mode="streaming" selection="mail.a == 1" global="true"/>
                                    <document type="page" mode="index" selection="page.a == 1"/>
                                    <document type="mail" mode="index" selection="mail.b == 2"/>
                                    <document type="page" mode="index"/>
                                  </documents>
                                </content>
                                """,
                                findings)
                        .orElseThrow();

        assertThat(findings.problems()).isEmpty();
        assertThat(services.contents().getFirst().documents())
                .containsExactly(
                        new ClusterDocument(
                                "mail",
                                Mode.INDEX,
                                true,
                                "(mail.size > 0 or page) and ((mail.a == 1) or (mail.b == 2))"),
                        new ClusterDocument("page", Mode.INDEX, false, "mail.size > 0 or page"));
    }

    @Test
    void anIncludeOfAnEmptyDirectoryIsAccepted(@TempDir Path root) throws IOException {
        Files.createDirectories(root.resolve("parts"));
        Files.writeString(
                root.resolve("services.xml"),
                "<container version='1.0'><search/><include dir='parts'/></container>");
        var findings = new Findings();

        ServicesReader.read(
                DirectoryFiles.of(root),
                Set.of(),
                ApplicationName.DEFAULT,
                new DocumentPlaces(),
                findings);

        assertThat(findings.problems()).isEmpty();
        assertThat(findings.notices())
                .extracting(Notice::message)
                .containsExactly("services.xml:1:35: there is no XML file in 'parts/' to include");
    }

    @Test
    void leavesOutWhatIsForOtherEnvironments() {
        var findings = new Findings();

        Services services =
                read(
                                """
                                <services xmlns:deploy="vespa" version="1.0">
                                  <container id="a" version="1.0">
                                    <http><server id="s" port="8081"/></http>
                                    <http deploy:environment="dev perf"><server id="s" port="1"/></http>
                                    <nodes count="1" deploy:environment="prod" deploy:region="default"/>
                                    <nodes count="none of" deploy:environment="prod">
                                      <unknown/>
                                    </nodes>
                                  </container>
                                </services>
                                """,
                                findings)
                        .orElseThrow();

        assertThat(findings.problems()).isEmpty();
        assertThat(services.containers().getFirst().http().servers())
                .containsExactly(new HttpServer(OptionalInt.of(8081)));
    }

    @Test
    void neitherDepthNorEntitiesExhaustIt() {
        String deep = "<a>".repeat(10_000);
        String bomb =
                "<!DOCTYPE a [<!ENTITY x 'xxxxxxxxxx'><!ENTITY y"
                        + " '&x;&x;&x;'>]><services>&y;</services>";

        assertThat(problems("<services>" + deep)).contains("elements are nested deeper than 64");
        assertThat(problems(bomb)).contains("a document type (DTD) is not accepted");
    }

    @Test
    void neitherErrorsNorChainsNorIncludesWithoutEndExhaustIt() {
        String errors = "<container version='1.0'>" + "<serch/>\n".repeat(20_000) + "</container>";
        var chains = new StringBuilder("<container version='1.0'><search>");
        for (int i = 0; i < 1_001; i++) {
            chains.append("<chain id='c%d' inherits='c%d'/>".formatted(i + 1, i));
        }
        chains.append("</search></container>");
        var phases = new StringBuilder("<container version='1.0'><search><chain id='c'>");
        for (int i = 0; i < 1_000; i++) {
            phases.append("<phase id='p%d' after='p%d'/>".formatted(i, (i + 1) % 1_000));
        }
        phases.append("</chain></search></container>");
        var files = new HashMap<String, String>();
        files.put(
                "services.xml",
                "<services xmlns:preprocess='p'><preprocess:include file='a0'/></services>");
        for (int i = 0; i < 100; i++) {
            files.put("a" + i, "<a><preprocess:include file='a%d'/></a>".formatted(i + 1));
        }
        var findings = new Findings();
        ServicesReader.read(
                new MapFiles(files),
                Set.of(),
                ApplicationName.DEFAULT,
                new DocumentPlaces(),
                findings);

        assertThat(problems(errors)).endsWith("\n19950 more problems");
        assertThat(problems(chains.toString()))
                .contains("search has 1,001 chains; at most 1,000 are allowed");
        assertThat(problems(phases.toString())).contains("chain 'c' cannot be put in order");
        assertThat(findings.problems().getFirst())
                .contains("files include each other more than 20 deep");
    }

    @Test
    void knowsTheNamesOfItsHosts() {
        var files =
                new MapFiles(
                        Map.of(
                                "hosts.xml",
                                """
                                <hosts>
                                  <host name="one.example"><alias>node1</alias></host>
                                  <host name="two.example"><alias>node2</alias></host>
                                </hosts>
                                """,
                                "services.xml",
                                """
                                <container id="web" version="1.0">
                                  <search>
                                    <binding>http://search.example/q/*</binding>
                                    <binding>http://*/q/*</binding>
                                    <binding>http://any.*/q/*</binding>
                                  </search>
                                  <document-api><binding>http://feed.example:8080/</binding></document-api>
                                  <nodes><node hostalias="node1"/></nodes>
                                </container>
                                """));
        var findings = new Findings();

        Services services =
                ServicesReader.read(
                                files,
                                Set.of(),
                                ApplicationName.DEFAULT,
                                new DocumentPlaces(),
                                findings)
                        .orElseThrow();

        assertThat(findings.problems()).isEmpty();
        assertThat(services.topology().hosts())
                .containsExactlyInAnyOrder("one.example", "two.example");
        assertThat(services.hostNames())
                .containsExactlyInAnyOrder(
                        "one.example", "two.example", "search.example", "feed.example");
    }

    private static Optional<Services> read(String xml, Findings findings) {
        var files =
                new MapFiles(Map.of("services.xml", xml, "models/m.onnx", "", "models/t.json", ""));
        return ServicesReader.read(
                files,
                Set.of("mail", "page", "file"),
                ApplicationName.DEFAULT,
                new DocumentPlaces(),
                findings);
    }

    private static String problems(String xml) {
        var findings = new Findings();
        read(xml, findings);
        return String.join("\n", findings.problems());
    }
}
