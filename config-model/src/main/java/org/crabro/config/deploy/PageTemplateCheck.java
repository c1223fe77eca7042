package org.crabro.config.deploy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.application.XmlElement;
import org.crabro.config.application.XmlText;

/** Checks the page templates of a package: each page has an id, and includes pages that exist. */
final class PageTemplateCheck {
    private PageTemplateCheck() {}

    static void check(ApplicationFiles files, Findings findings) {
        Map<String, XmlElement> pages = new LinkedHashMap<>();
        for (String path : files.paths()) {
            if (isTemplate(path)) {
                new XmlText(path, files.text(path).orElseThrow(), findings)
                        .root()
                        .ifPresent(root -> add(root, pages));
            }
        }
        for (XmlElement page : pages.values()) {
            checkIncludes(page, pages);
        }
    }

    private static boolean isTemplate(String path) {
        String directory = path.substring(0, Math.max(0, path.lastIndexOf('/')));
        return path.endsWith(".xml")
                && (directory.equals("page-templates")
                        || directory.equals("search/page-templates"));
    }

    private static void add(XmlElement root, Map<String, XmlElement> pages) {
        if (!root.name().equals("page")) {
            return;
        }
        String id = root.attribute("id").orElse("");
        if (id.isEmpty()) {
            root.file().problem(root, "page needs id");
        } else {
            pages.put(id.split(":", 2)[0], root);
        }
    }

    private static void checkIncludes(XmlElement element, Map<String, XmlElement> pages) {
        for (XmlElement child : element.children()) {
            if (child.name().equals("include")) {
                String id = child.attribute("idref").orElse("");
                if (!pages.containsKey(id.split(":", 2)[0])) {
                    child.file()
                            .problem(
                                    child,
                                    "there is no page '%s'%s"
                                            .formatted(id, NearestName.hint(id, pages.keySet())));
                }
            }
            checkIncludes(child, pages);
        }
    }
}
