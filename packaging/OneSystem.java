import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Removes the native code for other systems than Linux on x64 from the jars of a directory.
 * bin/package runs this file for the tarball with a Java runtime. The same jars give the same bytes.
 */
final class OneSystem {
    private static final Pattern NATIVE =
            Pattern.compile("(?i).*\\.(so|dll|dylib|jnilib|a|pdb)(\\.\\w+)?|.*\\.dSYM/.*");
    private static final Pattern LINUX_X64 = Pattern.compile("(?i).*linux.*(x64|x86[-_]64|amd64).*");

    private OneSystem() {}

    public static void main(String[] arguments) throws IOException {
        List<Path> jars;
        try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
            jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
        for (Path jar : jars) {
            reduce(jar);
        }
    }

    private static boolean isOfAnother(ZipEntry entry) {
        String name = entry.getName();
        return NATIVE.matcher(name).matches() && !LINUX_X64.matcher(name).matches();
    }

    private static void reduce(Path jar) throws IOException {
        Path reduced = Path.of(jar + ".reduced");
        try (var from = new ZipFile(jar.toFile())) {
            if (from.stream().noneMatch(OneSystem::isOfAnother)) {
                return;
            }
            try (var to = new ZipOutputStream(Files.newOutputStream(reduced))) {
                for (ZipEntry entry : from.stream().toList()) {
                    if (isOfAnother(entry)) {
                        continue;
                    }
                    var copy = new ZipEntry(entry.getName());
                    copy.setTimeLocal(entry.getTimeLocal());
                    to.putNextEntry(copy);
                    from.getInputStream(entry).transferTo(to);
                    to.closeEntry();
                }
            }
        }
        Files.move(reduced, jar, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }
}
