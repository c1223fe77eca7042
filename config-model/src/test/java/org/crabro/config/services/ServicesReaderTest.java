package org.crabro.config.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import org.crabro.config.application.Findings;
import org.crabro.config.application.MapFiles;
import org.crabro.config.application.Notice;
import org.crabro.config.services.ContentCluster.ClusterDocument;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.config.services.ContentCluster.ResourceLimits;
import org.crabro.ranking.onnx.HuggingFaceSettings;
import org.crabro.ranking.onnx.HuggingFaceSettings.Pooling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServicesReaderTest {
    private static final String EMBEDDER =
            "<component id='e' type='hugging-face-embedder'>"
                    + "<transformer-model path='models/m.onnx'/>"
                    + "<tokenizer-model path='models/t.json'/>";

    @Test
    void readsClusters() {
        var findings = new Findings();

        Services services =
                read(
                                """
                                <?xml version="1.0" encoding="utf-8" ?>
                                <services version="1.0" minimum-required-vespa-version="8.600.12">
                                  <admin version="2.0"><anything at="all"/></admin>
                                  <container id="web" version="1.0">
                                    <search/>
                                    <document-api/>
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
                                    <http><server id="main" port="8081"/></http>
                                  </container>
                                  <container id="plain" version="1.0"/>
                                  <content id="store" version="1.0">
                                    <min-redundancy>2</min-redundancy>
                                    <documents>
                                      <document type="mail" mode="streaming"/>
                                      <document type="page" mode="index"/>
                                      <document type="file" mode="store-only"/>
                                      <document-processing cluster="web"/>
                                    </documents>
                                    <nodes><node hostalias="a" distribution-key="0"/></nodes>
                                    <engine><proton/></engine>
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
                                        new ClusterDocument("page", Mode.INDEX),
                                        new ClusterDocument("file", Mode.STORE_ONLY)),
                                new ResourceLimits(OptionalDouble.of(0.9), OptionalDouble.of(1))));
        assertThat(services.containers())
                .containsExactly(
                        new ContainerCluster(
                                "web",
                                true,
                                true,
                                OptionalInt.of(8081),
                                List.of(
                                        new EmbedderComponent(
                                                "mini",
                                                new HuggingFaceSettings(
                                                        Path.of("/package/models/m.onnx"),
                                                        Path.of("/package/models/t.json"),
                                                        128,
                                                        "input_ids",
                                                        "attention_mask",
                                                        "",
                                                        "last_hidden_state",
                                                        Pooling.CLS,
                                                        true,
                                                        "query: ",
                                                        "",
                                                        -4)))),
                        new ContainerCluster(
                                "plain", false, false, OptionalInt.empty(), List.of()));
        assertThat(findings.notices().stream().map(Notice::message))
                .contains(
                        "services.xml:3:3: services/admin changes nothing here",
                        "services.xml:9:7: url is not built yet; the file at path is taken",
                        "services.xml:31:5: content/engine changes nothing here");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1.01", "-0.5", "80%", "0,8", "1e-1", "", "NaN"})
    void refusesALimitThatIsNoShare(String share) {
        String xml =
                """
                <content version="1.0">
                  <min-redundancy>1</min-redundancy>
                  <documents><document type="mail" mode="streaming"/></documents>
                  <tuning>
                    <resource-limits>
                      <disk>0.7</disk>
                      <memory>%s</memory>
                    </resource-limits>
                  </tuning>
                </content>
                """
                        .formatted(share);

        assertThat(problems(xml))
                .startsWith(
                        "services.xml:7:7: expected a share above 0 and up to 1, as in"
                                + " <memory>0.8<..., but found '%s'%n".formatted(share));
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
        assertThat(services.containers().getFirst().port()).isEqualTo(OptionalInt.of(8081));
    }

    @Test
    void showsTheLinesAroundAProblem() {
        assertThat(
                        problems(
                                """
                                <services version="1.0">
                                  <container version="1.0">
                                    <document-api/>
                                    <serch/>
                                    <nodes/>
                                  </container>
                                  <!-- more -->
                                  <!-- and more -->
                                </services>
                                """))
                .isEqualTo(
                        """
                        services.xml:4:5: unknown element 'serch' in container; expected elements out of \
                        accesslog, client-authorize, clients, component, components, config, document, \
                        document-api, document-processing, handler, http, include, inference, \
                        model-evaluation, nodes, processing, search, secret-store, secrets, server, \
                        threadpool, zookeeper; did you mean 'search'?
                          1: <services version="1.0">
                          2:   <container version="1.0">
                          3:     <document-api/>
                          4:     <serch/>
                                 ^
                          5:     <nodes/>
                          6:   </container>
                          7:   <!-- more -->\
                        """);
    }

    @Test
    void tellsWhatIsNotWellFormed() {
        assertThat(problems("<services version='1.0'>\n  <container>\n</services>"))
                .startsWith("services.xml:3:")
                .contains("not well-formed XML: ", "container", "\n  3: </services>");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    <!DOCTYPE a SYSTEM "file:///etc/passwd"><services version='1.0'/> => 1:1: a document type (DTD) is not accepted
                    <services version='1.0'>&some;</services> => 1:31: not well-formed XML: The entity "some" was referenced, but not declared.
                    <application/>     => 1:1: expected services, container, content or admin, but found 'application'
                    <services versoin='1.0'/> => 1:11: unknown attribute 'versoin' of services; expected attributes out of minimum-required-vespa-version, version; did you mean 'version'?
                    <services minimum-required-vespa-version='9.0.0'/> => 1:11: the package asks for version 9.0.0 or newer; packages up to 8.763 are understood
                    <services minimum-required-vespa-version='new'/> => 1:11: expected a version such as 8.600.1, but found 'new'
                    <services xmlns:preprocess='properties'><preprocess:include file='a'/></services> => 1:41: there is no file 'a' to include
                    <container/>       => 1:1: container needs version="1.0"
                    """)
    void tellsErrorsOfTheFile(String xml, String message) {
        assertThat(problems(xml)).startsWith("services.xml:" + message + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    <handler id='h'/>                 => 1: container/handler is not built yet
                    <processing/>                     => 1: container/processing is not built yet
                    <search><chain id='default'/></search> => 9: search/chain is not built yet
                    <search><searchr/></search>       => 9: unknown element 'searchr' in search; expected elements out of binding, chain, config, federation, include, provider, renderer, searcher, significance, threadpool; did you mean 'searcher'?
                    <document-processing><documentprocessor/></document-processing> => 22: document-processing/documentprocessor is not built yet
                    <document-api><binding/></document-api> => 15: document-api/binding is not built yet
                    <document-api><ignore-undefined-fields>true</ignore-undefined-fields></document-api> => 15: ignore-undefined-fields is not built yet
                    <document-api><max-document-size>big</max-document-size></document-api> => 15: expected a size such as 100MiB, from 1MiB to 2048MiB, but found 'big'
                    <http><server id='a' port='0'/></http> => 22: expected a port from 1 to 65535, but found '0'
                    <http><server id='a'><ssl/></server></http> => 22: server/ssl is not built yet
                    <http><server id='a'/><server id='b'/></http> => 23: a second server is not built yet
                    <nodes><nod/></nodes>             => 8: unknown element 'nod' in nodes; expected elements out of environment-variables, jvm, node, resources; did you mean 'node'?
                    <component class='a.B'/>          => 1: component needs an id
                    <component id='a.B'/>             => 1: components of one's own are not built yet: class a.B cannot be used
                    <component id='a' type='colbert-embedder'/> => 19: component type colbert-embedder is not built yet
                    <component id='a' type='hugging-face-embeder'/> => 19: unknown component type 'hugging-face-embeder'; expected one of bert-embedder, colbert-embedder, hugging-face-embedder, hugging-face-tokenizer, mistral-embedder, openai-embedder, splade-embedder, voyage-ai-embedder; did you mean 'hugging-face-embedder'?
                    <component id='a' type='hugging-face-embedder'/> => 1: component 'a' needs transformer-model, as in <transformer-model path="models/..."/>
                    <component id='a' type='hugging-face-embedder'><transformer-model model-id='e5'/></component> => 67: model-id names a model of a cloud; name a file of the package with path
                    <component id='a' type='hugging-face-embedder'><transformer-model url='http://e5'/></component> => 67: a model by url is not built yet: put the file into the package and name it with path
                    <component id='a' type='hugging-face-embedder'><transformer-model/></component> => 48: transformer-model needs path, the file's place in the package
                    <component id='a' type='hugging-face-embedder'><transformer-model path='models/n.onnx'/></component> => 67: the package has no file models/n.onnx; did you mean 'models/m.onnx'?
                    """)
    void tellsErrorsOfContainers(String xml, String message) {
        assertThat(problems("<container version='1.0'>\n" + xml + "\n</container>"))
                .startsWith("services.xml:2:" + message + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    <max-tokens>0</max-tokens>       => expected a number from 1 to 1048576, but found '0'
                    <normalize>yes</normalize>       => expected true or false, but found 'yes'
                    <pooling-strategy>max</pooling-strategy> => expected mean, cls or none, but found 'max'
                    <prepend><doc>x</doc></prepend>  => unknown element 'doc' in prepend; expected elements out of document, query
                    """)
    void tellsErrorsOfEmbedders(String xml, String message) {
        assertThat(
                        problems(
                                "<container version='1.0'>"
                                        + EMBEDDER
                                        + xml
                                        + "</component></container>"))
                .contains(": " + message + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    <redundancy>0</redundancy>        => expected a number from 1 to 65534, but found '0'
                    <group name='a'/>                 => content/group is not built yet
                    <documents/>                      => documents holds no document
                    <documents selection='true'/>     => documents/@selection is not built yet
                    <documents garbage-collection='true'/> => documents/@garbage-collection is not built yet
                    <documents><document mode='index'/></documents> => document needs type, the name of a schema
                    <documents><document type='mial' mode='index'/></documents> => there is no schema 'mial': expected a file schemas/mial.sd; there are file, mail, page; did you mean 'mail'?
                    <documents><document type='mail'/></documents> => document needs mode, one of index, streaming, store-only
                    <documents><document type='mail' mode='indexed'/></documents> => document needs mode, one of index, streaming, store-only, but found 'indexed'
                    <documents><document type='mail' mode='index' global='true'/></documents> => document/@global is not built yet
                    <documents><document type='mail' mode='index' selection='a'/></documents> => document/@selection is not built yet
                    <documents><document type='mail' mode='index'/><document type='mail' mode='index'/></documents> => document 'mail' is there twice
                    <documents><document-processing cluster='wbe'/></documents> => there is no container 'wbe', only web; did you mean 'web'?
                    <nodes><node distribution-key='0'/><node distribution-key='0'/></nodes> => distribution-key 0 is there twice
                    <nodes><node distribution-key='a'/></nodes> => distribution-key: expected a number, but found 'a'
                    """)
    void tellsErrorsOfContents(String xml, String message) {
        String problem = message.replace("distribution-key: ", "");
        assertThat(
                        problems(
                                "<services><container id='web' version='1.0'/><content version='1.0'>\n"
                                        + xml
                                        + "\n</content></services>"))
                .contains(": " + problem + "\n");
    }

    @Test
    void tellsWhatAContentClusterNeeds() {
        assertThat(problems("<content version='1.0' id='c'/>"))
                .contains("content 'c' needs min-redundancy", "content 'c' needs documents");
    }

    @Test
    void refusesTwoOfOneName() {
        assertThat(
                        problems(
                                """
                                <services>
                                  <container version="1.0"/>
                                  <container version="1.0"/>
                                </services>
                                """))
                .startsWith(
                        "services.xml:3:3: container 'default' is there twice; the first is at"
                                + " line 2\n")
                .contains(
                        "containers 'default' and 'default' both listen on port 8080; give one of"
                                + " them another, as in <http><server id=\"default\""
                                + " port=\"8081\"/></http>");
    }

    @Test
    void needsAServicesFile() {
        var findings = new Findings();

        ServicesReader.read(new MapFiles(Map.of("app/services.xml", "")), Set.of(), findings);

        assertThat(findings.problems())
                .containsExactly(
                        "services.xml: missing in the root of the package, where it is required;"
                                + " there is app/services.xml: pack the content of its directory");
    }

    @Test
    void neitherDepthNorEntitiesExhaustIt() {
        String deep = "<a>".repeat(10_000);
        String bomb =
                "<!DOCTYPE a [<!ENTITY x 'xxxxxxxxxx'><!ENTITY y '&x;&x;&x;'>]><services>&y;</services>";

        assertThat(problems("<services>" + deep)).contains("elements are nested deeper than 64");
        assertThat(problems(bomb)).contains("a document type (DTD) is not accepted");
    }

    private static Optional<Services> read(String xml, Findings findings) {
        var files =
                new MapFiles(Map.of("services.xml", xml, "models/m.onnx", "", "models/t.json", ""));
        return ServicesReader.read(files, Set.of("mail", "page", "file"), findings);
    }

    private static String problems(String xml) {
        var findings = new Findings();
        read(xml, findings);
        return String.join("\n", findings.problems());
    }
}
