package org.crabro.content.journal;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/** Functions of the system's C library, which the JDK keeps to itself. */
final class SystemFunction {
    private SystemFunction() {}

    /** Returns what calls a function; that it is missing is an error of whoever asks. */
    @SuppressWarnings("restricted")
    static MethodHandle named(String name, FunctionDescriptor signature, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature, options);
    }

    /** A call into the system throws nothing: what comes is a fault of ours or of the JVM. */
    static RuntimeException failed(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new IllegalStateException(e);
    }
}
