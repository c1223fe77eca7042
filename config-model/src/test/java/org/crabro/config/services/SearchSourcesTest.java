package org.crabro.config.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.application.MapFiles;
import org.crabro.config.component.ChainEnding;
import org.crabro.config.component.Federation;
import org.crabro.config.component.OwnComponents.Chain;
import org.crabro.config.component.SearchChains;
import org.crabro.config.component.SourceOptions;
import org.crabro.config.deploy.ApplicationCompiler;
import org.junit.jupiter.api.Test;

/** What providers, sources and federations of services.xml become. */
class SearchSourcesTest {
    private static final ChainEnding VESPA = new ChainEnding.BuiltIn(true);
    private static final ChainEnding NATIVE = new ChainEnding.BuiltIn(false);
    private static final ChainEnding ALONE = new ChainEnding.Nothing();
    private static final ChainEnding A = new ChainEnding.LocalCluster("a");

    @Test
    void aLocalProviderIsAChainThatSearchesOneCluster() {
        SearchChains chains =
                chains(
                        """
                        <provider id="p" type="local" cluster="a"/>
                        <provider id="q" type="local" cluster="a"
                            excludes="com.yahoo.prelude.querytransform.StemmingSearcher">
                          <source id="s"/>
                          <source id="t"/>
                        </provider>
                        <provider id="r" inherits="q"><source idref="s"/></provider>
                        """);

        assertThat(chains.byId())
                .containsExactly(
                        Map.entry("p", new Chain(List.of(), A)),
                        Map.entry("q", new Chain(List.of(), A, false)),
                        Map.entry("s@q", new Chain(List.of(), A, false)),
                        Map.entry("t@q", new Chain(List.of(), A, false)),
                        Map.entry("r", new Chain(List.of(), A, false)),
                        Map.entry("s@r", new Chain(List.of(), A, false)),
                        Map.entry("a", new Chain(List.of(), A)),
                        Map.entry("b", new Chain(List.of(), new ChainEnding.LocalCluster("b"))));
    }

    @Test
    void builtInChainsAskAllSourcesAndProvidersWithoutOne() {
        SearchChains chains =
                chains(
                        """
                        <provider id="p" type="local" cluster="a"/>
                        <provider id="q" type="local" cluster="a"><source id="s"/></provider>
                        <provider id="r" type="local" cluster="a"><source idref="s"/></provider>
                        """);

        assertThat(shown(chains.builtIn()))
                .describedAs("and the clusters that no provider searches")
                .isEqualTo("p(p=p) s(q=s@q r=s@r) b(b=b)");
    }

    private static String shown(Optional<Federation> federation) {
        return String.join(
                " ",
                federation.stream()
                        .flatMap(each -> each.sources().stream())
                        .map(source ->
                                source.name()
                                        + "("
                                        + String.join(
                                                " ",
                                                source.participants().entrySet().stream()
                                                        .map(entry ->
                                                                entry.getKey()
                                                                        + "="
                                                                        + entry.getValue().chain())
                                                        .toList())
                                        + ")")
                        .toList());
    }

    @Test
    void clustersAloneAreNotFederated() {
        assertThat(chains("")).isEqualTo(SearchChains.NONE);
        assertThat(chains("<chain id=\"c\" inherits=\"vespa\"/>")).isEqualTo(SearchChains.NONE);
    }

    @Test
    void theParentsOfAChainDecideWhetherItsSourcesAreBlended() {
        SearchChains chains =
                chains(
                        """
                        <federation id="f"><source idref="a"/><source idref="b"/></federation>
                        <chain id="alone"><federation idref="f"/></chain>
                        <chain id="blended" inherits="vespa"><federation id="f"/></chain>
                        <chain id="apart" inherits="native"><federation idref="f"/></chain>
                        <chain id="excluding" inherits="vespa"
                            excludes="com.yahoo.prelude.searcher.BlendingSearcher">
                          <federation idref="f"/>
                        </chain>
                        """);

        assertThat(chains.byId())
                .containsEntry("alone", new Chain(List.of("f"), ALONE))
                .containsEntry("blended", new Chain(List.of("f"), VESPA))
                .containsEntry("apart", new Chain(List.of("f"), NATIVE))
                .containsEntry("excluding", new Chain(List.of("f"), NATIVE));
        assertThat(shown(Optional.ofNullable(chains.federations().get("f"))))
                .isEqualTo("a(a=a) b(b=b)");
    }

    @Test
    void aFederationHasAnyChainsAsSourcesAndTheDefaultSet() {
        SearchChains chains =
                chains(
                        """
                        <provider id="p" type="local" cluster="a"><source id="s"/></provider>
                        <chain id="c"><federation id="f"><source id="s"/></federation></chain>
                        <chain id="d">
                          <federation id="f">
                            <source idref="c"/><source idref="p"/><source idref="s@p"/>
                            <source-set inherits="default"/>
                          </federation>
                        </chain>
                        """);

        assertThat(shown(Optional.ofNullable(chains.federations().get("f@d"))))
                .isEqualTo("c(c=c) p(p=p) s@p(s@p=s@p) s(p=s@p) b(b=b)");
    }

    @Test
    void optionsOfANearerElementWinOneByOne() {
        SearchChains chains =
                chains(
                        """
                        <provider id="p" type="local" cluster="a">
                          <federationoptions timeout="100 ms" optional="true"/>
                          <source id="s">
                            <federationoptions timeout="2.5s" requestTimeout="3"/>
                          </source>
                        </provider>
                        <chain id="c">
                          <federation id="f">
                            <source idref="s"><federationoptions optional="false" default="false"/></source>
                          </federation>
                        </chain>
                        """);

        assertThat(options(chains.builtIn()))
                .isEqualTo(
                        new SourceOptions(
                                Optional.of(Duration.ofMillis(2_500)),
                                Optional.of(Duration.ofSeconds(3)),
                                Optional.of(true),
                                Optional.empty()));
        assertThat(options(Optional.ofNullable(chains.federations().get("f@c"))))
                .isEqualTo(
                        new SourceOptions(
                                Optional.of(Duration.ofMillis(2_500)),
                                Optional.of(Duration.ofSeconds(3)),
                                Optional.of(false),
                                Optional.of(false)));
    }

    private static SourceOptions options(Optional<Federation> federation) {
        return federation
                .orElseThrow()
                .sources()
                .getFirst()
                .participants()
                .values()
                .iterator()
                .next()
                .options();
    }

    private static SearchChains chains(String search) {
        return ApplicationCompiler.compile(
                        new MapFiles(
                                Map.of(
                                        "services.xml",
                                        """
                                        <services version="1.0">
                                          <container id="default" version="1.0">
                                            <search>%s</search>
                                          </container>
                                          %s%s
                                        </services>
                                        """
                                                .formatted(
                                                        search,
                                                        content("a", "x"),
                                                        content("b", "y")),
                                        "schemas/x.sd",
                                        "schema x { document x { } }",
                                        "schemas/y.sd",
                                        "schema y { document y { } }")),
                        1)
                .model()
                .services()
                .containers()
                .getFirst()
                .own()
                .searchChains();
    }

    private static String content(String id, String type) {
        return """
        <content id="%s" version="1.0"><min-redundancy>1</min-redundancy>
        <documents><document type="%s" mode="index"/></documents></content>
        """
                .formatted(id, type);
    }
}
