package org.crabro.content.search.group;

import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.RowOrder;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.protocol.grouping.GroupPage;
import org.crabro.protocol.grouping.GroupingRequest;
import org.crabro.protocol.grouping.GroupingSettings;

/**
 * The groupings of a search, compiled for a schema. Immutable; each thread has a {@link GroupScan}.
 */
public final class Grouping {
    private final GroupingSettings settings;
    private final Schema schema;
    private final QueryFields fields;
    private final ZoneId zone;
    private final long nowSeconds;
    private final Set<String> read;
    private final boolean readsIds;
    private final List<String> warnings;

    private Grouping(
            GroupingSettings settings,
            Schema schema,
            QueryFields fields,
            ZoneId zone,
            long nowSeconds) {
        this.settings = settings;
        this.schema = schema;
        this.fields = fields;
        this.zone = zone;
        this.nowSeconds = nowSeconds;
        var compiler = compiler();
        for (GroupingRequest request : settings.requests()) {
            node(request, compiler, () -> (_, _, _, _, _, _) -> 0);
        }
        this.read = Set.copyOf(compiler.read());
        this.readsIds = compiler.readsIds();
        this.warnings = warnings(compiler.unknown());
    }

    /**
     * Compiles groupings.
     *
     * @param fields receives the fields that they read
     * @param nowSeconds the query's time, seconds since the epoch
     * @throws QueryRejectedException if types do not match
     */
    public static Grouping compile(
            GroupingSettings settings, Schema schema, QueryFields fields, long nowSeconds) {
        try {
            ZoneId zone = ZoneId.of(settings.timeZone());
            return new Grouping(settings, schema, fields, zone, nowSeconds);
        } catch (DateTimeException _) {
            throw new QueryRejectedException(
                    "there is no time zone '%s'".formatted(settings.timeZone()));
        }
    }

    private List<String> warnings(Set<String> unknown) {
        return unknown.stream()
                .map(name ->
                        "Cannot group by '%s': no such field in '%s'."
                                .formatted(name, schema.name()))
                .toList();
    }

    private ExpressionCompiler compiler() {
        return new ExpressionCompiler(schema, fields, zone, nowSeconds);
    }

    private static GroupNode node(
            GroupingRequest request, ExpressionCompiler compiler, Supplier<RowOrder> order) {
        return new GroupNode(
                request.root(),
                compiler,
                Set.of(),
                request.needsScores(),
                order,
                tag ->
                        request.pages().stream()
                                .filter(page -> page.tag() == tag)
                                .mapToInt(GroupPage::offset)
                                .max()
                                .orElse(0));
    }

    public GroupingSettings settings() {
        return settings;
    }

    /**
     * Returns warnings about problems that do not make the rest of the result wrong, such as an
     * unknown field.
     */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns the names of the fields that are read. */
    public Set<String> read() {
        return read;
    }

    public boolean readsIds() {
        return readsIds;
    }

    /**
     * Returns a new scan for one thread.
     *
     * @param order creates the order of the hits of groups
     * @param budget shared by all threads of the search
     * @param work counts the cost of grouping; it may stop the search, and then the groups are
     *     discarded
     */
    public GroupScan newScan(
            BlockScan scan, Supplier<RowOrder> order, GroupBudget budget, WorkMeter work) {
        var compiler = compiler();
        var nodes = new ArrayList<GroupNode>();
        for (GroupingRequest request : settings.requests()) {
            nodes.add(node(request, compiler, order));
        }
        return new GroupScan(settings, scan, nodes, compiler.scopeCount(), budget, work);
    }
}
