package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rules that ARCHITECTURE.md states, as tests. A rule that changes here changes there. */
class ArchitectureTest {
    /** Modules whose classes are read; what samples and perf hold stands in packages of these. */
    private static final Set<String> MODULES =
            Set.of(
                    "document-api",
                    "ranking",
                    "config-model",
                    "protocol",
                    "content/storage",
                    "content/search",
                    "content/replication",
                    "content/node",
                    "container",
                    "clients",
                    "server");

    private static final JavaClasses CRABRO =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("org.crabro");

    @TempDir Path folder;

    @Test
    void modulesPointDownwards() {
        ArchitectureRules.MODULES_POINT_DOWNWARDS.check(CRABRO);
    }

    @Test
    void classesLiveInARoomOfTheHouse() {
        ArchitectureRules.CLASSES_LIVE_IN_A_ROOM.check(CRABRO);
    }

    @Test
    void packagesHaveNoCycles() {
        ArchitectureRules.PACKAGES_HAVE_NO_CYCLES.check(CRABRO);
    }

    @Test
    void onlyTheHttpEdgeKnowsJetty() {
        ArchitectureRules.ONLY_THE_HTTP_EDGE_KNOWS_JETTY.check(CRABRO);
    }

    @Test
    void onlyStorageAndStemmingKnowLucene() {
        ArchitectureRules.ONLY_STORAGE_AND_STEMMING_KNOW_LUCENE.check(CRABRO);
    }

    @Test
    void onlyTheWireKnowsGrpc() {
        ArchitectureRules.ONLY_THE_WIRE_KNOWS_GRPC.check(CRABRO);
    }

    @Test
    void portsOfClustersNameTheirCallers() {
        ArchitectureRules.PORTS_OF_CLUSTERS_NAME_THEIR_CALLERS.check(CRABRO);
    }

    @Test
    void onlyOnePackageOfDocumentsKnowsJson() {
        ArchitectureRules.ONLY_ONE_PACKAGE_OF_DOCUMENTS_KNOWS_JSON.check(CRABRO);
    }

    @Test
    void onlyOnePackageRunsModels() {
        ArchitectureRules.ONLY_ONE_PACKAGE_RUNS_MODELS.check(CRABRO);
    }

    @Test
    void theJournalKnowsOnlyBytes() {
        ArchitectureRules.THE_JOURNAL_KNOWS_ONLY_BYTES.check(CRABRO);
    }

    @Test
    void modulesOfContentPointDownwards() {
        ArchitectureRules.CONTENT_POINTS_DOWNWARDS.check(CRABRO);
    }

    @Test
    void onlyOnePackageOfContentCallsTheCLibrary() {
        ArchitectureRules.ONLY_ONE_PACKAGE_CALLS_THE_C_LIBRARY.check(CRABRO);
    }

    @Test
    void storageDoesNotKnowQueries() {
        ArchitectureRules.STORAGE_DOES_NOT_KNOW_QUERIES.check(CRABRO);
    }

    @Test
    void aPutNeverReturnsToAnEarlierPackage() {
        ArchitectureRules.A_PUT_NEVER_RETURNS_TO_AN_EARLIER_PACKAGE.check(CRABRO);
    }

    @Test
    void replicationHasNoClockNoThreadAndNoSocket() {
        ArchitectureRules.REPLICATION_HAS_NO_CLOCK_NO_THREAD_AND_NO_SOCKET.check(CRABRO);
    }

    @Test
    void onlyOnePackageUsesRatis() {
        ArchitectureRules.ONLY_ONE_PACKAGE_USES_RATIS.check(CRABRO);
    }

    @Test
    void onlyOnePackageUsesTheInsideOfRatis() {
        ArchitectureRules.ONLY_ONE_PACKAGE_USES_THE_INSIDE_OF_RATIS.check(CRABRO);
    }

    @Test
    void staticStateIsListed() {
        ArchitectureRules.STATIC_STATE_IS_LISTED.check(CRABRO);
        assertThat(StaticState.missing(CRABRO)).isEmpty();
    }

    @Test
    void contentStartsNoVirtualThread() {
        ArchitectureRules.CONTENT_STARTS_NO_VIRTUAL_THREAD.check(CRABRO);
    }

    @Test
    void noDumpingGrounds() {
        ArchitectureRules.NO_DUMPING_GROUNDS.check(CRABRO);
    }

    /** Otherwise a module that is missing on the class path would pass every rule. */
    @Test
    void everyPackageWithSourcesIsSeen() throws IOException {
        var written = new TreeSet<String>();
        for (JavaSource source : JavaSource.all(SourceTree.ofRepository())) {
            if (source.isMain() && MODULES.contains(source.module())) {
                written.add(source.packageName());
            }
        }

        var seen = new TreeSet<String>();
        for (JavaClass type : CRABRO) {
            seen.add(type.getPackageName());
        }

        assertThat(seen).containsAll(written);
    }

    @Test
    void findsAnArrowThatPointsUp() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.MODULES_POINT_DOWNWARDS,
                                "package org.crabro.ranking.program; public class Program {}",
                                "package org.crabro.tensor; class Cells {"
                                        + " org.crabro.ranking.program.Program up; }"))
                .singleElement()
                .asString()
                .contains("org.crabro.tensor.Cells.up");
    }

    @Test
    void findsContentThatSeesContainer() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.MODULES_POINT_DOWNWARDS,
                                "package org.crabro.container.http; public class Edge {}",
                                "package org.crabro.content.search.match; class Scan {"
                                        + " org.crabro.container.http.Edge sideways; }"))
                .isNotEmpty();
    }

    @Test
    void findsAClientThatKnowsMoreThanDocuments() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.MODULES_POINT_DOWNWARDS,
                                "package org.crabro.protocol.feed; public class Request {}",
                                "package org.crabro.client.feed; class Feeder {"
                                        + " org.crabro.protocol.feed.Request inside; }"))
                .isNotEmpty();
    }

    @Test
    void letsTheServerSeeBothSides() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.MODULES_POINT_DOWNWARDS,
                                "package org.crabro.container; public class Container {}",
                                "package org.crabro.content.node; public class ContentNode {}",
                                "package org.crabro.server; class Crabro {"
                                        + " org.crabro.container.Container up;"
                                        + " org.crabro.content.node.ContentNode down; }"))
                .isEmpty();
    }

    @Test
    void findsAClassOutsideOfEveryRoom() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.CLASSES_LIVE_IN_A_ROOM,
                                "package org.crabro.core; class Thing {}"))
                .singleElement()
                .asString()
                .contains("org.crabro.core.Thing");
    }

    @Test
    void findsACycleInsideAModule() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.PACKAGES_HAVE_NO_CYCLES,
                                "package org.crabro.content.storage.block; public class Block {"
                                        + " org.crabro.content.search.match.Term term; }",
                                "package org.crabro.content.search.match; public class Term {"
                                        + " org.crabro.content.storage.block.Block block; }"))
                .singleElement()
                .asString()
                .contains("Cycle");
    }

    @Test
    void findsLuceneOutsideOfStorage() throws IOException {
        String lucene = "package org.apache.lucene.util; public class FixedBitSet {}";

        assertThat(
                        findings(
                                ArchitectureRules.ONLY_STORAGE_AND_STEMMING_KNOW_LUCENE,
                                lucene,
                                "package org.crabro.content.storage.index; class Rows {"
                                        + " org.apache.lucene.util.FixedBitSet rows; }",
                                "package org.crabro.config.stemming; class Stems {"
                                        + " org.apache.lucene.util.FixedBitSet stems; }",
                                "package org.crabro.content.search.match; class Matches {"
                                        + " org.apache.lucene.util.FixedBitSet rows; }"))
                .singleElement()
                .asString()
                .contains("org.crabro.content.search.match.Matches.rows");
    }

    @Test
    void findsJettyOutsideOfTheContainer() throws IOException {
        String jetty = "package org.eclipse.jetty.server; public class Server {}";

        assertThat(
                        findings(
                                ArchitectureRules.ONLY_THE_HTTP_EDGE_KNOWS_JETTY,
                                jetty,
                                "package org.crabro.container.http; class Edge {"
                                        + " org.eclipse.jetty.server.Server server; }",
                                "package org.crabro.client.http; class Client {"
                                        + " org.eclipse.jetty.server.Server server; }",
                                "package org.crabro.content.node; class Node {"
                                        + " org.eclipse.jetty.server.Server server; }"))
                .hasSize(2)
                .anyMatch(finding -> finding.contains("org.crabro.client.http.Client.server"))
                .anyMatch(finding -> finding.contains("org.crabro.content.node.Node.server"));
    }

    @Test
    void findsGrpcOutsideOfTheWire() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.ONLY_THE_WIRE_KNOWS_GRPC,
                                "package io.grpc; public class Server {}",
                                "package io.grpc; public class Metadata {}",
                                "package org.crabro.content.node.wire; class Edge {"
                                        + " io.grpc.Server server; }",
                                "package org.crabro.protocol.wire; class Header {"
                                        + " io.grpc.Metadata headers; }"))
                .singleElement()
                .asString()
                .contains("org.crabro.protocol.wire.Header.headers");
    }

    @Test
    void findsAServerThatNamesNoCallers() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.PORTS_OF_CLUSTERS_NAME_THEIR_CALLERS,
                                "package io.grpc.netty; public class NettyServerBuilder {"
                                        + " public Object build() { return this; }"
                                        + " public NettyServerBuilder addService(Object service)"
                                        + " { return this; } }",
                                "package org.crabro.protocol.grpc; class CallerGuard {"
                                        + " Object open(io.grpc.netty.NettyServerBuilder port) {"
                                        + " return port.addService(this).build(); } }",
                                "package org.crabro.content.node.wire; class Open {"
                                        + " Object open(io.grpc.netty.NettyServerBuilder port) {"
                                        + " return port.build(); } }"))
                .singleElement()
                .asString()
                .contains("org.crabro.content.node.wire.Open.open");
    }

    @Test
    void findsAServiceThatNamesNoCallers() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.PORTS_OF_CLUSTERS_NAME_THEIR_CALLERS,
                                "package io.grpc; public class ServerServiceDefinition {}",
                                "package org.crabro.protocol.grpc; class GuardedService {"
                                        + " io.grpc.ServerServiceDefinition definition; }",
                                "package org.crabro.server.cluster; class Unguarded {"
                                        + " io.grpc.ServerServiceDefinition definition; }"))
                .singleElement()
                .asString()
                .contains("org.crabro.server.cluster.Unguarded.definition");
    }

    @Test
    void findsAPortOfReplicasWithoutItsGuard() throws IOException {
        String opening =
                " Object open() { return new org.apache.ratis.server.RaftServer.Builder().build();"
                        + " } }";

        assertThat(
                        findings(
                                ArchitectureRules.PORTS_OF_CLUSTERS_NAME_THEIR_CALLERS,
                                "package org.apache.ratis.server; public interface RaftServer {"
                                        + " class Builder {"
                                        + " public Object build() { return this; } } }",
                                "package org.crabro.content.replication.raft; class ReplicaGuard {}",
                                "package org.crabro.content.replication.raft; class Groups { ReplicaGuard guard;"
                                        + opening,
                                "package org.crabro.content.replication.raft; class Others {"
                                        + opening))
                .singleElement()
                .asString()
                .contains("org.crabro.content.replication.raft.Others");
    }

    @Test
    void findsJsonOutsideOfItsPackage() throws IOException {
        String jackson = "package tools.jackson.core; public class JsonParser {}";

        assertThat(
                        findings(
                                ArchitectureRules.ONLY_ONE_PACKAGE_OF_DOCUMENTS_KNOWS_JSON,
                                jackson,
                                "package org.crabro.document.json; class DocumentJson {"
                                        + " tools.jackson.core.JsonParser parser; }",
                                "package org.crabro.tensor; class Cells {"
                                        + " tools.jackson.core.JsonParser parser; }"))
                .singleElement()
                .asString()
                .contains("org.crabro.tensor.Cells.parser");
    }

    @Test
    void findsAModelRunElsewhere() throws IOException {
        String runtime = "package ai.onnxruntime; public class OrtSession {}";

        assertThat(
                        findings(
                                ArchitectureRules.ONLY_ONE_PACKAGE_RUNS_MODELS,
                                runtime,
                                "package org.crabro.ranking.onnx; class Model {"
                                        + " ai.onnxruntime.OrtSession session; }",
                                "package org.crabro.container.processing; class Embedding {"
                                        + " ai.onnxruntime.OrtSession session; }"))
                .singleElement()
                .asString()
                .contains("org.crabro.container.processing.Embedding.session");
    }

    @Test
    void findsAJournalThatKnowsDocuments() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.THE_JOURNAL_KNOWS_ONLY_BYTES,
                                "package org.crabro.document; public class Document {}",
                                "package org.crabro.content.storage.journal; class Batch {"
                                        + " Batch next; }",
                                "package org.crabro.content.storage.journal; class Segment {"
                                        + " org.crabro.document.Document document; }"))
                .singleElement()
                .asString()
                .contains("org.crabro.content.storage.journal.Segment.document");
    }

    @Test
    void findsARunThatKnowsQueries() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.STORAGE_DOES_NOT_KNOW_QUERIES,
                                "package org.crabro.protocol.query; public class QueryNode {}",
                                "package org.crabro.content.storage.block; class Block {"
                                        + " org.crabro.protocol.query.QueryNode tree; }"))
                .singleElement()
                .asString()
                .contains("org.crabro.content.storage.block.Block.tree");
    }

    @Test
    void findsACallOfTheCLibrary() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.ONLY_ONE_PACKAGE_CALLS_THE_C_LIBRARY,
                                "package org.crabro.content.storage.os; class Calls {"
                                        + " java.lang.foreign.Linker linker; }",
                                "package org.crabro.content.storage.run; class Run {"
                                        + " java.lang.foreign.Linker linker; }"))
                .singleElement()
                .asString()
                .contains("org.crabro.content.storage.run.Run.linker");
    }

    @Test
    void findsStorageThatSeesSearch() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.CONTENT_POINTS_DOWNWARDS,
                                "package org.crabro.content.search.match; public class Scan {}",
                                "package org.crabro.content.storage.block; class Block {"
                                        + " org.crabro.content.search.match.Scan up; }"))
                .isNotEmpty();
    }

    @Test
    void findsDispatchThatCallsTheBulkEndpoint() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.A_PUT_NEVER_RETURNS_TO_AN_EARLIER_PACKAGE,
                                "package org.crabro.container.document; public interface Reads {}",
                                "package org.crabro.container.bulk; public class Lines {}",
                                "package org.crabro.container.dispatch; class ReadDispatch"
                                        + " implements org.crabro.container.document.Reads {}",
                                "package org.crabro.container.dispatch; class RowDispatch {"
                                        + " org.crabro.container.bulk.Lines lines; }"))
                .singleElement()
                .asString()
                .contains("org.crabro.container.dispatch.RowDispatch.lines");
    }

    @Test
    void findsRequestsThatCallDispatch() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.A_PUT_NEVER_RETURNS_TO_AN_EARLIER_PACKAGE,
                                "package org.crabro.container.dispatch; public class Nodes {}",
                                "package org.crabro.container.document; class RowReader {"
                                        + " org.crabro.container.dispatch.Nodes nodes; }"))
                .singleElement()
                .asString()
                .contains("org.crabro.container.document.RowReader.nodes");
    }

    @Test
    void findsAClockInReplication() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.REPLICATION_HAS_NO_CLOCK_NO_THREAD_AND_NO_SOCKET,
                                "package org.crabro.content.replication.log; class Progress {"
                                        + " long now() { return System.nanoTime(); } }"))
                .singleElement()
                .asString()
                .contains("nanoTime");
    }

    @Test
    void findsAStoreThatUsesTheServerOfReplicas() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.ONLY_ONE_PACKAGE_USES_RATIS,
                                "package org.crabro.content.replication.raft; public class Groups {}",
                                "package org.crabro.content.storage.memtable; class Store {"
                                        + " org.crabro.content.replication.raft.Groups groups; }"))
                .singleElement()
                .asString()
                .contains("Groups");
    }

    @Test
    void findsAReplicaThatUsesTheInsideOfRatis() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.ONLY_ONE_PACKAGE_USES_THE_INSIDE_OF_RATIS,
                                "package org.apache.ratis.server.impl; public class Inside {}",
                                "package org.apache.ratis.statemachine.impl; public class Base {}",
                                "package org.apache.ratis.grpc; public class GrpcFactory {}",
                                "package org.crabro.content.replication.raft.patch; class Fields {"
                                        + " org.apache.ratis.server.impl.Inside inside;"
                                        + " java.lang.reflect.Field field; }",
                                "package org.crabro.content.replication.raft; class Machine"
                                        + " extends org.apache.ratis.statemachine.impl.Base {}",
                                "package org.crabro.content.replication.raft; class Groups {"
                                        + " org.apache.ratis.server.impl.Inside inside;"
                                        + " org.apache.ratis.grpc.GrpcFactory factory;"
                                        + " java.lang.reflect.Field field; }"))
                .hasSize(3)
                .allMatch(finding -> finding.contains("raft.Groups."));
    }

    @Test
    void findsStaticState() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.STATIC_STATE_IS_LISTED,
                                "package org.crabro.text; class Counter { int count; }",
                                "package org.crabro.text; class Constants {"
                                        + " static final int MAX = 1; static final String A = \"a\";"
                                        + " static final java.util.Map<String, String> NAMES ="
                                        + " new java.util.HashMap<>();"
                                        + " static { NAMES.put(\"a\", \"b\"); } }",
                                "package org.crabro.text; class State {"
                                        + " static int count;"
                                        + " static final java.util.Map<String, String> CACHE ="
                                        + " new java.util.HashMap<>();"
                                        + " static final java.util.concurrent.atomic.AtomicLong NEXT ="
                                        + " new java.util.concurrent.atomic.AtomicLong();"
                                        + " static final Counter COUNTER = new Counter();"
                                        + " void put() { CACHE.put(\"a\", \"b\"); } }"))
                .hasSize(4)
                .anyMatch(finding -> finding.contains("State.count"))
                .anyMatch(finding -> finding.contains("State.CACHE"))
                .anyMatch(finding -> finding.contains("State.NEXT"))
                .anyMatch(finding -> finding.contains("State.COUNTER"));
    }

    @Test
    void findsAVirtualThreadInContent() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.CONTENT_STARTS_NO_VIRTUAL_THREAD,
                                "package org.crabro.content.search.match; class Scan {"
                                        + " void start(Runnable r) {"
                                        + " Thread.ofVirtual().start(r); } }"))
                .singleElement()
                .asString()
                .contains("ofVirtual");
    }

    @Test
    void findsNamesThatSayNothing() throws IOException {
        assertThat(
                        findings(
                                ArchitectureRules.NO_DUMPING_GROUNDS,
                                "package org.crabro.content.storage.block; class RunManager {}",
                                "package org.crabro.content.storage.block; class Outer { class ByteUtils {}"
                                        + " }",
                                "package org.crabro.config.util; class Strings {}",
                                "package org.crabro.content.storage.block; class Implied {}"))
                .hasSize(3);
    }

    private List<String> findings(ArchRule rule, String... sources) throws IOException {
        JavaClasses classes = MadeUpClasses.compiled(folder, sources);
        return rule.evaluate(classes).getFailureReport().getDetails();
    }

    /** A rule must not fail for want of classes: modules fill up one by one. */
    @Test
    void holdsOfNothing() {
        JavaClasses none = new ClassFileImporter().importClasses();

        Stream.of(
                        ArchitectureRules.MODULES_POINT_DOWNWARDS,
                        ArchitectureRules.CLASSES_LIVE_IN_A_ROOM,
                        ArchitectureRules.PACKAGES_HAVE_NO_CYCLES,
                        ArchitectureRules.ONLY_THE_HTTP_EDGE_KNOWS_JETTY,
                        ArchitectureRules.ONLY_THE_WIRE_KNOWS_GRPC,
                        ArchitectureRules.PORTS_OF_CLUSTERS_NAME_THEIR_CALLERS,
                        ArchitectureRules.ONLY_ONE_PACKAGE_OF_DOCUMENTS_KNOWS_JSON,
                        ArchitectureRules.ONLY_ONE_PACKAGE_RUNS_MODELS,
                        ArchitectureRules.THE_JOURNAL_KNOWS_ONLY_BYTES,
                        ArchitectureRules.CONTENT_POINTS_DOWNWARDS,
                        ArchitectureRules.ONLY_ONE_PACKAGE_CALLS_THE_C_LIBRARY,
                        ArchitectureRules.STORAGE_DOES_NOT_KNOW_QUERIES,
                        ArchitectureRules.A_PUT_NEVER_RETURNS_TO_AN_EARLIER_PACKAGE,
                        ArchitectureRules.REPLICATION_HAS_NO_CLOCK_NO_THREAD_AND_NO_SOCKET,
                        ArchitectureRules.ONLY_ONE_PACKAGE_USES_RATIS,
                        ArchitectureRules.ONLY_ONE_PACKAGE_USES_THE_INSIDE_OF_RATIS,
                        ArchitectureRules.STATIC_STATE_IS_LISTED,
                        ArchitectureRules.CONTENT_STARTS_NO_VIRTUAL_THREAD,
                        ArchitectureRules.NO_DUMPING_GROUNDS)
                .forEach(rule -> rule.check(none));
    }
}
