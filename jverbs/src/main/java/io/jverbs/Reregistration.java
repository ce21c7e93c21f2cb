package io.jverbs;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A change of the memory, the protection domain or the access flags of a memory region, or of several of them: the
 * arguments and flags of ibv_rereg_mr(3). {@link MemoryRegion#reregister} checks the values. Immutable.
 *
 * {@snippet :
 * region.reregister(Reregistration.builder().access(Access.LOCAL_WRITE | Access.REMOTE_READ).build());
 * }
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

    /** {@return a builder without changes} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the new memory ({@code IBV_REREG_MR_CHANGE_TRANSLATION}); empty if it is unchanged} */
    public Optional<MemorySegment> segment() {
        return segment;
    }

    /**
     * {@return the address of the first byte of the new memory in requests; empty for the address of the memory itself}
     */
    public OptionalLong iova() {
        return iova;
    }

    /** {@return the new protection domain ({@code IBV_REREG_MR_CHANGE_PD}); empty if it is unchanged} */
    public Optional<ProtectionDomain> pd() {
        return pd;
    }

    /** {@return the new access flags ({@code IBV_REREG_MR_CHANGE_ACCESS}); empty if they are unchanged} */
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

    /** A builder of {@link Reregistration}. Not thread-safe. */
    public static final class Builder {
        private MemorySegment segment;
        private OptionalLong iova = OptionalLong.empty();
        private ProtectionDomain pd;
        private OptionalInt access = OptionalInt.empty();

        private Builder() {}

        /**
         * Changes the memory. Its address in requests is that of the memory itself, or 0 with {@link
         * Access#ZERO_BASED}.
         *
         * @param memory the new memory; the rules of {@link ProtectionDomain#registerMemory(MemorySegment, int)} apply
         * @return this builder
         */
        public Builder translation(MemorySegment memory) {
            segment = Objects.requireNonNull(memory, "memory");
            iova = OptionalLong.empty();
            return this;
        }

        /**
         * Changes the memory and its address in requests.
         *
         * @param memory the new memory; the rules of {@link ProtectionDomain#registerMemory(MemorySegment, int)} apply
         * @param address the address of the first byte in local and remote requests
         * @return this builder
         */
        public Builder translation(MemorySegment memory, long address) {
            segment = Objects.requireNonNull(memory, "memory");
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
         * Changes the access flags.
         *
         * @param flags bits of {@link Access}
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
