package org.crabro.protocol.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import java.util.HashMap;
import java.util.Map;
import org.crabro.protocol.transport.AllowedCallers;

/**
 * A service between servers of a cluster. Each method is added with those who may call it, so that
 * none can be without a rule.
 *
 * @param definition of all methods
 * @param callers by the full name of the method
 */
public record GuardedService(
        ServerServiceDefinition definition, Map<String, AllowedCallers> callers) {
    public GuardedService {
        callers = Map.copyOf(callers);
    }

    /** Begins a service. */
    public static Builder of(String name) {
        return new Builder(name);
    }

    /** Collects the methods of a service. */
    public static final class Builder {
        private final ServerServiceDefinition.Builder definition;
        private final Map<String, AllowedCallers> callers = new HashMap<>();

        private Builder(String name) {
            this.definition = ServerServiceDefinition.builder(name);
        }

        /** Adds a method. */
        public <A, B> Builder add(
                MethodDescriptor<A, B> method,
                AllowedCallers from,
                ServerCallHandler<A, B> handler) {
            definition.addMethod(method, handler);
            callers.put(method.getFullMethodName(), from);
            return this;
        }

        /** Returns the service. */
        public GuardedService build() {
            return new GuardedService(definition.build(), callers);
        }
    }
}
