package org.crabro.client.imports;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.crabro.client.chats.SlackText;
import org.crabro.client.file.TextHash;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a directory that Slack has exported: lists of users and of channels, and a folder
 * for each channel with a file for each day. Folders are found in the directory; no name in a file
 * is a path.
 */
final class SlackRecords implements RecordReader {
    private static final String USERS = "users.json";
    private static final List<String> CHANNELS =
            List.of("channels.json", "groups.json", "dms.json", "mpims.json");
    private static final Pattern DAY = Pattern.compile("\\d{4}-\\d\\d-\\d\\d\\.json");
    private static final Pattern SECONDS = Pattern.compile("(\\d{1,11})\\.(\\d{1,9})");

    /** Users and channels: their names are in memory. */
    private static final int NAMES_MAX = 1_000_000;

    /** Times of that many messages are compared. Later messages are named by their places. */
    private static final int MESSAGES_MAX = 2_000_000;

    /** Names of documents are at most this long. */
    private static final int LONGEST_NAME = 200;

    private final Path directory;
    private final Iterator<Path> files;
    private final ImportLosses losses;
    private final Map<String, String> users;
    private final Map<String, String> channels;
    private final SlackText text;
    private final Set<Long> names = new HashSet<>();
    private String name = "";
    private Path file = Path.of("");
    private @Nullable JsonRecords messages;

    /** The number of the last message in its file. */
    private long number;

    private SlackRecords(
            Path directory, List<Path> files, Map<String, String> users, ImportLosses losses)
            throws IOException {
        this.directory = directory;
        this.losses = losses;
        this.users = users;
        this.channels = new HashMap<>();
        for (Path each : files) {
            if (isAt(directory, each, CHANNELS)) {
                names(each, channels);
            }
        }
        this.files = files.stream().filter(each -> isDay(directory, each)).iterator();
        this.text = new SlackText(users, channels);
    }

    /** Returns the files of an export among those of a directory; none if it is another one. */
    static List<Path> files(Path directory, List<Path> all) {
        boolean isExport =
                Stream.of(USERS, CHANNELS.getFirst())
                                .allMatch(name -> all.contains(directory.resolve(name)))
                        && all.stream().anyMatch(each -> isDay(directory, each));
        return isExport
                ? all.stream()
                        .filter(each ->
                                isDay(directory, each)
                                        || isAt(directory, each, CHANNELS)
                                        || isAt(directory, each, List.of(USERS)))
                        .toList()
                : List.of();
    }

    private static boolean isDay(Path directory, Path file) {
        Path relative = directory.relativize(file);
        return relative.getNameCount() == 2
                && DAY.matcher(String.valueOf(relative.getFileName())).matches();
    }

    private static boolean isAt(Path directory, Path file, List<String> names) {
        return names.contains(directory.relativize(file).toString());
    }

    /**
     * Opens an export.
     *
     * @param files as {@link #files} returns them
     * @param losses gets what of a message cannot be kept
     * @throws IOException if the lists of users or channels cannot be read
     */
    static SlackRecords open(Path directory, List<Path> files, ImportLosses losses)
            throws IOException {
        Map<String, String> users = new HashMap<>();
        names(directory.resolve(USERS), users);
        return new SlackRecords(directory, files, users, losses);
    }

    /** Adds the names of the users or channels of a file by their ids. */
    private static void names(Path file, Map<String, String> names) throws IOException {
        try (JsonRecords records = JsonRecords.plain(file, new ImportLosses())) {
            for (Optional<Map<String, Object>> next = records.next();
                    next.isPresent();
                    next = records.next()) {
                Map<String, Object> each = next.get();
                String id = text(each, "id");
                String name = name(each);
                if (!id.isEmpty() && !name.isEmpty()) {
                    names.put(id, name);
                    ImportLimits.check("users and channels of Slack", names.size(), NAMES_MAX);
                }
            }
        }
    }

    /** Returns the name of a user as people know it, or that of a channel; empty without one. */
    private static String name(Map<?, ?> given) {
        Map<?, ?> profile = given.get("profile") instanceof Map<?, ?> map ? map : Map.of();
        return Stream.of(
                        text(profile, "real_name"),
                        text(given, "real_name"),
                        text(profile, "display_name"),
                        text(given, "name"))
                .filter(each -> !each.isBlank())
                .findFirst()
                .orElse("");
    }

    private static String text(Map<?, ?> given, String member) {
        return given.get(member) instanceof String text ? text : "";
    }

    @Override
    public Optional<Map<String, Object>> next() throws IOException {
        while (true) {
            JsonRecords open = messages;
            if (open == null) {
                if (!files.hasNext()) {
                    return Optional.empty();
                }
                file = files.next();
                number = 0;
                messages = JsonRecords.plain(file, losses);
                continue;
            }
            Optional<Map<String, Object>> message = open.next();
            if (message.isPresent()) {
                number++;
                return Optional.of(record(message.get()));
            }
            close();
        }
    }

    private Map<String, Object> record(Map<String, Object> message) {
        Map<String, Object> left = new LinkedHashMap<>(message);
        Map<String, Object> record = new LinkedHashMap<>();
        String time = text(message, "ts");
        Matcher seconds = SECONDS.matcher(time);
        if (seconds.matches()) {
            record.put("date", Instant.ofEpochSecond(Long.parseLong(seconds.group(1))));
        }
        sender(message).ifPresent(sender -> record.put("sender", sender));
        Path folder = directory.relativize(file).getName(0);
        // Folders of conversations between few people have the ids of these.
        String chat = channels.getOrDefault(folder.toString(), folder.toString());
        record.put("chat", chat);
        if (left.remove("text") instanceof String given) {
            record.put("text", text.plain(given));
        } else if (message.get("text") != null) {
            left.put("text", message.get("text"));
        }
        if (left.remove("thread_ts") instanceof String thread) {
            record.put("thread", thread);
        }
        if (left.get("blocks") instanceof List<?> blocks
                && blocks.stream().allMatch(SlackRecords::isRichText)) {
            left.remove("blocks");
        }
        left.forEach(record::putIfAbsent);
        rename(folder + "/" + time, !time.isEmpty());
        return record;
    }

    private static boolean isRichText(Object block) {
        return block instanceof Map<?, ?> map && "rich_text".equals(map.get("type"));
    }

    private Optional<String> sender(Map<String, Object> message) {
        String user = text(message, "user");
        String listed = users.getOrDefault(user, "");
        String own = message.get("user_profile") instanceof Map<?, ?> given ? name(given) : "";
        String bot = message.get("bot_profile") instanceof Map<?, ?> given ? name(given) : "";
        return Stream.of(listed, own, text(message, "username"), bot, user)
                .filter(each -> !each.isBlank())
                .findFirst();
    }

    private void rename(String byTime, boolean hasTime) {
        boolean isName =
                hasTime
                        && byTime.length() <= LONGEST_NAME
                        && names.size() < MESSAGES_MAX
                        && names.add(TextHash.of(byTime));
        name = isName ? byTime : directory.relativize(file) + "#" + number;
    }

    @Override
    public String place() {
        JsonRecords open = messages;
        return directory.relativize(file) + (open == null ? "" : ", " + open.place());
    }

    @Override
    public Optional<String> name() {
        return Optional.of(name);
    }

    @Override
    public void close() {
        JsonRecords open = messages;
        if (open != null) {
            open.close();
            messages = null;
        }
    }
}
