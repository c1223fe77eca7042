package org.crabro.config.services;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.Findings;
import org.crabro.config.application.XmlElement;

/**
 * Reads the texts for highlighting from the configs {@code container.qr-searchers} of {@code
 * services}, of a container and of its {@code search}. Other fields of these configs have no
 * effect.
 */
final class HighlightTagsReader {
    private static final String NAME = "container.qr-searchers";

    private final Findings findings;

    /** The configs whose other fields were reported; those of services are read several times. */
    private final Set<XmlElement> checked = Collections.newSetFromMap(new IdentityHashMap<>());

    HighlightTagsReader(Findings findings) {
        this.findings = findings;
    }

    static boolean isAboutTags(XmlElement config) {
        return ConfigName.of(config).equals(NAME);
    }

    /**
     * Returns the texts for the queries of a container. The last value of each is used.
     *
     * @param around the elements with configs, from the farthest on
     */
    HighlightTags tags(List<XmlElement> around) {
        HighlightTags tags = HighlightTags.NONE;
        for (XmlElement element : around) {
            for (XmlElement config : element.children("config")) {
                if (isAboutTags(config)) {
                    tags = tags(config).over(tags);
                    warnOfOthers(config);
                }
            }
        }
        return tags;
    }

    private static HighlightTags tags(XmlElement config) {
        HighlightTags tags = HighlightTags.NONE;
        for (XmlElement tag : config.children("tag")) {
            tags =
                    new HighlightTags(Optional.empty(), Optional.empty(), last(tag, "separator"))
                            .over(tags);
            for (XmlElement bold : tag.children("bold")) {
                tags =
                        new HighlightTags(last(bold, "open"), last(bold, "close"), Optional.empty())
                                .over(tags);
            }
        }
        return tags;
    }

    private static Optional<String> last(XmlElement element, String name) {
        return element.children(name).stream().map(XmlElement::text).reduce((_, later) -> later);
    }

    private void warnOfOthers(XmlElement config) {
        if (!checked.add(config)) {
            return;
        }
        var others = new TreeSet<String>();
        for (XmlElement child : config.children()) {
            if (!child.name().equals("tag")) {
                others.add(child.name());
            }
        }
        if (!others.isEmpty()) {
            findings.warn(
                    "%s: of config %s only tag is read; without effect: %s"
                            .formatted(
                                    config.file().place(config), NAME, String.join(", ", others)));
        }
    }
}
