import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the classes of annotation processors and plug-ins of javac, such as Error Prone, for the next compilation in this
 * JVM. Javac makes a loader for each compilation and closes it at the end, so that their classes are loaded, verified and
 * compiled again for every module. It takes this class instead ({@code -XDprocloader}), if the class path of the boot
 * loader has it.
 *
 * <p>Each thread has classes of its own: static maps of NullAway are made for one compilation at a time, and two at once
 * could leave a cycle in them, in which both search forever.
 */
public final class CachingLoader extends ClassLoader {
    private static final ThreadLocal<Map<List<String>, ClassLoader>> CACHE = ThreadLocal.withInitial(HashMap::new);

    public CachingLoader(URL[] path, ClassLoader parent) {
        super(cached(path, parent));
    }

    private static ClassLoader cached(URL[] path, ClassLoader parent) {
        List<String> key = Arrays.stream(path).map(URL::toString).toList();
        return CACHE.get().computeIfAbsent(key, _ -> new URLClassLoader(path, parent));
    }
}
