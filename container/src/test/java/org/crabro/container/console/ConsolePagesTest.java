package org.crabro.container.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * No text of a server reaches a page as markup: names of fields, documents, groups, files, log
 * lines and labels become text nodes. {@code bin/verify-console} shows the same in a browser.
 */
class ConsolePagesTest {
    static final List<String> SCRIPTS =
            ConsoleFiles.NAMES.stream()
                    .filter(name -> name.endsWith(".js") && !name.startsWith("uPlot"))
                    .toList();

    /** Everything with which a script makes markup, code or a navigation of a text. */
    private static final Pattern PARSES =
            Pattern.compile(
                    "innerHTML|outerHTML|insertAdjacentHTML|createContextualFragment|DOMParser|document\\.write|setHTML|srcdoc"
                            + "|\\beval\\(|new Function|setTimeout\\(['\"`]|setInterval\\(['\"`]|javascript:|\\.cookie\\b|postMessage"
                            + "|location\\.(href|assign|replace)|window\\.open|\\bimport\\((?!'\\./)");

    /** Attributes that a browser follows or runs. */
    private static final Pattern FOLLOWED =
            Pattern.compile("\\b(href|src|action|formaction|style|on[a-z]+)\\s*:\\s*([^,})]*)");

    @ParameterizedTest
    @FieldSource("SCRIPTS")
    void aScriptParsesNoText(String name) throws IOException {
        assertThat(text(name).lines().filter(line -> PARSES.matcher(line).find())).isEmpty();
    }

    /** A link leads to a constant place, or to a fragment of the page. */
    @ParameterizedTest
    @FieldSource("SCRIPTS")
    void aFollowedAttributeBeginsWithAConstant(String name) throws IOException {
        assertThat(
                        FOLLOWED.matcher(text(name))
                                .results()
                                .filter(attribute -> !attribute.group(1).startsWith("on"))
                                .map(attribute -> attribute.group(2))
                                .filter(value -> !value.matches("['`]#.*|'[\\w.]+'\\s*")))
                .isEmpty();
    }

    @Test
    void thePageHasNoScriptOrStyleOfItsOwn() throws IOException {
        assertThat(text("index.html"))
                .doesNotContainPattern(
                        "(?i)<script(?![^>]*\\bsrc=)|<style|\\son[a-z]+=|\\sstyle=|javascript:");
        assertThat(ConsoleHandler.POLICY)
                .contains("default-src 'none'", "script-src 'self'", "base-uri 'none'")
                .doesNotContain("unsafe", "data:", "*");
    }

    private static String text(String name) throws IOException {
        try (InputStream in =
                Objects.requireNonNull(ConsoleFiles.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
