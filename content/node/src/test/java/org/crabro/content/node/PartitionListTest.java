package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Directories of partitions that are missing, swapped or older do not open. */
class PartitionListTest {
    private static final List<String> LISTS = List.of("partitions.1", "partitions.2");

    private MemoryLogFiles files = new MemoryLogFiles();

    @BeforeEach
    void write() throws IOException {
        try (NodeFixture node = open()) {
            putAll(node, "1");
            node.flush();
            putAll(node, "2");
            node.flush();
        }
    }

    @Test
    void opensWhatItListed() throws IOException {
        checkAll("2");
        checkAll("2");
    }

    @Test
    void refusesAPartitionWithoutItsDirectory() throws IOException {
        deleteAll("partitions/01");

        checkRefused("partitions/01: expected the directory of partition 1 with 2 runs");
    }

    @Test
    void refusesDataWithoutAnyPartition() throws IOException {
        deleteAll("partitions/00");
        deleteAll("partitions/01");

        checkRefused("partitions/00: expected the directory of partition 0 with 2 runs");
    }

    @Test
    void refusesDirectoriesThatWereSwapped() throws IOException {
        Map<String, byte[]> first = contents("partitions/00");
        Map<String, byte[]> second = contents("partitions/01");
        deleteAll("partitions/00");
        deleteAll("partitions/01");
        putAll("partitions/01", first);
        putAll("partitions/00", second);

        checkRefused("partitions/00/identity: expected 'crabro partition 00000 id ");
    }

    @Test
    void refusesDirectoriesThatWereSwappedWithoutTheirIdentities() throws IOException {
        try (NodeFixture node = open()) {
            StoredMails.put(node, StoredMails.group(1), 0, "2");
            node.flush();
        }
        refusesDirectoriesWithoutIdentities();
    }

    private void refusesDirectoriesWithoutIdentities() throws IOException {
        Map<String, byte[]> first = contents("partitions/00");
        Map<String, byte[]> second = contents("partitions/01");
        first.remove("identity");
        second.remove("identity");
        deleteAll("partitions/00");
        deleteAll("partitions/01");
        putAll("partitions/01", first);
        putAll("partitions/00", second);

        checkRefused("partitions/0");
    }

    @Test
    void refusesAnOlderCopyOfADirectory() throws IOException {
        Map<String, byte[]> older = contents("partitions/01");
        try (NodeFixture node = open()) {
            putAll(node, "3");
            node.flush();
        }
        deleteAll("partitions/01");
        putAll("partitions/01", older);

        checkRefused("partitions/01: expected a manifest with at least 3 edits");
    }

    @Test
    void refusesADirectoryOfOtherData() throws IOException {
        Map<String, byte[]> mine = contents("partitions/01");
        MemoryLogFiles before = files;
        files = new MemoryLogFiles();
        write();
        deleteAll("partitions/01");
        putAll("partitions/01", mine);

        checkRefused("partitions/01/identity: ");
        files = before;
        checkAll("2");
    }

    @Test
    void opensWithOneDamagedListAndRefusesTwo() throws IOException {
        for (String list : LISTS) {
            byte[] whole = bytes(list);
            for (int offset = 0; offset < whole.length; offset += 7) {
                byte[] damaged = whole.clone();
                damaged[offset] ^= 1;
                put(list, damaged);
                open().close();
                assertThat(bytes(list)).as("%s at %d", list, offset).isNotEqualTo(damaged);
            }
            files.delete(list);
            open().close();
        }
        for (String list : LISTS) {
            put(list, new byte[bytes(list).length]);
        }
        checkRefused("partitions.1 and partitions.2 at byte 0: ");
    }

    @Test
    void makesAListOfDataThatHasNone() throws IOException {
        LISTS.forEach(files::delete);
        files.delete("partitions/00/identity");
        files.delete("partitions/01/identity");

        checkAll("2");
        deleteAll("partitions/00");

        checkRefused("partitions/00: expected the directory of partition 0 with 2 runs");
    }

    @Test
    void writesAnIdentityAnewThatIsMissingOrDamaged() throws IOException {
        byte[] identity = bytes("partitions/00/identity");
        files.delete("partitions/00/identity");
        checkAll("2");
        assertThat(bytes("partitions/00/identity")).isEqualTo(identity);

        put("partitions/00/identity", new byte[10]);
        checkAll("2");
        assertThat(bytes("partitions/00/identity")).isEqualTo(identity);
    }

    /** A refused directory is not changed. */
    private void checkRefused(String message) throws IOException {
        Map<String, Integer> before = sizes();

        assertThatIOException().isThrownBy(this::open).withMessageContaining(message);

        assertThat(sizes()).isEqualTo(before);
    }

    private Map<String, Integer> sizes() throws IOException {
        Map<String, Integer> sizes = new TreeMap<>();
        for (String directory : List.of("partitions/00", "partitions/01", "journal", "schemas")) {
            contents(directory)
                    .forEach((name, bytes) ->
                            sizes.put(directory + "/" + name, java.util.Arrays.hashCode(bytes)));
        }
        return sizes;
    }

    private NodeFixture open() throws IOException {
        return StoredMails.open(files);
    }

    private static void putAll(NodeFixture node, String title) {
        StoredMails.put(node, StoredMails.group(0), 0, title);
        StoredMails.put(node, StoredMails.group(1), 0, title);
    }

    private void checkAll(String title) throws IOException {
        try (NodeFixture node = open()) {
            for (int partition = 0; partition < 2; partition++) {
                assertThat(StoredMails.title(node, StoredMails.id(StoredMails.group(partition), 0)))
                        .contains(title);
            }
        }
    }

    private Map<String, byte[]> contents(String directory) throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        for (String name : files.list(directory)) {
            contents.put(name, bytes(directory + "/" + name));
        }
        return contents;
    }

    private void deleteAll(String directory) {
        new ArrayList<>(files.list(directory))
                .forEach(name -> files.delete(directory + "/" + name));
    }

    private void putAll(String directory, Map<String, byte[]> contents) throws IOException {
        for (var file : contents.entrySet()) {
            put(directory + "/" + file.getKey(), file.getValue());
        }
    }

    private void put(String path, byte[] bytes) throws IOException {
        files.delete(path);
        try (LogFiles.LogFile file = files.create(path)) {
            file.write(ByteBuffer.wrap(bytes), 0);
        }
    }

    private byte[] bytes(String path) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            ByteBuffer all = ByteBuffer.allocate((int) file.size());
            file.read(all, 0);
            return all.array();
        }
    }
}
