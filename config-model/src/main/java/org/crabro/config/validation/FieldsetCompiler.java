package org.crabro.config.validation;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.crabro.config.application.Findings;
import org.crabro.config.application.NearestName;
import org.crabro.config.parser.FieldDeclaration;
import org.crabro.config.parser.MatchDeclaration;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration;
import org.crabro.config.parser.WordSettings;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.MatchWord;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.FieldType.TensorOf;

/**
 * Checks the field sets of a schema: that their fields exist, and that they match a query word in
 * the same way.
 */
final class FieldsetCompiler {
    private final SchemaDeclaration schema;
    private final Map<String, SchemaField> fields;
    private final Set<String> broken;
    private final Findings findings;
    private final Map<String, WordSettings> words = new LinkedHashMap<>();

    FieldsetCompiler(
            SchemaDeclaration schema,
            Map<String, SchemaField> fields,
            Set<String> broken,
            Findings findings) {
        this.schema = schema;
        this.fields = fields;
        this.broken = broken;
        this.findings = findings;
        schema.types()
                .documents()
                .forEach(document -> document.fields().forEach(field -> addWords(field)));
        schema.fields().outside().forEach(this::addWords);
    }

    private void addWords(FieldDeclaration field) {
        words.putIfAbsent(field.name().text(), field.settings().search().words());
    }

    Map<String, Fieldset> compile() {
        var seen = new LinkedHashMap<String, Name>();
        var fieldsets = new LinkedHashMap<String, Fieldset>();
        for (SchemaDeclaration.Fieldset fieldset : schema.fields().fieldsets()) {
            Name name = fieldset.name();
            Name first = seen.putIfAbsent(name.text(), name);
            if (first != null) {
                problem(
                        name,
                        "fieldset '%s' is declared twice; the first is at %s"
                                .formatted(name.text(), first.at().seenFrom(name.at())));
            }
            if (fieldset.fields().isEmpty()) {
                problem(name, "fieldset '" + name.text() + "' has no fields");
            }
            List<String> members = members(fieldset);
            checkMembers(
                    fieldset, members.stream().map(fields::get).filter(Objects::nonNull).toList());
            fieldsets.put(
                    name.text(),
                    new Fieldset(
                            name.text(),
                            members,
                            parsedAs(fieldset),
                            fieldset.reading().reading(fieldset.match())));
            FieldMatching.warnOfTerminator(fieldset.match(), fieldset.reading(), findings);
        }
        return fieldsets;
    }

    private List<String> members(SchemaDeclaration.Fieldset fieldset) {
        var members = new ArrayList<String>();
        String name = fieldset.name().text();
        for (Name member : fieldset.fields()) {
            if (FieldParts.type(member.text(), fields).isPresent()) {
                members.add(member.text());
            } else if (!broken.contains(member.text())) {
                problem(
                        member,
                        "fieldset '%s' names the field '%s', which does not exist%s"
                                .formatted(
                                        name,
                                        member.text(),
                                        NearestName.hint(member.text(), fields.keySet())));
            }
        }
        return members;
    }

    private static Optional<MatchMode.Unit> parsedAs(SchemaDeclaration.Fieldset fieldset) {
        return fieldset.match().stream()
                .map(MatchDeclaration::word)
                .filter(word -> word.part() == MatchWord.Part.UNIT)
                .reduce((_, last) -> last)
                .map(word -> word.applied(MatchMode.TEXT).unit());
    }

    private void checkMembers(SchemaDeclaration.Fieldset fieldset, List<SchemaField> members) {
        Name name = fieldset.name();
        long tensors =
                members.stream().filter(field -> field.field().type() instanceof TensorOf).count();
        if (tensors > 0 && tensors < members.size()) {
            problem(name, "fieldset '%s' mixes tensors and other fields".formatted(name.text()));
        }
        var unsearchable = new TreeSet<String>();
        var texts = new LinkedHashMap<String, String>();
        for (SchemaField field : members) {
            if (!field.isSearchable()) {
                unsearchable.add(field.field().name());
            } else if (field.isText()) {
                texts.put(field.field().name(), rule(field.matching().mode()).toString());
            }
        }
        if (!unsearchable.isEmpty()) {
            findings.warn(
                    "%s: fieldset '%s' has fields that cannot be searched: %s; give them index or"
                                    .formatted(
                                            name.at(), name.text(), String.join(", ", unsearchable))
                            + " attribute");
        }
        checkProfiles(name, texts.keySet());
        if (fieldset.match().isEmpty() && new HashSet<>(texts.values()).size() > 1) {
            findings.warn(
                    "%s: the fields of fieldset '%s' match differently: %s; the words of a query are"
                                    .formatted(
                                            name.at(),
                                            name.text(),
                                            String.join(", ", texts.keySet()))
                            + " matched by the rule of each");
        }
        if (fieldset.match().isEmpty()) {
            warnOfWords(name, "stemmed", texts.keySet(), this::stemming);
            warnOfWords(name, "normalized", texts.keySet(), this::normalizing);
        }
    }

    /** Returns the match mode without stemming and normalizing, which are compared separately. */
    private static MatchMode rule(MatchMode match) {
        return new MatchMode(match.unit(), match.affix(), match.cased()).byGrams(match.gramSize());
    }

    /** Words of a query are cut once, for all fields of the set. */
    private void checkProfiles(Name fieldset, Set<String> texts) {
        Map<String, String> profiles =
                by(texts, field -> profile(field).isEmpty() ? "none" : profile(field));
        if (new HashSet<>(profiles.values()).size() > 1) {
            problem(
                    fieldset,
                    "the fields of fieldset '%s' have different linguistics profiles for queries: %s"
                            .formatted(fieldset.text(), listed(profiles)));
        }
    }

    private void warnOfWords(
            Name fieldset, String what, Set<String> texts, UnaryOperator<String> setting) {
        Map<String, String> settings = by(texts, setting);
        if (new HashSet<>(settings.values()).size() > 1) {
            findings.warn(
                    "%s: the fields of fieldset '%s' are %s differently: %s; here words of queries are"
                                    .formatted(
                                            fieldset.at(), fieldset.text(), what, listed(settings))
                            + " compared by how each field matches");
        }
    }

    private static Map<String, String> by(Set<String> texts, UnaryOperator<String> setting) {
        var settings = new LinkedHashMap<String, String>();
        texts.forEach(field -> settings.put(field, setting.apply(field)));
        return settings;
    }

    private static String listed(Map<String, String> settings) {
        return String.join(
                ", ",
                settings.entrySet().stream()
                        .map(each -> each.getKey() + " " + each.getValue())
                        .toList());
    }

    private String profile(String field) {
        return Optional.ofNullable(words.get(field))
                .flatMap(WordSettings::searchProfile)
                .map(Name::text)
                .orElse("");
    }

    private String stemming(String field) {
        return Optional.ofNullable(words.get(field))
                .flatMap(WordSettings::stemming)
                .or(() -> schema.fields().stemming())
                .map(Name::text)
                .orElse("best");
    }

    private String normalizing(String field) {
        return Optional.ofNullable(words.get(field))
                .flatMap(WordSettings::normalizing)
                .map(Name::text)
                .orElse("accent");
    }

    private void problem(Name at, String problem) {
        findings.problem(at.at().pointing(problem));
    }
}
