package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import org.crabro.config.application.Findings;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration.Summary;
import org.crabro.config.parser.SchemaDeclaration.SummaryField;

/**
 * Summary fields as sources of other summary fields. A source that is no field or part of a field,
 * but a summary field of any summary, stands for the sources of that.
 */
final class SummaryReferences {
    /** Longer than any meaningful chain of sources, and far below the limit of the stack. */
    private static final int DEPTH_LIMIT = 100;

    /** The number of fields that one summary field can show. */
    private static final int FIELDS_MAX = 1_000;

    private final SummarySources sources;
    private final Findings findings;

    /** By name, the first declaration with sources; all summaries have the same. */
    private final Map<String, SummaryField> declared = new LinkedHashMap<>();

    /** By name of a summary field, what it shows; nothing if that is wrong. */
    private final Map<String, List<String>> resolved = new HashMap<>();

    SummaryReferences(Collection<Summary> summaries, SummarySources sources, Findings findings) {
        this.sources = sources;
        this.findings = findings;
        for (Summary summary : summaries) {
            for (SummaryField field : summary.fields()) {
                if (!field.sources().isEmpty()) {
                    declared.putIfAbsent(field.name().text(), field);
                }
            }
        }
    }

    /** Returns the summary field that a source stands for; empty for fields and unknown names. */
    Optional<SummaryField> field(Name source) {
        return sources.type(source.text()).isPresent()
                ? Optional.empty()
                : Optional.ofNullable(declared.get(source.text()));
    }

    /**
     * Returns the names of the fields and parts that a summary field shows. They may not exist,
     * which is reported where they are named. Empty if the field has itself as a source, which is
     * reported here.
     */
    List<String> shown(SummaryField field) {
        return shown(field, new LinkedHashSet<>());
    }

    /**
     * Returns a summary field, and the summary fields that it shows one after another as its only
     * source.
     */
    SequencedSet<SummaryField> chain(SummaryField field) {
        var chain = new LinkedHashSet<SummaryField>();
        Optional<SummaryField> next = Optional.of(field);
        while (next.isPresent() && chain.size() <= DEPTH_LIMIT && chain.add(next.get())) {
            List<Name> given = sources(next.get());
            next = given.size() == 1 ? field(given.getFirst()) : Optional.empty();
        }
        return chain;
    }

    /** Returns the sources as declared; a field without any shows what has its name. */
    static List<Name> sources(SummaryField field) {
        return field.sources().isEmpty() ? List.of(field.name()) : field.sources();
    }

    private List<String> shown(SummaryField field, SequencedSet<String> open) {
        String name = field.name().text();
        List<String> cached = resolved.get(name);
        if (cached != null) {
            return cached;
        }
        open.add(name);
        var shown = new ArrayList<String>();
        for (Name source : field.sources()) {
            Optional<SummaryField> other = field(source);
            if (other.isEmpty()) {
                shown.add(source.text());
            } else if (open.contains(source.text()) || open.size() > DEPTH_LIMIT) {
                report(source, open);
                shown.clear();
                break;
            } else {
                List<String> others = shown(other.get(), open);
                if (others.isEmpty()) {
                    shown.clear();
                    break;
                }
                shown.addAll(others);
            }
            if (shown.size() > FIELDS_MAX) {
                problem(
                        field.name(),
                        "summary '%s' shows more than %,d fields".formatted(name, FIELDS_MAX));
                shown.clear();
                break;
            }
        }
        open.remove(name);
        resolved.put(name, List.copyOf(shown));
        return shown;
    }

    private void report(Name source, SequencedSet<String> open) {
        String name = source.text();
        if (open.contains(name)) {
            List<String> circle = open.stream().dropWhile(each -> !each.equals(name)).toList();
            problem(
                    source,
                    "summary '%s' has itself as a source: %s"
                            .formatted(name, String.join(" shows ", circle) + " shows " + name));
        } else {
            problem(
                    source,
                    "summary '%s' is a source through more than %d others"
                            .formatted(name, DEPTH_LIMIT));
        }
    }

    private void problem(Name at, String problem) {
        findings.problem(at.at().pointing(problem));
    }
}
