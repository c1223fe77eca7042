package org.crabro.content.replication.raft.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CompletableFuture;
import org.apache.ratis.util.AwaitToRun;
import org.apache.ratis.util.VersionInfo;
import org.junit.jupiter.api.Test;

class RatisPatchesTest {
    private static final String LOG = "org.apache.ratis.server.raftlog.segmented.SegmentedRaftLog";

    @Test
    void acceptsTheReleaseOfTheBuild() {
        assertThat(VersionInfo.getSoftwareInfoVersion()).isEqualTo(RatisPatches.RELEASE);
        assertThat(RatisPatches.lookUp()).isNotNull();
    }

    @Test
    void rejectsAnotherRelease() {
        assertThatIllegalStateException()
                .isThrownBy(() -> RatisPatches.lookUp(() -> "3.4.0"))
                .withMessage(
                        "Ratis 3.4.0 is on the class path, expected 3.3.0: see docs/raft-patches.md");
    }

    @Test
    void rejectsAFieldOfAnotherNameOrType() {
        assertThat(PrivateField.of(LOG, "cacheEviction", AwaitToRun.class)).isNotNull();
        assertThatIllegalStateException()
                .isThrownBy(() -> PrivateField.of(LOG, "eviction", AwaitToRun.class))
                .withMessage(
                        "the classes of Ratis differ from release 3.3.0, no field %s.eviction: see docs/raft-patches.md"
                                .formatted(LOG));
        assertThatIllegalStateException()
                .isThrownBy(() -> PrivateField.of(LOG, "cacheEviction", CompletableFuture.class))
                .withMessage(
                        "the classes of Ratis differ from release 3.3.0, %s.cacheEviction is a %s: see docs/raft-patches.md"
                                .formatted(LOG, AwaitToRun.class.getName()));
        assertThatIllegalStateException()
                .isThrownBy(() -> PrivateField.classOf(LOG + "2"))
                .withMessage(
                        "the classes of Ratis differ from release 3.3.0, no class %s2: see docs/raft-patches.md"
                                .formatted(LOG));
    }
}
