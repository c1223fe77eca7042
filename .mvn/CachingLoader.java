import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the classes of annotation processors and plug-ins of javac, such as Error Prone, for the next compilation in this
 * JVM. Javac makes a loader for each compilation and closes it at the end, so that their classes are loaded, verified and
 * compiled again for every module. It takes this class instead ({@code -XDprocloader}), if the class path of the boot
 * loader has it.
 */
public final class CachingLoader extends ClassLoader {
    private static final ConcurrentHashMap<List<String>, ClassLoader> CACHE = new ConcurrentHashMap<>();

    public CachingLoader(URL[] path, ClassLoader parent) {
        super(cached(path, parent));
    }

    private static ClassLoader cached(URL[] path, ClassLoader parent) {
        List<String> key = Arrays.stream(path).map(URL::toString).toList();
        return CACHE.computeIfAbsent(key, _ -> new URLClassLoader(path, parent));
    }
}
