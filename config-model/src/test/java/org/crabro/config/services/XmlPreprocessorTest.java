package org.crabro.config.services;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.Findings;
import org.crabro.config.application.MapFiles;
import org.crabro.config.application.XmlElement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class XmlPreprocessorTest {
    private final Findings findings = new Findings();
    private final List<XmlElement> parts = new ArrayList<>();

    @Test
    void includesFilesWithTheirPlaces() {
        XmlElement root =
                read(Map.of(
                                "a.xml",
                                """
                                <?xml version="1.0"?>
                                <a xmlns:preprocess="properties" xmlns:deploy="vespa">
                                  <preprocess:include file="parts/b.xml"/>
                                  <d><preprocess:include file="none.xml" required="false"/></d>
                                </a>
                                """,
                                "parts/b.xml",
                                """
                                <?xml version="1.0"
                                      encoding="utf-8"?>
                                <b x="1"/>
                                <preprocess:include file="c.xml"/>
                                <b x="2" deploy:environment="dev"/>
                                """,
                                "parts/c.xml",
                                "  <c/>"))
                        .orElseThrow();

        assertThat(text(root)).isEqualTo("a(b{x=1} c d)");
        assertThat(places(root)).isEqualTo("a.xml:2:1 parts/b.xml:3:1 parts/c.xml:1:3 a.xml:4:3");
        assertThat(findings.problems()).isEmpty();
    }

    @Test
    void putsPropertiesIntoAttributesAndLeaves() {
        XmlElement root =
                read(Map.of(
                                "a.xml",
                                """
                                <a xmlns:preprocess="properties">
                                  <preprocess:properties>
                                    <port>8081</port>
                                    <port.two>8082</port.two>
                                  </preprocess:properties>
                                  <b p="x${port}" q="${port.two}-${port}">${port.two}</b>
                                </a>
                                """))
                        .orElseThrow();

        assertThat(text(root)).isEqualTo("a(b{p=x8081, q=8082-8081}'8082')");
        assertThat(findings.problems()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"<b>%s</b>", "<b c='%s'/>"})
    void refusesPropertiesThatMakeAFileTooLarge(String element) {
        String properties =
                "<a xmlns:preprocess='properties'><preprocess:properties><p>"
                        + "x".repeat(1 << 20)
                        + "</p></preprocess:properties>";
        String places = element.formatted("${p}".repeat(1_500));

        Optional<XmlElement> root =
                read(Map.of("a.xml", properties + places + places + places + "</a>"));

        assertThat(root).isEmpty();
        assertThat(findings.problems()).hasSize(1);
        assertThat(findings.problems().getFirst())
                .contains("the values of properties have more than 16,777,216 characters in total");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    <preprocess:include/>                                       | a.xml:1:42: preprocess:include needs file, the path of a file of the package
                    <preprocess:include file="bb.xml"/>                         | a.xml:1:42: there is no file 'bb.xml' to include, and it is not required="false"; did you mean 'b.xml'?
                    <preprocess:include file="../a.xml"/>                       | a.xml:1:42: there is no file '../a.xml' to include, and it is not required="false"
                    <preprocess:include file="b.xml" deploy:region="x"/>        | a.xml:1:42: deploy:region is not allowed at an include; put it at the elements of b.xml
                    <preprocess:include file="b.xml"/>                          | b.xml:1:4: 'b.xml' includes itself: a.xml -> b.xml -> b.xml
                    <preprocess:include file="broken.xml"/>                     | broken.xml:3:3: not well-formed XML
                    <b c="${d}"/>                                               | a.xml:1:45: there is no property 'd'
                    """)
    void rejectsWrongDirectives(String body, String problem) {
        Optional<XmlElement> root =
                read(
                        Map.of(
                                "a.xml",
                                "<a xmlns:preprocess='p' xmlns:deploy='d'>" + body + "</a>",
                                "b.xml",
                                "   <preprocess:include file='b.xml'/>",
                                "broken.xml",
                                "<x>\n<y>\n</x>"));

        assertThat(root).isEmpty();
        assertThat(findings.problems().getFirst()).startsWith(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    <b p="${x}" q="1"/><c>${y}</c><d/>              | a(b{q=1} c d)      | 2
                    <preprocess:include file="none.xml"/><b/>       | a(b)               | 1
                    <preprocess:include file="broken.xml"/><b/>     | a(x b)             | 1
                    <b><b r="1"></c></b><d/><b s="${y}"><b/></b>    | a(b b{r=1} b(b))   | 1
                    <b deploy:region="e"><c deploy:region="f"/></b> | a                  | 1
                    """)
    void givesWhatCanBePutTogetherAllTheSame(String body, String expected, int problems) {
        Optional<XmlElement> root =
                read(
                        Map.of(
                                "a.xml",
                                "<a xmlns:preprocess='p' xmlns:deploy='d'>" + body + "</a>",
                                "broken.xml",
                                "<x>"));

        assertThat(root).isEmpty();
        assertThat(parts).extracting(XmlPreprocessorTest::text).containsExactly(expected);
        assertThat(findings.problems()).as(findings.problems().toString()).hasSize(problems);
    }

    @Test
    void knowsHostsByTheirAliases() {
        String hosts =
                """
                <hosts>
                  <host name="one.example"><alias>node1</alias><alias>first</alias></host>
                </hosts>
                """;

        assertThat(problemOfServices(hosts, "node1")).isEmpty();
        assertThat(problemOfServices(hosts, "node2"))
                .contains(
                        "services.xml:2:52: content 'store': hosts.xml has no alias 'node2'; there are"
                                + " first, node1; did you mean 'node1'?");
        assertThat(problemOfServices("<hosts><host name='a'/></hosts>", "node1"))
                .contains("hosts.xml:1:8: host 'a' needs an alias");
        assertThat(problemOfServices("<hosts><host><alias>a</alias></host></hosts>", "a"))
                .contains("hosts.xml:1:8: host needs a name");
        assertThat(
                        problemOfServices(
                                "<hosts><host name='a'><alias>a</alias><alias>a</alias></host></hosts>",
                                "a"))
                .contains("hosts.xml:1:39: alias 'a' is declared twice");
        assertThat(problemOfServices("<host/>", "a"))
                .contains("hosts.xml:1:1: expected hosts, but found 'host'");
    }

    private static Optional<String> problemOfServices(String hosts, String alias) {
        var findings = new Findings();
        ServicesReader.read(
                new MapFiles(
                        Map.of(
                                "hosts.xml",
                                hosts,
                                "services.xml",
                                """
                                <content id="store" version="1.0">
                                  <redundancy>1</redundancy><nodes><node           hostalias="%s" distribution-key="0"/></nodes>
                                  <documents><document type="note" mode="index"/></documents>
                                </content>
                                """
                                        .formatted(alias))),
                Set.of("note"),
                ApplicationName.DEFAULT,
                new DocumentPlaces(),
                findings);
        return findings.problems().stream()
                .findFirst()
                .map(text -> text.lines().findFirst().orElse(""));
    }

    private Optional<XmlElement> read(Map<String, String> files) {
        return XmlPreprocessor.read(
                new MapFiles(new LinkedHashMap<>(files)),
                "a.xml",
                ApplicationName.DEFAULT,
                findings,
                Set.of("b"),
                parts::add);
    }

    private static String text(XmlElement element) {
        return element.name()
                + (element.attributes().isEmpty() ? "" : element.attributes())
                + (element.text().isEmpty() ? "" : "'" + element.text() + "'")
                + (element.children().isEmpty()
                        ? ""
                        : element.children().stream()
                                .map(XmlPreprocessorTest::text)
                                .collect(Collectors.joining(" ", "(", ")")));
    }

    private static String places(XmlElement element) {
        String own = element.file().place(element);
        return element.children().isEmpty()
                ? own
                : own
                        + element.children().stream()
                                .map(XmlPreprocessorTest::places)
                                .collect(Collectors.joining(" ", " ", ""));
    }
}
