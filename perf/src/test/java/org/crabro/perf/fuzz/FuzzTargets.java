package org.crabro.perf.fuzz;

import java.util.List;
import java.util.function.Supplier;
import org.crabro.client.feed.FeedTargets;
import org.crabro.client.imports.ImportTargets;
import org.crabro.config.application.ArchiveTargets;
import org.crabro.config.component.ClassTargets;
import org.crabro.container.access.AccessTargets;
import org.crabro.container.admin.AdminTargets;
import org.crabro.container.bulk.BulkTargets;
import org.crabro.container.document.PathTargets;
import org.crabro.container.http.PemTargets;
import org.crabro.container.http.gzip.GzipTargets;
import org.crabro.container.query.RequestTargets;
import org.crabro.container.reindex.ReindexTargets;
import org.crabro.container.search.SearchTargets;
import org.crabro.container.visit.VisitTargets;
import org.crabro.content.node.ContentTargets;
import org.crabro.content.search.execution.SnippetTargets;
import org.crabro.content.search.match.MatchTargets;
import org.crabro.content.search.rank.RankPropertyTargets;
import org.crabro.content.storage.journal.JournalTargets;
import org.crabro.content.storage.memtable.RecentTargets;
import org.crabro.content.storage.partition.RunTargets;
import org.crabro.ranking.onnx.TokenizerTargets;
import org.crabro.server.settings.SettingTargets;

/** Every parser of outside input. */
final class FuzzTargets {
    /** In groups, each created on demand: a process that fuzzes one group needs no other. */
    static final List<Supplier<List<FuzzTarget>>> GROUPS =
            List.of(
                    DocumentTargets::all,
                    QueryTargets::all,
                    RankTargets::all,
                    PackageTargets::all,
                    MessageTargets::all,
                    RequestTargets::all,
                    SearchTargets::all,
                    BulkTargets::all,
                    PathTargets::all,
                    AdminTargets::all,
                    VisitTargets::all,
                    PemTargets::all,
                    GzipTargets::all,
                    MatchTargets::all,
                    RankPropertyTargets::all,
                    SnippetTargets::all,
                    FeedTargets::all,
                    ClassTargets::all,
                    ArchiveTargets::all,
                    ImportTargets::all,
                    JournalTargets::all,
                    RunTargets::all,
                    AccessTargets::all,
                    ReindexTargets::all,
                    ContentTargets::all,
                    RecentTargets::all,
                    TokenizerTargets::all,
                    SettingTargets::all);

    private FuzzTargets() {}

    static List<FuzzTarget> all() {
        return GROUPS.stream().flatMap(group -> group.get().stream()).toList();
    }
}
