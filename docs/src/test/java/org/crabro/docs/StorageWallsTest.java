package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Search reads views, blocks, columns, postings and graphs of storage, and replication reads its
 * journals and copies its replicas. The types that they use are in lists that only shrink.
 */
class StorageWallsTest {
    private static final JavaClasses CONTENT =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("org.crabro.content");

    @ParameterizedTest
    @ValueSource(strings = {"search", "replication"})
    void usesTypesOfTheListAlone(String module) throws IOException {
        ShrinkingList.of("storage-types-of-" + module + ".txt")
                .check(StorageWalls.typesUsedBy(module, CONTENT));
    }

    @Test
    void searchSeesNoJournalsManifestsAndWrites() {
        assertThat(StorageWalls.typesUsedBy("search", CONTENT))
                .allMatch(
                        type -> type.matches("(block|dead|file|graph|index|layout|read|run)\\..*"));
    }
}
