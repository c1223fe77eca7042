package org.crabro.docs;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/**
 * What may use what. A rule that changes here changes in ARCHITECTURE.md.
 *
 * <p>Every rule holds of a module without classes: which modules have some is checked apart.
 */
final class ArchitectureRules {
    private static final String CALLER_GUARD = "org.crabro.protocol.grpc.CallerGuard";

    private static final DescribedPredicate<JavaMethodCall> OPENS_A_PORT_OF_GRPC =
            DescribedPredicate.describe(
                    "opens a port of gRPC",
                    call ->
                            call.getTargetOwner().getName().matches("io\\.grpc\\..*ServerBuilder")
                                    && Set.of(
                                                    "addService",
                                                    "addServices",
                                                    "build",
                                                    "fallbackHandlerRegistry")
                                            .contains(call.getName()));

    private static final DescribedPredicate<JavaClass> OPEN_A_PORT_OF_RATIS =
            DescribedPredicate.describe(
                    "open a port of Ratis",
                    type ->
                            type.getMethodCallsFromSelf().stream()
                                    .anyMatch(call ->
                                            call.getTargetOwner()
                                                            .getName()
                                                            .equals(
                                                                    "org.apache.ratis.server.RaftServer$Builder")
                                                    && call.getName().equals("build")));

    private ArchitectureRules() {}

    /** The arrows between modules; content and container never see each other. */
    static final ArchRule MODULES_POINT_DOWNWARDS =
            layeredArchitecture()
                    .consideringOnlyDependenciesInAnyPackage("org.crabro..")
                    .withOptionalLayers(true)
                    .layer("document")
                    .definedBy(
                            "org.crabro.component..",
                            "org.crabro.document..",
                            "org.crabro.tensor..",
                            "org.crabro.text..")
                    .layer("ranking")
                    .definedBy("org.crabro.ranking..")
                    .layer("config")
                    .definedBy("org.crabro.config..")
                    .layer("protocol")
                    .definedBy("org.crabro.protocol..")
                    .layer("content")
                    .definedBy("org.crabro.content..")
                    .layer("container")
                    .definedBy("org.crabro.container..")
                    .layer("client")
                    .definedBy("org.crabro.client..")
                    .layer("server")
                    .definedBy("org.crabro.server..")
                    .whereLayer("document")
                    .mayNotAccessAnyLayer()
                    .whereLayer("ranking")
                    .mayOnlyAccessLayers("document")
                    .whereLayer("config")
                    .mayOnlyAccessLayers("document", "ranking")
                    .whereLayer("protocol")
                    .mayOnlyAccessLayers("document")
                    .whereLayer("content")
                    .mayOnlyAccessLayers("document", "ranking", "config", "protocol")
                    .whereLayer("container")
                    .mayOnlyAccessLayers("document", "ranking", "config", "protocol")
                    .whereLayer("client")
                    .mayOnlyAccessLayers("document")
                    .whereLayer("server")
                    .mayNotBeAccessedByAnyLayer()
                    .allowEmptyShould(true)
                    .as("modules should point downwards");

    static final ArchRule CLASSES_LIVE_IN_A_ROOM =
            classes()
                    .should()
                    .resideInAnyPackage(
                            "org.crabro.component..",
                            "org.crabro.document..",
                            "org.crabro.tensor..",
                            "org.crabro.text..",
                            "org.crabro.ranking..",
                            "org.crabro.config..",
                            "org.crabro.protocol..",
                            "org.crabro.content..",
                            "org.crabro.container..",
                            "org.crabro.client..",
                            "org.crabro.server..")
                    .allowEmptyShould(true);

    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("org.crabro.(**)").should().beFreeOfCycles().allowEmptyShould(true);

    static final ArchRule ONLY_THE_HTTP_EDGE_KNOWS_JETTY =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("org.crabro.container..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.eclipse.jetty..")
                    .allowEmptyShould(true);

    static final ArchRule ONLY_STORAGE_AND_STEMMING_KNOW_LUCENE =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            "org.crabro.content.storage..", "org.crabro.config.stemming..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.apache.lucene..")
                    .allowEmptyShould(true);

    static final ArchRule ONLY_THE_WIRE_KNOWS_GRPC =
            noClasses()
                    .that()
                    .resideOutsideOfPackages(
                            "org.crabro.content.node.wire..",
                            "org.crabro.container.wire..",
                            "org.crabro.server.cluster..",
                            "org.crabro.protocol.grpc..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("io.grpc..", "io.netty..")
                    .allowEmptyShould(true);

    /**
     * A port between servers is opened by {@code CallerGuard} alone, and a service is made by
     * {@code GuardedService} alone, which names the callers of each method. Ratis opens a port of
     * its own, for which its opener uses {@code ReplicaGuard}.
     */
    static final ArchRule PORTS_OF_CLUSTERS_NAME_THEIR_CALLERS =
            CompositeArchRule.of(
                            noClasses()
                                    .that()
                                    .doNotHaveFullyQualifiedName(CALLER_GUARD)
                                    .should()
                                    .callMethodWhere(OPENS_A_PORT_OF_GRPC)
                                    .allowEmptyShould(true))
                    .and(
                            noClasses()
                                    .that()
                                    .haveNameNotMatching(
                                            Pattern.quote(CALLER_GUARD)
                                                    + "|org\\.crabro\\.protocol\\.grpc\\.GuardedService(\\$Builder)?")
                                    .should()
                                    .dependOnClassesThat()
                                    .haveNameMatching(
                                            "io\\.grpc\\.(ServerServiceDefinition(\\$Builder)?|BindableService)")
                                    .allowEmptyShould(true))
                    .and(
                            classes()
                                    .that(OPEN_A_PORT_OF_RATIS)
                                    .should()
                                    .dependOnClassesThat()
                                    .haveFullyQualifiedName(
                                            "org.crabro.content.replication.raft.ReplicaGuard")
                                    .allowEmptyShould(true))
                    .as("each port between servers should name the callers of its methods");

    /**
     * Types carry no annotations of any format and read none: a class of this package does. How the
     * library reads a number out of a text is no matter of JSON.
     */
    static final ArchRule ONLY_ONE_PACKAGE_OF_DOCUMENTS_KNOWS_JSON =
            noClasses()
                    .that()
                    .resideInAnyPackage(
                            "org.crabro.document..", "org.crabro.tensor..", "org.crabro.text..")
                    .and()
                    .resideOutsideOfPackage("org.crabro.document.json..")
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("tools.jackson..")
                                    .and(resideOutsideOfPackage("tools.jackson.core.io..")))
                    .allowEmptyShould(true);

    static final ArchRule ONLY_ONE_PACKAGE_RUNS_MODELS =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("org.crabro.ranking.onnx..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("ai.onnxruntime..", "ai.djl..")
                    .allowEmptyShould(true);

    /** It takes byte ranges and gives positions; what they mean is for others to know. */
    static final ArchRule THE_JOURNAL_KNOWS_ONLY_BYTES =
            noClasses()
                    .that()
                    .resideInAPackage("org.crabro.content.storage.journal..")
                    .should()
                    .dependOnClassesThat(
                            resideInAPackage("org.crabro..")
                                    .and(
                                            resideOutsideOfPackages(
                                                    "org.crabro.content.storage.journal..",
                                                    "org.crabro.content.storage.os..")))
                    .allowEmptyShould(true);

    /** The modules of content; server alone sees both replication and node. */
    static final ArchRule CONTENT_POINTS_DOWNWARDS =
            layeredArchitecture()
                    .consideringOnlyDependenciesInAnyPackage("org.crabro.content..")
                    .withOptionalLayers(true)
                    .layer("storage")
                    .definedBy("org.crabro.content.storage..")
                    .layer("search")
                    .definedBy("org.crabro.content.search..")
                    .layer("replication")
                    .definedBy("org.crabro.content.replication..")
                    .layer("node")
                    .definedBy("org.crabro.content.node..")
                    .whereLayer("storage")
                    .mayNotAccessAnyLayer()
                    .whereLayer("search")
                    .mayOnlyAccessLayers("storage")
                    .whereLayer("replication")
                    .mayOnlyAccessLayers("storage")
                    .whereLayer("node")
                    .mayOnlyAccessLayers("storage", "search")
                    .allowEmptyShould(true)
                    .as("modules of content should point downwards");

    static final ArchRule ONLY_ONE_PACKAGE_CALLS_THE_C_LIBRARY =
            noClasses()
                    .that()
                    .resideInAPackage("org.crabro.content..")
                    .and()
                    .resideOutsideOfPackage("org.crabro.content.storage.os..")
                    .should()
                    .dependOnClassesThat()
                    .haveNameMatching("java\\.lang\\.foreign\\.(Linker|SymbolLookup)(\\$.*)?")
                    .allowEmptyShould(true);

    static final ArchRule STORAGE_DOES_NOT_KNOW_QUERIES =
            noClasses()
                    .that()
                    .resideInAPackage("org.crabro.content.storage..")
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(
                                            "org.crabro.config..",
                                            "org.crabro.protocol.grouping..",
                                            "org.crabro.protocol.query..",
                                            "org.crabro.protocol.search..",
                                            "org.crabro.protocol.visit..",
                                            "org.crabro.ranking..")
                                    .and(resideOutsideOfPackage("org.crabro.ranking.kernel..")))
                    .as("storage should not know queries")
                    .allowEmptyShould(true);

    /**
     * The path of a put goes from requests to routes to dispatch. Dispatch implements interfaces of
     * {@code document}, {@code route} and {@code visit}; it calls nothing above it.
     */
    static final ArchRule A_PUT_NEVER_RETURNS_TO_AN_EARLIER_PACKAGE =
            CompositeArchRule.of(
                            noClasses()
                                    .that()
                                    .resideInAPackage("org.crabro.container.dispatch..")
                                    .should()
                                    .dependOnClassesThat(
                                            resideInAPackage("org.crabro.container..")
                                                    .and(
                                                            resideOutsideOfPackages(
                                                                    "org.crabro.container.dispatch..",
                                                                    "org.crabro.container.document..",
                                                                    "org.crabro.container.route..",
                                                                    "org.crabro.container.visit..")))
                                    .allowEmptyShould(true))
                    .and(
                            noClasses()
                                    .that()
                                    .resideInAPackage("org.crabro.container.document..")
                                    .should()
                                    .dependOnClassesThat()
                                    .resideInAnyPackage(
                                            "org.crabro.container.bulk..",
                                            "org.crabro.container.dispatch..")
                                    .allowEmptyShould(true))
                    .and(
                            noClasses()
                                    .that()
                                    .resideInAPackage("org.crabro.container.route..")
                                    .should()
                                    .dependOnClassesThat()
                                    .resideInAnyPackage(
                                            "org.crabro.container.bulk..",
                                            "org.crabro.container.dispatch..",
                                            "org.crabro.container.http..")
                                    .allowEmptyShould(true))
                    .as("a put should pass bulk, document, route and dispatch in this order");

    /** So that a simulation can drive thousands of histories in one thread. */
    static final ArchRule REPLICATION_HAS_NO_CLOCK_NO_THREAD_AND_NO_SOCKET =
            noClasses()
                    .that()
                    .resideInAPackage("org.crabro.content.replication.log..")
                    .should()
                    .dependOnClassesThat()
                    .haveFullyQualifiedName("java.lang.Thread")
                    .orShould()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "java.net..", "java.nio.channels..", "java.util.concurrent..")
                    .orShould()
                    .callMethod(System.class, "nanoTime")
                    .orShould()
                    .callMethod(System.class, "currentTimeMillis")
                    .orShould()
                    .callMethod(java.time.Instant.class, "now")
                    .orShould()
                    .callMethod(java.time.Clock.class, "systemUTC")
                    .allowEmptyShould(true);

    /** A node without replicas loads no class of Ratis: only its own package names them. */
    static final ArchRule ONLY_ONE_PACKAGE_USES_RATIS =
            CompositeArchRule.of(
                            noClasses()
                                    .that()
                                    .resideOutsideOfPackage("org.crabro.content.replication.raft..")
                                    .should()
                                    .dependOnClassesThat()
                                    .resideInAPackage("org.apache.ratis..")
                                    .allowEmptyShould(true))
                    .and(
                            noClasses()
                                    .that()
                                    .resideInAPackage("org.crabro.content..")
                                    .and()
                                    .resideOutsideOfPackage("org.crabro.content.replication.raft..")
                                    .should()
                                    .dependOnClassesThat()
                                    .resideInAPackage("org.crabro.content.replication.raft..")
                                    .allowEmptyShould(true))
                    .as("only content.raft should use Ratis, and no content without it");

    /**
     * Another release of Ratis can change all of this without notice. Classes to extend are in a
     * package {@code impl} too, and have the names that the rule leaves out.
     */
    static final ArchRule ONLY_ONE_PACKAGE_USES_THE_INSIDE_OF_RATIS =
            noClasses()
                    .that()
                    .resideInAPackage("org.crabro.content.replication..")
                    .and()
                    .resideOutsideOfPackage("org.crabro.content.replication.raft.patch..")
                    .should()
                    .dependOnClassesThat(
                            resideInAnyPackage(
                                            "java.lang.reflect..",
                                            "org.apache.ratis..impl..",
                                            "org.apache.ratis.server.raftlog.segmented..")
                                    .and(
                                            resideOutsideOfPackage(
                                                    "org.apache.ratis.statemachine.impl.."))
                                    .or(
                                            nameMatching(
                                                    "org\\.apache\\.ratis\\.(grpc\\.GrpcFactory"
                                                            + "|grpc\\.server\\.GrpcLogAppender"
                                                            + "|protocol\\.RaftClientAsynchronousProtocol)")))
                    .allowEmptyShould(true);

    /** See {@link StaticState}. */
    static final ArchRule STATIC_STATE_IS_LISTED =
            fields().that()
                    .areStatic()
                    .and(StaticState.NOT_LISTED)
                    .should(StaticState.BE_CONSTANT)
                    .allowEmptyShould(true);

    /**
     * A page fault on a mapping would hold the carrier of every other virtual thread. Requests from
     * other processes only call a node, as a container in its process does.
     */
    static final ArchRule CONTENT_STARTS_NO_VIRTUAL_THREAD =
            noClasses()
                    .that()
                    .resideInAPackage("org.crabro.content..")
                    .and()
                    .resideOutsideOfPackage("org.crabro.content.node.wire..")
                    .should()
                    .callMethod(Thread.class, "ofVirtual")
                    .orShould()
                    .callMethod(Thread.class, "startVirtualThread", Runnable.class)
                    .orShould()
                    .callMethod(Executors.class, "newVirtualThreadPerTaskExecutor")
                    .allowEmptyShould(true);

    static final ArchRule NO_DUMPING_GROUNDS =
            noClasses()
                    .should()
                    .haveNameMatching(".*(Manager|Impl|Utils?|Helpers?|Common|Misc)")
                    .orShould()
                    .resideInAnyPackage(
                            "..manager..",
                            "..impl..",
                            "..util..",
                            "..utils..",
                            "..helper..",
                            "..helpers..",
                            "..common..",
                            "..misc..")
                    .allowEmptyShould(true);
}
