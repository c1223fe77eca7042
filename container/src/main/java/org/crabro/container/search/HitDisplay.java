package org.crabro.container.search;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.DocumentSummary.SummaryField;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.SummaryNames;
import org.crabro.container.query.Target;
import org.crabro.protocol.search.SearchHit;

/** Selects the parts of the hits of one target that are shown. Immutable. */
final class HitDisplay {
    private final Target target;
    private final boolean rawAsBase64;
    private final boolean timesAsTexts;
    private final boolean showsType;
    private final boolean showsId;
    private final boolean isNamedByDocument;
    private final Set<String> hidden;

    HitDisplay(Presentation presentation, Target target) {
        this.target = target;
        this.rawAsBase64 = presentation.rawAsBase64() && target.schema().summaries().rawAsBase64();
        this.timesAsTexts = presentation.values().timesAsTexts();
        List<String> fields = target.summary().fields();
        this.showsType = fields.isEmpty() || fields.contains(SummaryNames.TYPE);
        this.showsId = fields.isEmpty() ? hasId(target) : fields.contains(SummaryNames.ID);
        this.isNamedByDocument = presentation.output().showsIds() && !showsId;
        this.hidden = hidden(target);
    }

    private static boolean hasId(Target target) {
        String name = target.summary().documentSummary();
        DocumentSummary summary = target.schema().summaries().byName().get(name);
        if (name.equals("default") || summary == null) {
            return name.equals("default");
        }
        for (SummaryField field : summary.fields()) {
            if (field.name().equals(SummaryNames.ID)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the features that hits contain only for the global phase. */
    private static Set<String> hidden(Target target) {
        return target.ranking()
                .profile()
                .phases()
                .global()
                .<Set<String>>map(global -> {
                    var names = new HashSet<>(global.features().keySet());
                    names.removeAll(target.ranking().profile().shown().match().keySet());
                    return names;
                })
                .orElse(Set.of());
    }

    ResultHit shown(SearchHit hit) {
        SearchHit whole = hit.withoutFeatures(hidden);
        String summary = target.summary().documentSummary();
        SearchHit withTexts =
                timesAsTexts ? TimeFields.asTexts(whole, target.schema(), summary) : whole;
        return new ResultHit(
                rawAsBase64 ? withTexts : RawFields.asTexts(withTexts, target.schema(), summary),
                target.cluster(),
                target.schema().name(),
                showsType,
                showsId,
                isNamedByDocument ? Optional.of(hit.id().toString()) : Optional.empty());
    }
}
