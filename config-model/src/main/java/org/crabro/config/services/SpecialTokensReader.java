package org.crabro.config.services;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.crabro.component.Config;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;
import org.crabro.text.SpecialTokens;

/**
 * Reads the special tokens in the {@code <config>} elements of {@code services} and of containers.
 * They apply to all documents and queries.
 */
final class SpecialTokensReader {
    private static final String NAME = "vespa.configdefinition.specialtokens";
    private static final String LIST = "default";

    private final Findings findings;

    SpecialTokensReader(Findings findings) {
        this.findings = findings;
    }

    static boolean isAboutTokens(XmlElement config) {
        return ConfigName.of(config).equals(NAME);
    }

    /**
     * Returns the tokens of the list {@code default}, and reports problems with them.
     *
     * @param around elements with configs for all containers
     */
    SpecialTokens tokens(List<XmlElement> around, List<XmlElement> containers) {
        var elements = new ArrayList<>(around);
        elements.addAll(containers);
        var tokens = new ArrayList<SpecialTokens.Token>();
        for (XmlElement element : elements) {
            for (XmlElement config : element.children("config")) {
                if (isAboutTokens(config)) {
                    read(config, tokens);
                }
            }
        }
        return SpecialTokens.of(tokens.stream().distinct().toList());
    }

    private void read(XmlElement config, List<SpecialTokens.Token> into) {
        for (Config list : ConfigValues.value(config).at("tokenlist").items()) {
            String name = text(list, "name");
            if (!name.equals(LIST)) {
                findings.warn(
                        "%s: token list '%s' is left out: the one called %s is used"
                                .formatted(config.file().place(config), name, LIST));
                continue;
            }
            for (Config token : list.at("tokens").items()) {
                String text = text(token, "token");
                if (text.isEmpty()) {
                    config.file().problem(config, "a special token needs a token");
                } else if (!text.equals(text.toLowerCase(Locale.ROOT))) {
                    config.file()
                            .problem(
                                    config,
                                    "special token '%s' must be in lower case".formatted(text));
                } else {
                    String replacement = text(token, "replace");
                    into.add(
                            new SpecialTokens.Token(
                                    text, replacement.isEmpty() ? text : replacement));
                }
            }
        }
    }

    private static String text(Config config, String field) {
        return config.at(field).text().strip();
    }
}
