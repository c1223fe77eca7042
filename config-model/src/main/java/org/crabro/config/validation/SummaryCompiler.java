package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.parser.SchemaDeclaration.Summary;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.config.schema.SchemaField;

/**
 * Checks the document summaries of a schema and puts inherited fields into them.
 *
 * <p>The summary {@code default} is always there: every field with {@code summary}, what a summary
 * of that name adds, and what the other summaries show of fields that are no attributes.
 */
final class SummaryCompiler {
    private static final String DEFAULT = "default";

    /** The document's id may be shown, though it is no field. */
    private static final String DOCUMENT_ID = "documentid";

    private static final Set<String> RESERVED = Set.of("rankfeatures", "summaryfeatures");

    private final SchemaDeclaration schema;
    private final Map<String, SchemaField> fields;
    private final Set<String> broken;
    private final Set<String> imported;
    private final Findings findings;
    private final Map<String, Summary> declared = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> compiled = new LinkedHashMap<>();

    SummaryCompiler(
            SchemaDeclaration schema,
            Map<String, SchemaField> fields,
            Set<String> broken,
            Set<String> imported,
            Findings findings) {
        this.schema = schema;
        this.fields = fields;
        this.broken = broken;
        this.imported = imported;
        this.findings = findings;
    }

    Map<String, DocumentSummary> compile() {
        for (Summary summary : schema.summaries()) {
            Summary first = declared.putIfAbsent(summary.name().text(), summary);
            if (first != null) {
                problem(
                        summary.name(),
                        "document-summary '%s' is there twice; the first is at line %d"
                                .formatted(summary.name().text(), first.name().at().line()));
            }
        }
        addFromFields();
        compiled.put(DEFAULT, implicit());
        for (Summary summary : declared.values()) {
            shown(summary, new LinkedHashSet<>());
        }
        addToDefault();
        var summaries = new LinkedHashMap<String, DocumentSummary>();
        compiled.forEach(
                (name, shown) -> summaries.put(name, new DocumentSummary(name, list(shown))));
        return summaries;
    }

    /** Adds what fields say of where they are shown to the summaries that they name. */
    private void addFromFields() {
        var all = new ArrayList<FieldDeclaration>(schema.fields());
        schema.documents().forEach(document -> all.addAll(document.fields()));
        for (FieldDeclaration field : all) {
            for (FieldDeclaration.FieldSummary shown : field.summaries()) {
                var added = new SchemaDeclaration.SummaryField(shown.name(), shown.sources());
                List<Name> to =
                        shown.to().isEmpty()
                                ? List.of(new Name(shown.name().at(), DEFAULT))
                                : shown.to();
                for (Name name : to) {
                    Summary before =
                            declared.getOrDefault(
                                    name.text(), new Summary(name, List.of(), List.of()));
                    var fields = new ArrayList<>(before.fields());
                    fields.add(added);
                    declared.put(name.text(), new Summary(before.name(), before.parents(), fields));
                }
            }
        }
    }

    private Map<String, String> implicit() {
        var shown = new LinkedHashMap<String, String>();
        var asked = new TreeSet<String>();
        schema.documents().forEach(document -> document.fields().forEach(f -> addAsked(f, asked)));
        schema.fields().forEach(field -> addAsked(field, asked));
        for (SchemaField field : fields.values()) {
            String name = field.field().name();
            if (field.aspects().contains(Aspect.SUMMARY) || asked.contains(name)) {
                shown.put(name, name);
            }
        }
        return shown;
    }

    private static void addAsked(FieldDeclaration field, Set<String> into) {
        if (field.summary().isPresent()) {
            into.add(field.name().text());
        }
    }

    /** Returns the names shown by {@code summary} with their sources, parents' first. */
    private Map<String, String> shown(Summary summary, Set<String> open) {
        String name = summary.name().text();
        Map<String, String> done = compiled.get(name);
        if (done != null && !name.equals(DEFAULT)) {
            return done;
        }
        var shown = new LinkedHashMap<String, String>();
        if (!open.add(name)) {
            problem(
                    summary.name(),
                    "document-summary '%s' inherits itself: %s"
                            .formatted(
                                    name, String.join(" inherits ", open) + " inherits " + name));
            return shown;
        }
        if (done != null) {
            shown.putAll(done);
        }
        for (Name parent : summary.parents()) {
            shown.putAll(inherited(parent, name, open));
        }
        var own = new TreeSet<String>();
        for (SchemaDeclaration.SummaryField field : summary.fields()) {
            add(summary, field, own, shown);
        }
        open.remove(name);
        compiled.put(name, shown);
        return shown;
    }

    private Map<String, String> inherited(Name parent, String child, Set<String> open) {
        Summary found = declared.get(parent.text());
        if (found != null && !(parent.text().equals(DEFAULT) && child.equals(DEFAULT))) {
            return shown(found, open);
        }
        if (parent.text().equals(DEFAULT)) {
            return compiled.getOrDefault(DEFAULT, Map.of());
        }
        var known = new TreeSet<>(declared.keySet());
        known.add(DEFAULT);
        problem(
                parent,
                "document-summary '%s' inherits '%s', which does not exist%s"
                        .formatted(child, parent.text(), NearestName.hint(parent.text(), known)));
        return Map.of();
    }

    private void add(
            Summary summary,
            SchemaDeclaration.SummaryField field,
            Set<String> own,
            Map<String, String> into) {
        String name = field.name().text();
        if (RESERVED.contains(name)) {
            problem(field.name(), "'" + name + "' is a reserved word in summaries");
            return;
        }
        if (field.sources().size() > 1) {
            problem(
                    field.sources().get(1),
                    "more than one source of a summary field is not built yet");
            return;
        }
        Name source = field.sources().isEmpty() ? field.name() : field.sources().getFirst();
        if (imported.contains(source.text())) {
            findings.warn(
                    "%s: document-summary '%s' is shown without '%s': imported fields are not shown"
                                    .formatted(source.at(), summary.name().text(), name)
                            + " yet");
            return;
        }
        if (!fields.containsKey(source.text()) && !source.text().equals(DOCUMENT_ID)) {
            if (!broken.contains(source.text())) {
                problem(
                        source,
                        "document-summary '%s' shows the field '%s', which does not exist%s"
                                .formatted(
                                        summary.name().text(),
                                        source.text(),
                                        NearestName.hint(source.text(), fields.keySet())));
            }
            return;
        }
        if (!own.add(name)) {
            findings.warn(
                    "%s: '%s' is there twice in document-summary '%s'"
                            .formatted(field.name().at(), name, summary.name().text()));
        }
        into.put(name, source.text());
    }

    private void addToDefault() {
        Map<String, String> all = new LinkedHashMap<>(compiled.getOrDefault(DEFAULT, Map.of()));
        for (Map<String, String> shown : compiled.values()) {
            shown.forEach((name, source) -> {
                SchemaField field = fields.get(source);
                if (field != null && !SchemaCompiler.isAttribute(field)) {
                    all.putIfAbsent(name, source);
                }
            });
        }
        compiled.put(DEFAULT, all);
    }

    private static List<SummaryField> list(Map<String, String> shown) {
        var list = new ArrayList<SummaryField>();
        shown.forEach((name, source) -> list.add(new SummaryField(name, source)));
        return list;
    }

    private void problem(Name at, String problem) {
        findings.problem(at.at().pointing(problem));
    }
}
