package org.crabro.content.storage.block.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.crabro.content.storage.layout.BlockBytes;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Compares key columns with the order and the ids of the sort keys that they were made of. */
class KeyColumnTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final List<String> NAMESPACES = List.of("a", "ab", "b", "longer-than-others");
    private static final List<LocationKey> PLACES =
            List.of(
                    new LocationKey.Group("a"),
                    new LocationKey.Group("ab"),
                    new LocationKey.Group("é"),
                    new LocationKey.Numbered(1),
                    new LocationKey.Numbered(12),
                    new LocationKey.Numbered(-1),
                    new LocationKey.Plain());

    private final Random random = new Random(SEED);
    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close() {
        arena.close();
    }

    @Test
    void givesBackKeysAndIds() {
        for (int count : new int[] {1, 2, 3, 40, 500}) {
            List<RowKey> keys = randomKeys(count);

            KeyColumn column = column(keys);

            assertThat(column.rows()).isEqualTo(keys.size());
            for (int row = 0; row < keys.size(); row++) {
                RowKey key = keys.get(row);
                assertThat(column.id(row))
                        .as("row %d, seed %d", row, SEED)
                        .isEqualTo(key.id() + "");
                assertThat(column.place(row)).isEqualTo(key.place());
                assertThat(column.document(row)).isEqualTo(key.document());
                assertThat(column.isInGroup(row))
                        .isEqualTo(!(key.id().key() instanceof LocationKey.Plain));
                assertThat(column.groupFrom(column.head(row))).isEqualTo(key.groupFrom());
                assertThat(column.groupLength(row)).isEqualTo(key.groupTo() - key.groupFrom());
            }
        }
    }

    @Test
    void ordersKeysAndIdsAsTheirBytesDo() {
        List<RowKey> left = randomKeys(70);
        List<RowKey> right = randomKeys(70);
        right.addAll(left.subList(10, 20));
        right.sort(null);
        KeyColumn one = column(left);
        KeyColumn other = column(right);

        for (int i = 0; i < left.size(); i++) {
            for (int j = 0; j < right.size(); j++) {
                RowKey target = right.get(j);
                int byKey = Integer.signum(left.get(i).compareTo(target));
                int byId =
                        Integer.signum(Arrays.compareUnsigned(left.get(i).text(), target.text()));
                String what = "%s and %s, seed %d".formatted(left.get(i), target, SEED);
                assertThat(Integer.signum(one.compare(i, other, j))).as(what).isEqualTo(byKey);
                assertThat(Integer.signum(one.compare(i, target))).as(what).isEqualTo(byKey);
                assertThat(Integer.signum(one.compareIds(i, other, j))).as(what).isEqualTo(byId);
                assertThat(Integer.signum(one.compareId(i, target.text())))
                        .as(what)
                        .isEqualTo(byId);
            }
        }
    }

    @Test
    void ordersIdsInOneColumnAndOverColumnsOfOneGroup() {
        List<KeyColumn> columns = new ArrayList<>();
        for (String group : List.of("g=ann", "g=ann", "g=an", "n=1", "")) {
            for (String namespace : List.of("ns", "n")) {
                String start = "id:%s:mail:%s:".formatted(namespace, group);
                columns.add(column(keys(12, _ -> start + tail())));
            }
        }
        columns.add(column(randomKeys(30)));

        for (KeyColumn left : columns) {
            for (KeyColumn right : columns) {
                for (int i = 0; i < left.rows(); i++) {
                    for (int j = 0; j < right.rows(); j++) {
                        String one = left.id(i);
                        String other = right.id(j);
                        assertThat(Integer.signum(left.compareIds(i, right, j)))
                                .as("%s and %s, seed %d", one, other, SEED)
                                .isEqualTo(
                                        Integer.signum(
                                                Arrays.compareUnsigned(
                                                        one.getBytes(UTF_8),
                                                        other.getBytes(UTF_8))));
                    }
                }
            }
        }
    }

    /** Tails with common prefixes that are longer and shorter than eight bytes. */
    private String tail() {
        int length = random.nextInt(20);
        String text = "aaaaaaaa\u00e9aaaaaaaaaaa".substring(0, length);
        return text + "aa\u00e9\uff5e".charAt(random.nextInt(4));
    }

    @Test
    void comparesIdsWithTextsThatBreakOffAnywhere() {
        byte[] id = "id:a:mail:g=ann:tail".getBytes(UTF_8);
        KeyColumn column = column(List.of(RowKey.of(DocumentId.parse(new String(id, UTF_8)))));

        for (int length = 0; length <= id.length; length++) {
            byte[] text = Arrays.copyOf(id, length);
            assertThat(Integer.signum(column.compareId(0, text)))
                    .as("%d bytes", length)
                    .isEqualTo(length == id.length ? 0 : 1);
            byte[] later = Arrays.copyOf(text, length + 1);
            later[length] = (byte) 0xff;
            assertThat(column.compareId(0, later)).as("%d bytes", length).isNegative();
        }
    }

    @Test
    void findsTheFirstRowThatIsNotBeforeAnother() {
        List<RowKey> keys = randomKeys(120);
        List<RowKey> targets = randomKeys(120);
        targets.addAll(keys.subList(0, 20));
        targets.sort(null);
        KeyColumn column = column(keys);
        KeyColumn other = column(targets);

        for (int i = 0; i < targets.size(); i++) {
            RowKey key = targets.get(i);
            int expected = (int) keys.stream().filter(each -> each.compareTo(key) < 0).count();
            for (int from = 0; from <= keys.size(); from++) {
                String what = "%s from %d, seed %d".formatted(key, from, SEED);
                int row = Math.max(from, expected);
                assertThat(column.firstNotBefore(from, key)).as(what).isEqualTo(row);
                assertThat(column.firstNotBefore(from, other, i)).as(what).isEqualTo(row);
            }
            assertThat(column.has(other, i)).isEqualTo(keys.contains(key));
            int notBelow =
                    (int)
                            keys.stream()
                                    .filter(each ->
                                            Long.compareUnsigned(each.place(), key.place()) < 0)
                                    .count();
            assertThat(column.groups().firstNotBelow(key.place())).isEqualTo(notBelow);
        }
    }

    @Test
    void findsGroupsWithoutLookingAtARow() {
        List<RowKey> keys = randomKeys(300);
        GroupColumn groups = column(keys).groups();

        for (LocationKey place : PLACES) {
            KeyRange range =
                    switch (place) {
                        case LocationKey.Group(String name) -> new KeyRange.Group(name);
                        case LocationKey.Numbered(long value) -> new KeyRange.Numbered(value);
                        case LocationKey.Plain() -> new KeyRange.Everything();
                    };
            RowRange rows = groups.rowsIn(KeyBounds.of(range));
            assertThat(keys.subList(rows.from(), rows.to()))
                    .as("%s, seed %d", place, SEED)
                    .isEqualTo(
                            keys.stream()
                                    .filter(key ->
                                            place instanceof LocationKey.Plain
                                                    || key.id().key().equals(place))
                                    .toList());
        }
        RowRange none = groups.rowsIn(KeyBounds.of(new KeyRange.Group("nobody")));
        assertThat(none.from()).isEqualTo(none.to());
    }

    @Test
    void keepsMoreNamespacesAndLongerTextsThanNarrowNumbersHold() {
        String tail = "t".repeat(300);
        for (int namespaces : new int[] {2, 256, 257, 700}) {
            List<RowKey> keys =
                    keys(
                            1_000,
                            i -> "id:n%d:mail:g=%s:%s%d".formatted(i % namespaces, tail, tail, i));

            KeyColumn column = column(keys);

            for (int row = 0; row < keys.size(); row++) {
                assertThat(column.id(row)).isEqualTo(keys.get(row).id().toString());
            }
        }
    }

    @Test
    void keepsOnceWhatRowsShare() {
        List<RowKey> large = keys(1_000, i -> "id:ns:mail:g=user:%03d".formatted(i));
        List<RowKey> small = keys(1_000, i -> "id:ns:mail:g=user%03d:%d".formatted(i / 5, i % 5));
        List<RowKey> plain = keys(1_000, i -> "id:ns:mail::%03d".formatted(i));

        // A document, a start and a tail per row; place, row, start and text per group of rows.
        assertThat(size(column(large))).isBetween(13_000L, 13_100L);
        assertThat(size(column(small))).isBetween(11_000L + 200 * 21, 11_100L + 200 * 21);
        assertThat(size(column(plain))).isBetween(21_000L, 21_100L);
    }

    @Test
    void detectsTruncatedColumns() {
        KeyColumn column = column(randomKeys(30));
        MemorySegment groups = column.groups().bytes();

        for (long length = 0; length < groups.byteSize(); length++) {
            assertThat(GroupColumn.problem(groups.asSlice(0, length), 30)).isPresent();
        }
        for (long length = 0; length < column.bytes().byteSize(); length++) {
            MemorySegment keys = column.bytes().asSlice(0, length);
            assertThat(KeyColumn.problem(column.groups(), keys, 30, 0, 30)).isPresent();
        }
    }

    @Test
    void staysInsideDamagedColumnsInWhichThereIsNoProblem() {
        List<RowKey> keys = randomKeys(60);
        RowKey target = randomKeys(1).getFirst();
        KeyColumn other = column(keys);
        int refused = 0;

        for (int i = 0; i < 20_000; i++) {
            KeyColumn column = column(keys);
            damage(random.nextBoolean() ? column.groups().bytes() : column.bytes());
            int from = random.nextInt(keys.size());
            int to = random.nextBoolean() ? keys.size() : from + 1;
            Optional<String> problem = problem(column, from, to);
            if (problem.isPresent()) {
                assertThat(problem.get()).isNotBlank();
                refused++;
                continue;
            }
            var groups = new GroupColumn(column.groups().bytes(), keys.size());
            var damaged = new KeyColumn(groups, column.bytes(), keys.size());
            groups.rowsIn(KeyBounds.of(new KeyRange.Group("ab")));
            for (int row = from; row < to; row++) {
                damaged.copyId(row, new byte[damaged.idLength(row)]);
                damaged.compare(row, target);
                damaged.compare(row, other, row);
                damaged.compareId(row, target.text());
            }
            if (to - from == keys.size()) {
                damaged.firstNotBefore(0, target);
                damaged.firstNotBefore(random.nextInt(keys.size()), other, from);
                other.firstNotBefore(0, damaged, from);
            }
        }
        assertThat(refused).as("seed %d", SEED).isGreaterThan(1_000);
    }

    private static Optional<String> problem(KeyColumn column, int from, int to) {
        MemorySegment groups = column.groups().bytes();
        return GroupColumn.problem(groups, column.rows())
                .or(() ->
                        KeyColumn.problem(
                                new GroupColumn(groups, column.rows()),
                                column.bytes(),
                                column.rows(),
                                from,
                                to));
    }

    private void damage(MemorySegment bytes) {
        long size = bytes.byteSize();
        switch (random.nextInt(3)) {
            case 0 ->
                    bytes.set(
                            BlockLayout.INT,
                            random.nextLong(Math.min(32, size - 4)),
                            random.nextInt(-3, 300));
            case 1 ->
                    bytes.set(
                            java.lang.foreign.ValueLayout.JAVA_BYTE,
                            random.nextLong(size),
                            (byte) random.nextInt());
            default -> bytes.set(BlockLayout.INT, random.nextLong(size - 4), random.nextInt());
        }
    }

    private static long size(KeyColumn column) {
        assertThat(column.size()).isEqualTo(column.bytes().byteSize());
        assertThat(column.groups().size()).isEqualTo(column.groups().bytes().byteSize());
        return column.size() + column.groups().size();
    }

    private List<RowKey> randomKeys(int count) {
        return keys(
                count,
                i ->
                        new DocumentId(
                                        NAMESPACES.get(random.nextInt(NAMESPACES.size())),
                                        "mail",
                                        PLACES.get(random.nextInt(PLACES.size())),
                                        i % 3 == 0 ? "é:" + i : "x".repeat(i % 7) + i)
                                .toString());
    }

    /**
     * A key buffer copies the shared part of neighbours once: its earlier content must not matter.
     */
    @Test
    void aRawKeyIsThatOfItsRowWhateverItWasBefore() {
        List<RowKey> some = randomKeys(300);
        List<RowKey> others = randomKeys(200);
        KeyColumn column = column(some);
        KeyColumn otherColumn = column(others);
        var key = new RowKeyBuffer();
        var expected = new RowKeyBuffer();
        for (int i = 0; i < 5_000; i++) {
            boolean isOther = random.nextInt(4) == 0;
            List<RowKey> keys = isOther ? others : some;
            int row = random.nextInt(keys.size());
            expected.set(keys.get(row));
            if (random.nextInt(20) == 0) {
                key.set(keys.get(row));
            } else {
                key.set(isOther ? otherColumn : column, row);
            }

            assertThat(key.compare(expected)).as("row %d, seed %d", row, SEED).isZero();
            assertThat(key.toString()).as("seed %d", SEED).isEqualTo(expected.toString());
            assertThat(key.groupFrom()).isEqualTo(expected.groupFrom());
            assertThat(key.groupTo()).isEqualTo(expected.groupTo());
        }
    }

    private static List<RowKey> keys(int count, IntFunction<String> id) {
        return new ArrayList<>(
                new TreeSet<>(
                        IntStream.range(0, count)
                                .mapToObj(i -> RowKey.of(DocumentId.parse(id.apply(i))))
                                .toList()));
    }

    private KeyColumn column(List<RowKey> keys) {
        var writer = new KeyColumnWriter();
        var raw = new RowKeyBuffer();
        for (RowKey key : keys) {
            raw.set(key);
            writer.add(raw);
        }
        var out = new BlockBytes(16);
        writer.writeGroupsTo(out);
        assertThat(out.position()).isEqualTo((int) writer.groupsSize());
        MemorySegment groups = copy(out);
        out.clear();
        writer.writeRowsTo(out);
        assertThat(out.position()).isEqualTo((int) writer.rowsSize());
        return new KeyColumn(new GroupColumn(groups, keys.size()), copy(out), keys.size());
    }

    private MemorySegment copy(BlockBytes bytes) {
        MemorySegment written = MemorySegment.ofBuffer(bytes.written());
        return arena.allocate(written.byteSize()).copyFrom(written);
    }
}
