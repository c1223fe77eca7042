package org.crabro.container.render;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.crabro.container.query.GroupingContinuation;
import org.crabro.container.search.ResultGroups;
import org.crabro.container.search.ResultHit;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.ValueForm;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupExpression;
import org.crabro.protocol.grouping.GroupHits;
import org.crabro.protocol.grouping.GroupId;
import org.crabro.protocol.grouping.GroupList;
import org.crabro.protocol.grouping.GroupMath;
import org.crabro.protocol.grouping.GroupPage;
import org.crabro.protocol.grouping.GroupPlan;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.GroupWindow;
import org.crabro.protocol.grouping.GroupingOperation.Output;
import org.crabro.protocol.grouping.HitsPlan;
import org.crabro.protocol.grouping.ListPlan;
import tools.jackson.core.JsonGenerator;

/** Writes the result of a grouping: groups, the lists in them, and the continuations of lists. */
final class GroupsJson {
    private final ResultGroups groups;
    private final ValueForm form;
    private final JsonGenerator json;
    private final Consumer<ResultHit> hits;

    /**
     * @param form whether whole numbers, which are all of type {@code long}, are strings
     * @param hits writes a hit
     */
    GroupsJson(ResultGroups groups, ValueForm form, JsonGenerator json, Consumer<ResultHit> hits) {
        this.groups = groups;
        this.form = form;
        this.json = json;
        this.hits = hits;
    }

    void write() {
        GroupPlan plan = groups.request().root();
        List<Integer> path = List.of(groups.number(), 0);
        json.writeStartObject();
        json.writeStringProperty("id", "group:root:" + groups.number());
        json.writeNumberProperty("relevance", 1.0);
        json.writeObjectPropertyStart("continuation");
        var shown = new StringBuilder();
        pages(groups.root(), plan, path, shown);
        json.writeStringProperty("this", shown.toString());
        json.writeEndObject();
        content(groups.root(), plan, path);
        json.writeEndObject();
    }

    /** Collects where the lists begin that do not begin with their first entry. */
    private static void pages(
            Group<ResultHit> group, GroupPlan plan, List<Integer> path, StringBuilder into) {
        int number = 0;
        for (int i = 0; i < plan.lists().size(); i++) {
            ListPlan list = plan.lists().get(i);
            if (list.listed().isListed()) {
                GroupList<ResultHit> groupList = group.lists().get(i);
                List<Integer> of = GroupWindow.child(path, number++);
                addPage(of, list.label().tag(), groupList.first(), into);
                for (int j = 0; j < groupList.groups().size(); j++) {
                    pages(
                            groupList.groups().get(j),
                            list.group(),
                            GroupWindow.child(of, groupList.first() + j),
                            into);
                }
            }
        }
        for (int i = 0; i < plan.hits().size(); i++) {
            List<Integer> of = GroupWindow.child(path, number++);
            addPage(of, plan.hits().get(i).tag(), group.hits().get(i).first(), into);
        }
    }

    private static void addPage(List<Integer> path, int tag, int first, StringBuilder into) {
        if (first > 0) {
            into.append(GroupingContinuation.text(new GroupPage(path, tag, first), false));
        }
    }

    /** Writes the values of a group and the lists in it. */
    private void content(Group<ResultHit> group, GroupPlan plan, List<Integer> path) {
        fields(group, plan);
        List<Runnable> children = new ArrayList<>();
        int number = 0;
        for (int i = 0; i < plan.lists().size(); i++) {
            ListPlan list = plan.lists().get(i);
            if (list.listed().isListed()) {
                GroupList<ResultHit> groupList = group.lists().get(i);
                List<Integer> of = GroupWindow.child(path, number++);
                if (!groupList.groups().isEmpty() || groupList.first() > 0) {
                    children.add(() -> list(groupList, list, of));
                }
            }
        }
        for (int i = 0; i < plan.hits().size(); i++) {
            HitsPlan list = plan.hits().get(i);
            GroupHits<ResultHit> page = group.hits().get(i);
            List<Integer> of = GroupWindow.child(path, number++);
            if (!page.hits().isEmpty() || page.first() > 0) {
                children.add(() -> hits(page, list, of));
            }
        }
        if (!children.isEmpty()) {
            json.writeArrayPropertyStart("children");
            children.forEach(Runnable::run);
            json.writeEndArray();
        }
    }

    private void fields(Group<ResultHit> group, GroupPlan plan) {
        boolean hasTotals = plan.lists().stream().anyMatch(list -> !list.totals().isEmpty());
        if (plan.outputs().isEmpty() && !hasTotals) {
            return;
        }
        json.writeObjectPropertyStart("fields");
        for (Output output : plan.outputs()) {
            json.writeName(output.label());
            GroupValue value = GroupMath.value(output.value(), GroupWindow.aggregates(group, plan));
            groups.times()
                    .text(output.value(), value)
                    .ifPresentOrElse(json::writeString, () -> value(value));
        }
        for (int i = 0; i < plan.lists().size(); i++) {
            for (Output output : plan.lists().get(i).totals()) {
                json.writeName(output.label());
                value(new GroupValue.Whole(group.lists().get(i).size()));
            }
        }
        json.writeEndObject();
    }

    private void value(GroupValue value) {
        switch (value) {
            case GroupValue.Whole(long number) when form.longsAsTexts() ->
                    json.writeString(Long.toString(number));
            case GroupValue.Whole(long number) -> json.writeNumber(number);
            case GroupValue.Real(double number) -> FieldValueWriter.write(json, number);
            case GroupValue.Text(var text) -> json.writeString(text);
            case GroupValue.Truth(boolean truth) -> json.writeBoolean(truth);
            case GroupValue.Raw raw -> json.writeString(raw.text());
            case GroupValue.Quantiles(var quantiles) -> {
                json.writeStartArray();
                for (GroupValue.Quantile each : quantiles) {
                    json.writeStartObject();
                    json.writeNumberProperty("quantile", each.level());
                    json.writeName("value");
                    FieldValueWriter.write(json, each.value());
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
        }
    }

    private void list(GroupList<ResultHit> list, ListPlan plan, List<Integer> path) {
        json.writeStartObject();
        json.writeStringProperty("id", "grouplist:" + plan.label().text());
        json.writeNumberProperty("relevance", 1.0);
        json.writeStringProperty("label", plan.label().text());
        continuation(
                path,
                plan.label().tag(),
                list.first(),
                list.groups().size(),
                list.size(),
                plan.listed().max());
        message(list, plan);
        json.writeArrayPropertyStart("children");
        int count = list.groups().size();
        for (int i = 0; i < count; i++) {
            Group<ResultHit> group = list.groups().get(i);
            json.writeStartObject();
            json.writeStringProperty("id", id(group.id()));
            json.writeName("relevance");
            FieldValueWriter.write(json, relevance(group, plan, i, count));
            switch (group.id()) {
                case GroupId.Root(), GroupId.Missing() -> {}
                case GroupId.Value(var value) ->
                        json.writeStringProperty(
                                "value",
                                groups.times().text(plan.by(), value).orElseGet(value::text));
                case GroupId.Range range -> {
                    json.writeObjectPropertyStart("limits");
                    json.writeStringProperty(
                            "from",
                            time(range.from(), plan.by())
                                    .orElseGet(() -> end(range.from(), range.kind(), true)));
                    json.writeStringProperty(
                            "to",
                            time(range.to(), plan.by())
                                    .orElseGet(() -> end(range.to(), range.kind(), false)));
                    json.writeEndObject();
                }
            }
            content(group, plan.group(), GroupWindow.child(path, list.first() + i));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Reports that a default limit hides further groups. */
    private void message(GroupList<ResultHit> list, ListPlan plan) {
        int shown = list.groups().size();
        if (!plan.listed().isMaxSaid() && list.size() > (long) list.first() + shown) {
            json.writeStringProperty(
                    "message",
                    "%d of %d groups, since grouping.defaultMaxGroups is %d: set max(...) to get more, or use continuations"
                            .formatted(shown, list.size(), plan.listed().max()));
        }
    }

    private double relevance(Group<ResultHit> group, ListPlan plan, int index, int count) {
        if (groups.request().everything()) {
            return 0;
        }
        return plan.listed().order().isEmpty() && plan.listed().fill().isEmpty()
                ? group.relevance()
                : (double) (count - index) / count;
    }

    private void hits(GroupHits<ResultHit> list, HitsPlan plan, List<Integer> path) {
        json.writeStartObject();
        json.writeStringProperty("id", "hitlist:" + plan.label());
        json.writeNumberProperty("relevance", 1.0);
        json.writeStringProperty("label", plan.label());
        continuation(path, plan.tag(), list.first(), list.hits().size(), list.size(), plan.max());
        json.writeArrayPropertyStart("children");
        list.hits().forEach(hits);
        json.writeEndArray();
        json.writeEndObject();
    }

    private void continuation(
            List<Integer> path, int tag, int first, int shown, long size, int max) {
        boolean hasNext = size > (long) first + shown;
        if (!hasNext && first == 0) {
            return;
        }
        json.writeObjectPropertyStart("continuation");
        if (hasNext) {
            json.writeStringProperty(
                    "next",
                    GroupingContinuation.text(new GroupPage(path, tag, first + shown), true));
        }
        if (first > 0) {
            int before = max < 0 ? 0 : Math.max(0, first - max);
            json.writeStringProperty(
                    "prev", GroupingContinuation.text(new GroupPage(path, tag, before), true));
        }
        json.writeEndObject();
    }

    private static String id(GroupId id) {
        return switch (id) {
            case GroupId.Root() -> "group:root";
            case GroupId.Missing() -> "group:null";
            case GroupId.Value(var value) -> "group:" + kind(value) + ":" + value.text();
            case GroupId.Range range ->
                    "group:%s_bucket:%s:%s"
                            .formatted(
                                    switch (range.kind()) {
                                        case LONG -> "long";
                                        case DOUBLE -> "double";
                                        case STRING -> "string";
                                        case RAW -> "raw";
                                    },
                                    end(range.from(), range.kind(), true),
                                    end(range.to(), range.kind(), false));
        };
    }

    private static String kind(GroupValue value) {
        return switch (value) {
            case GroupValue.Whole _ -> "long";
            case GroupValue.Real _ -> "double";
            case GroupValue.Text _ -> "string";
            case GroupValue.Truth _ -> "bool";
            case GroupValue.Raw _ -> "raw";
            case GroupValue.Quantiles _ -> throw new IllegalStateException("a group of quantiles");
        };
    }

    private Optional<String> time(Optional<GroupValue> end, GroupExpression by) {
        return end.flatMap(value -> groups.times().text(by, value));
    }

    private static String end(Optional<GroupValue> end, GroupId.Kind kind, boolean isFrom) {
        return end.map(GroupValue::text)
                .orElse(
                        switch (kind) {
                            case LONG -> Long.toString(isFrom ? Long.MIN_VALUE : Long.MAX_VALUE);
                            case DOUBLE -> isFrom ? "-Infinity" : "Infinity";
                            case STRING, RAW -> "";
                        });
    }
}
