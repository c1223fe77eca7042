package org.crabro.config.services;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.application.Findings;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.XmlElement;
import org.crabro.config.application.XmlText;

/**
 * Inserts the chains of separate files into the containers of services.xml: chains of searchers
 * into each {@code search}, chains of document processors into each {@code document-processing}.
 */
final class ChainFiles {
    /** Directories, and the sections of containers that their files belong to. */
    private static final Map<String, String> SECTIONS =
            Map.of("search/chains/", "search", "docproc/chains/", "document-processing");

    /** The elements that may surround the chains of a file. */
    private static final Set<String> WRAPPERS =
            Set.of("search", "searchchains", "document-processing", "docprocchains", "chains");

    private final ApplicationFiles files;
    private final Findings findings;

    /** The number of elements and attributes of the files so far. */
    private int nodes;

    ChainFiles(ApplicationFiles files, Findings findings) {
        this.files = files;
        this.findings = findings;
    }

    /** Returns the root of services.xml with the chains of the files. */
    XmlElement in(XmlElement root) {
        XmlElement whole = root;
        // In an order that does not change from one run to the next.
        for (Map.Entry<String, String> section : new TreeMap<>(SECTIONS).entrySet()) {
            List<String> paths =
                    new TreeSet<>(files.paths())
                            .stream().filter(path -> isIn(section.getKey(), path)).toList();
            if (paths.isEmpty()) {
                continue;
            }
            var parts = new ArrayList<XmlElement>();
            boolean isWhole = true;
            for (String path : paths) {
                isWhole &= addParts(path, parts);
            }
            if (!hasSection(root, section.getValue())) {
                findings.warn(
                        "%s: no container has %s: left out"
                                .formatted(section.getKey(), section.getValue()));
            }
            whole = with(whole, section.getValue(), parts, isWhole);
        }
        return whole;
    }

    private static boolean isIn(String directory, String path) {
        return path.startsWith(directory)
                && path.endsWith(".xml")
                && path.indexOf('/', directory.length()) < 0;
    }

    /** Adds the readable parts of a file; returns whether the file was read completely. */
    private boolean addParts(String path, List<XmlElement> parts) {
        XmlText text;
        try {
            text = new XmlText(path, files.text(path).orElseThrow(), findings);
        } catch (InvalidPackageException e) {
            findings.problem(String.valueOf(e.getMessage()));
            return false;
        }
        List<XmlElement> siblings = text.siblings(Set.of("chain"));
        nodes += text.nodes();
        if (nodes > XmlText.NODES_MAX) {
            findings.problem(
                    path + ": " + XmlText.tooMany("with this file, the files of chains have"));
            return false;
        }
        for (XmlElement each : siblings) {
            if (WRAPPERS.contains(each.name())) {
                parts.addAll(each.children());
            } else {
                parts.add(each);
            }
        }
        return text.isWhole();
    }

    private static boolean hasSection(XmlElement root, String section) {
        return containers(root).anyMatch(container -> !container.children(section).isEmpty());
    }

    private static Stream<XmlElement> containers(XmlElement root) {
        return root.name().equals("container")
                ? Stream.of(root)
                : root.children("container").stream();
    }

    /**
     * @param isWhole whether the parts are all that the files have
     */
    private static XmlElement with(
            XmlElement root, String section, List<XmlElement> parts, boolean isWhole) {
        var children = new ArrayList<XmlElement>();
        boolean isContainer = root.name().equals("container");
        boolean isFirst = true;
        for (XmlElement child : root.children()) {
            if (!isContainer && child.name().equals("container")) {
                children.add(with(child, section, parts, isWhole));
            } else if (isContainer && isFirst && child.name().equals(section)) {
                // Once, where a broken file has the section twice.
                isFirst = false;
                if (!isWhole) {
                    child.file().cutOff(child);
                }
                var all = new ArrayList<>(child.children());
                all.addAll(parts);
                children.add(child.with(child.attributes(), all, child.text()));
            } else {
                children.add(child);
            }
        }
        return root.with(root.attributes(), children, root.text());
    }
}
