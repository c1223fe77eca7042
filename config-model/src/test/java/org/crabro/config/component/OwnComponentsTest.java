package org.crabro.config.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.component.Config;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.InvalidApplicationException;
import org.crabro.config.services.ContainerCluster;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Own components in packages with real jars: their part of the model, and errors. */
class OwnComponentsTest {
    private static final String SERVICES =
            """
            <services version="1.0">
              <config name="my.limits"><max>1</max><min>1</min></config>
              <container version="1.0">
                <config name="my.limits"><max>2</max><hosts><item>a</item><item>b</item></hosts></config>
                <search><!-- search --></search>
                <document-api/>
                <document-processing><!-- processing --></document-processing>
                <!-- container -->
              </container>
              <content version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="note" mode="streaming"/><!-- documents --></documents>
              </content>
            </services>
            """;

    @TempDir static Path jars;
    @TempDir Path files;

    @BeforeAll
    static void compile() throws IOException {
        String search =
                " implements Searcher { public Result search(Query q, Execution e) { return"
                        + " e.search(q); } }";
        new CompiledJar()
                .with("First", "public class First" + search)
                .with("Second", "public class Second" + search)
                .with("Third", "public class Third" + search)
                .with("Late", "public class Late extends First {}")
                .with("Base", "public abstract class Base" + search)
                .with("Face", "public interface Face extends Searcher {}")
                .with("Plain", "public class Plain {}")
                .with("Words", "public class Words implements Component {}")
                .with(
                        "Taker",
                        "public class Taker extends First { public Taker(Words w, ComponentContext c)"
                                + " {} }")
                .with("Odd", "public class Odd extends First { public Odd(int n) {} }")
                .with("Hidden", "public class Hidden extends First { Hidden() {} }")
                .with(
                        "Twice",
                        "public class Twice extends First { public Twice() {} public Twice(Words w)"
                                + " {} }")
                .with("Ring", "public class Ring implements Component { public Ring(Chain c) {} }")
                .with(
                        "Chain",
                        "public class Chain implements Component { public Chain(Ring r) {} }")
                .with(
                        "Drop",
                        "public class Drop implements DocumentProcessor { public Progress"
                                + " process(org.crabro.document.operation.DocumentOperation o) {"
                                + " return Progress.done(o); } }")
                .with(
                        "Hello",
                        "public class Hello implements Handler { public void handle(HttpRequest q,"
                                + " HttpResponse r) {} }")
                .calledBundle("mine;singleton:=true")
                .write(jars.resolve("a-1.0.jar"));
        new CompiledJar()
                .with("Other", "public class Other" + search)
                .with("Plain", "public class Plain {}")
                .write(jars.resolve("b.jar"));
    }

    @BeforeEach
    void copy() throws IOException {
        Files.createDirectories(files.resolve("components"));
        Files.createDirectories(files.resolve("schemas"));
        for (String jar : List.of("a-1.0.jar", "b.jar")) {
            Files.copy(jars.resolve(jar), files.resolve("components").resolve(jar));
        }
        Files.writeString(
                files.resolve("schemas/note.sd"),
                "schema note { document note { field text type string { indexing: index | summary }"
                        + " } }");
    }

    @Test
    void chainsAreOrderedByWhatTheirPartsSay() throws IOException {
        OwnComponents own =
                own(
                        "search",
                        """
                        <searcher id="shared" class="my.Third"/>
                        <chain id="base" inherits="vespa" searchers="shared">
                          <searcher id="my.First" bundle="mine" after="transformedQuery"/>
                        </chain>
                        <chain id="default" inherits="base">
                          <searcher id="my.Second" before="First"/>
                          <searcher id="last" class="my.Late" provides="end" after="shared my.Second"/>
                          <searcher id="my.Other" bundle="b"><before>transformedQuery</before></searcher>
                        </chain>
                        <chain id="less" inherits="default" excludes="my.First last"/>
                        <chain id="alone"><searcher id="my.Other"/></chain>
                        <chain id="plain" inherits="native"/>
                        """);

        assertThat(own.searchChains().byId())
                .containsExactly(
                        entry("base", true, "shared", "my.First@base"),
                        entry(
                                "default",
                                true,
                                "shared",
                                "my.Second@default",
                                "last@default",
                                "my.Other@default",
                                "my.First@base"),
                        entry("less", true, "shared", "my.Second@default", "my.Other@default"),
                        entry("alone", false, "my.Other@alone"),
                        Map.entry(
                                "plain",
                                new OwnComponents.Chain(
                                        List.of(), new ChainEnding.BuiltIn(false))));
        assertThat(own.components())
                .extracting(OwnComponent::key)
                .containsExactly(
                        "shared",
                        "my.First@base",
                        "my.Second@default",
                        "last@default",
                        "my.Other@default",
                        "my.Other@alone");
    }

    @Test
    void aFederationComesAfterTheSearchersOfItsChain() throws IOException {
        OwnComponents own =
                own(
                        "search",
                        """
                        <provider id="p">
                          <searcher id="my.First" bundle="mine"/>
                          <source id="s"><searcher id="my.Second" bundle="mine"/></source>
                        </provider>
                        <chain id="c">
                          <federation id="f"><source idref="s"/></federation>
                          <searcher id="my.Other" bundle="b"/>
                        </chain>
                        <chain id="d" inherits="c">
                          <searcher id="last" class="my.Late" after="federation"/>
                        </chain>
                        """);

        assertThat(own.searchChains().byId())
                .containsAllEntriesOf(
                        Map.ofEntries(
                                entry("p", false, "my.First@p"),
                                entry("s@p", false, "my.First@p", "my.Second@s@p"),
                                entry("c", false, "my.Other@c", "f@c"),
                                entry("d", false, "my.Other@c", "f@c", "last@d")));
    }

    @Test
    void aSearcherOfASourceHasTheConfigsOfItsProvider() throws IOException {
        OwnComponents own =
                own(
                        "search",
                        """
                        <provider id="p">
                          <config name="my.limits"><max>3</max></config>
                          <searcher id="my.Second" bundle="mine"/>
                          <source id="s">
                            <config name="my.limits"><min>2</min></config>
                            <searcher id="my.First"/>
                          </source>
                        </provider>
                        """);

        Config limits = own.components().getLast().configs().getOrDefault("my.limits", Config.NONE);
        assertThat(limits.whole("max", 0)).isEqualTo(3);
        assertThat(limits.whole("min", 0)).isEqualTo(2);
    }

    private static Map.Entry<String, OwnComponents.Chain> entry(
            String id, boolean goesOn, String... keys) {
        return Map.entry(
                id,
                new OwnComponents.Chain(
                        List.of(keys),
                        goesOn ? new ChainEnding.BuiltIn(true) : new ChainEnding.Nothing()));
    }

    @Test
    void nearerConfigsWinFieldByField() throws IOException {
        OwnComponents own =
                own(
                        "search",
                        """
                        <chain id="default" inherits="vespa">
                          <config name="my.limits"><max>3</max></config>
                          <searcher id="my.First">
                            <config name="my.limits"><hosts><item>c</item></hosts>
                              <deep><er>x</er></deep><m><item key="k">v</item></m>
                              <list operation="append">1</list><list operation="append">2</list>
                            </config>
                          </searcher>
                        </chain>
                        """);

        Config limits =
                own.components().getFirst().configs().getOrDefault("my.limits", Config.NONE);
        assertThat(limits.whole("max", 0)).isEqualTo(3);
        assertThat(limits.whole("min", 0)).isEqualTo(1);
        assertThat(limits.text("deep.er", "")).isEqualTo("x");
        assertThat(limits.at("hosts").items())
                .extracting(Config::text)
                .containsExactly("a", "b", "c");
        assertThat(limits.at("list").items()).hasSize(2);
        assertThat(limits.at("m").entries())
                .containsExactly(Map.entry("k", new Config("v", Map.of(), List.of(), Map.of())));
        assertThat(limits.whole("none", 7)).isEqualTo(7);
    }

    @Test
    void configsOfOneNameAddUp() throws IOException {
        OwnComponents own =
                own(
                        "search",
                        """
                        <chain id="default" inherits="vespa">
                          <config name="my.limits"><m><item key="far">1</item></m></config>
                          <searcher id="my.First">
                            <config name="my.limits"><max>3</max><min>4</min>
                              <hosts><item>c</item></hosts>
                              <part><low>1</low></part><part><high>2</high></part>
                            </config>
                            <config namespace="my" name="limits"><max>5</max>
                              <hosts><item>d</item></hosts><hosts operation="append">e</hosts>
                              <m><item key="near">2</item></m>
                            </config>
                          </searcher>
                        </chain>
                        """);

        Config limits =
                own.components().getFirst().configs().getOrDefault("my.limits", Config.NONE);
        assertThat(limits.whole("max", 0)).as("the last value").isEqualTo(5);
        assertThat(limits.whole("min", 0)).isEqualTo(4);
        assertThat(limits.whole("part.low", 0) + limits.whole("part.high", 0)).isEqualTo(3);
        assertThat(limits.at("hosts").items())
                .as("items of all levels, the outermost first")
                .extracting(Config::text)
                .containsExactly("a", "b", "c", "d", "e");
        assertThat(limits.at("m").entries().keySet()).as("a map replaces").containsExactly("near");
    }

    @Test
    void definitionsSayWhatNobodyElseSays() throws IOException {
        Files.createDirectories(files.resolve("configdefinitions"));
        Files.writeString(
                files.resolve("configdefinitions/limits.def"),
                """
                namespace=my
                max int
                min int default=5
                name string default="a b"
                nothing string default=null
                mode enum {FAST, SMALL} default=FAST
                deep.er double default=0.5
                deep.est long default=9
                hosts[].name string
                hosts[].port int default=80
                weights{}.of double default=1.0
                list[] string
                """);
        Files.writeString(
                files.resolve("configdefinitions/other.def"),
                "namespace=my\non bool default=true\n");

        OwnComponents own =
                own(
                        "search",
                        """
                        <chain id="default" inherits="vespa">
                          <searcher id="my.First">
                            <config name="my.limits"><max>3</max>
                              <hosts><item><name>h</name></item></hosts>
                              <deep><est>7</est></deep>
                              <weights><item key="k"/></weights>
                            </config>
                          </searcher>
                        </chain>
                        """);

        Map<String, Config> configs = own.components().getFirst().configs();
        Config limits = configs.getOrDefault("my.limits", Config.NONE);
        assertThat(limits.whole("max", 0)).isEqualTo(3);
        assertThat(limits.whole("min", 0)).as("said by the cluster").isEqualTo(1);
        assertThat(limits.text("name", "")).isEqualTo("a b");
        assertThat(limits.text("nothing", "otherwise")).isEqualTo("otherwise");
        assertThat(limits.text("mode", "")).isEqualTo("FAST");
        assertThat(limits.decimal("deep.er", 0)).isEqualTo(0.5);
        assertThat(limits.whole("deep.est", 0)).isEqualTo(7);
        assertThat(limits.at("hosts").items().getFirst().whole("port", 0)).isEqualTo(80);
        assertThat(limits.at("weights").entries().getOrDefault("k", Config.NONE).decimal("of", 0))
                .isEqualTo(1.0);
        assertThat(limits.at("list").isEmpty()).isTrue();
        assertThat(configs.getOrDefault("my.other", Config.NONE).truth("on", false)).isTrue();
    }

    @Test
    void documentsGoThroughTheChainThatIsNamed() throws IOException {
        String chains =
                """
                <chain id="default"><documentprocessor id="my.Drop"/></chain>
                <chain id="mine" inherits="indexing"><documentprocessor id="my.Drop"/></chain>
                """;
        write("processing", chains);

        assertThat(model().services().contents().getFirst().processedBy())
                .hasValueSatisfying(by -> assertThat(by.chain()).isEqualTo("default"));

        Files.writeString(
                files.resolve("services.xml"),
                Files.readString(files.resolve("services.xml"))
                        .replace("<!-- documents -->", "<document-processing chain=\"mine\"/>"));

        assertThat(model().services().contents().getFirst().processedBy())
                .hasValueSatisfying(by -> assertThat(by.chain()).isEqualTo("mine"));
        assertThat(cluster().own().documentChains())
                .hasEntrySatisfying(
                        "mine", chain -> assertThat(chain.keys()).containsExactly("my.Drop@mine"));
    }

    @Test
    void handlersHaveAddresses() throws IOException {
        OwnComponents own =
                own(
                        "container",
                        """
                        <handler id="my.Hello"><binding>http://*/hello/*</binding><binding>http://*:8081/x</binding><binding>http://a.*/y</binding></handler>
                        <component id="words" class="my.Words"/>
                        """);

        assertThat(own.bindings())
                .containsExactly(
                        Map.entry(
                                "my.Hello",
                                List.of(
                                        new OwnComponents.Binding(Optional.empty(), 0, "/hello/*"),
                                        new OwnComponents.Binding(Optional.empty(), 8081, "/x"),
                                        new OwnComponents.Binding(Optional.of("a.*"), 0, "/y"))));
        assertThat(own.components())
                .extracting(OwnComponent::kind)
                .containsExactly(ComponentKind.HANDLER, ComponentKind.COMPONENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    <searcher id='my.Frist'/>                        => class my.Frist is in none of components/a-1.0.jar, components/b.jar; did you mean 'my.First'?
                    <searcher id='s' class='my.First' bundle='mina'/> => there is no bundle 'mina', only b, mine; did you mean 'mine'?
                    <searcher id='s' class='my.First' bundle='b'/>   => class my.First is not in bundle 'b', but in components/a-1.0.jar
                    <searcher id='s' class='my.Base'/>               => class my.Base cannot be made: it is abstract
                    <searcher id='s' class='my.Face'/>               => class my.Face cannot be made: it is an interface
                    <searcher id='s' class='my.Plain'/>              => class my.Plain is in components/a-1.0.jar and components/b.jar; expected it in one jar
                    <searcher id='s' class='my.Words'/>              => class my.Words is no searcher: expected one that implements org.crabro.component.Searcher, but found one of org.crabro.component.Component
                    <searcher id='s' class='my.Hidden'/>             => class my.Hidden has 0 public constructors; expected one
                    <searcher id='s' class='my.Twice'/>              => class my.Twice has 2 public constructors; expected one
                    <searcher id='s' class='my.Taker'/>              => class my.Taker takes a my.Words, which none of the components is: s@default; expected a org.crabro.component.ComponentContext, or a component
                    <searcher id='s' class='my.Odd'/>                => class my.Odd takes a int, which none of the components is: s@default; expected a org.crabro.component.ComponentContext, or a component
                    """)
    void rejectsWrongClasses(String searcher, String problem) throws IOException {
        write("search", "<chain id='default' inherits='vespa'>" + searcher + "</chain>");

        assertThat(problem()).startsWith("services.xml:5:").contains(": " + problem + "\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    <component id='a' class='my.Words'/><component id='b' class='my.Words'/><handler id='t' class='my.Taker'/> => class my.Taker is no handler: expected one that implements org.crabro.component.Handler, but found one of my.First
                    <component id='a' class='my.Words'/><component id='b' class='my.Words'/><component id='t' class='my.Taker'/> => class my.Taker takes a my.Words, which each of a, b is; expected one, or a org.crabro.component.ComponentContext to ask by id
                    <component id='r' class='my.Ring'/><component id='c' class='my.Chain'/> => component 'r' takes itself: r -> c -> r
                    <component id='a' class='my.Words'/><handler id='a' class='my.Hello'/> => component 'a' is declared twice; the first is at line 8
                    <handler id='a' class='my.Hello'><binding>http://*/a</binding></handler><handler id='b' class='my.Hello'><binding>http://*/a</binding></handler> => handler 'b' is bound to /a, and so is 'a'
                    """)
    void rejectsWrongComponents(String components, String problem) throws IOException {
        write("container", components);

        assertThat(problem()).startsWith("services.xml:8:").contains(": " + problem + "\n");
    }

    @Test
    void rejectsContradictoryOrders() throws IOException {
        write(
                "search",
                """
                <chain id="a" inherits="vespa"><searcher id="my.First" before="my.Second"/></chain>
                <chain id="b" inherits="a"><searcher id="my.Second" before="my.First"/></chain>
                """);

        assertThat(problem())
                .contains(
                        "chain 'b' cannot be put in order: each of my.First, my.Second has to come"
                                + " before another of them");
    }

    @Test
    void rejectsFilesThatAreNoJars() throws IOException {
        Files.writeString(files.resolve("components/c.jar"), "no jar");
        write("search", "");

        assertThat(problem()).startsWith("components/c.jar: no jar that can be read: ");
    }

    private OwnComponents own(String marker, String text) throws IOException {
        write(marker, text);
        return cluster().own();
    }

    private void write(String marker, String text) throws IOException {
        Files.writeString(
                files.resolve("services.xml"), SERVICES.replace("<!-- " + marker + " -->", text));
    }

    private ContainerCluster cluster() throws IOException {
        return model().services().containers().getFirst();
    }

    private ApplicationModel model() throws IOException {
        return ApplicationCompiler.compile(DirectoryFiles.of(files), 1).model();
    }

    private String problem() {
        var problems = new String[1];
        assertThatExceptionOfType(InvalidApplicationException.class)
                .isThrownBy(this::model)
                .satisfies(e -> problems[0] = String.join("\n", e.problems()));
        return problems[0];
    }
}
