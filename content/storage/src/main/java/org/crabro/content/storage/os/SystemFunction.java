package org.crabro.content.storage.os;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Functions of the system's C library that the JDK does not offer. */
final class SystemFunction {
    private SystemFunction() {}

    /** Returns a handle of a function. A missing function is a bug of the caller. */
    @SuppressWarnings("restricted")
    static MethodHandle named(String name, FunctionDescriptor signature, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature, options);
    }

    /** Native calls throw no exceptions, so {@code e} is a bug of this program or of the JVM. */
    static RuntimeException failed(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }
}
