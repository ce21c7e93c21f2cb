package io.jverbs;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A change of a memory region: its memory, its protection domain, its access rights, or several of them, the arguments
 * and flags of ibv_rereg_mr(3) in one. Immutable. What is legal is checked when the change is made.
 */
public final class Reregistration {
    private final Optional<MemorySegment> segment;
    private final OptionalLong iova;
    private final Optional<ProtectionDomain> pd;
    private final OptionalInt access;

    private Reregistration(Builder builder) {
        segment = Optional.ofNullable(builder.segment);
        iova = builder.iova;
        pd = Optional.ofNullable(builder.pd);
        access = builder.access;
    }

    /** {@return a builder that changes nothing so far} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the new memory ({@code IBV_REREG_MR_CHANGE_TRANSLATION}), empty if it stays} */
    public Optional<MemorySegment> segment() {
        return segment;
    }

    /** {@return the address by which requests name the new memory's first byte, empty for its own address} */
    public OptionalLong iova() {
        return iova;
    }

    /** {@return the new protection domain ({@code IBV_REREG_MR_CHANGE_PD}), empty if it stays} */
    public Optional<ProtectionDomain> pd() {
        return pd;
    }

    /** {@return the new bits of {@link Access} ({@code IBV_REREG_MR_CHANGE_ACCESS}), empty if they stay} */
    public OptionalInt access() {
        return access;
    }

    @Override
    public String toString() {
        return "Reregistration[segment=" + segment.map(Object::toString).orElse("unchanged")
                + (iova.isPresent() ? ", iova=" + Hex.address(iova.getAsLong()) : "")
                + ", pd=" + pd.map(Object::toString).orElse("unchanged")
                + ", access=" + (access.isPresent() ? Access.toString(access.getAsInt()) : "unchanged") + "]";
    }

    /** Collects the changes of a {@link Reregistration}. For one thread at a time. */
    public static final class Builder {
        private MemorySegment segment;
        private OptionalLong iova = OptionalLong.empty();
        private ProtectionDomain pd;
        private OptionalInt access = OptionalInt.empty();

        private Builder() {}

        /**
         * Changes the memory. Requests name it by its own address.
         *
         * @param memory the new memory, under the rules of registration
         * @return this builder
         */
        public Builder translation(MemorySegment memory) {
            segment = Objects.requireNonNull(memory, "segment");
            iova = OptionalLong.empty();
            return this;
        }

        /**
         * Changes the memory and the address by which requests name it.
         *
         * @param memory the new memory, under the rules of registration
         * @param address the address of its first byte in requests, local and remote
         * @return this builder
         */
        public Builder translation(MemorySegment memory, long address) {
            segment = Objects.requireNonNull(memory, "segment");
            iova = OptionalLong.of(address);
            return this;
        }

        /**
         * Changes the protection domain.
         *
         * @param domain the new domain, of the same context
         * @return this builder
         */
        public Builder pd(ProtectionDomain domain) {
            pd = Objects.requireNonNull(domain, "pd");
            return this;
        }

        /**
         * Changes the access rights.
         *
         * @param flags the new bits of {@link Access}
         * @return this builder
         */
        public Builder access(int flags) {
            access = OptionalInt.of(flags);
            return this;
        }

        /** {@return the change} */
        public Reregistration build() {
            return new Reregistration(this);
        }
    }
}
