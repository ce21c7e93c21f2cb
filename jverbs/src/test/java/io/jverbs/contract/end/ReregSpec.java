package io.jverbs.contract.end;

import java.io.Serializable;

/**
 * The changes of a re-registration.
 *
 * @param memory id of the new memory; {@link End#NONE} keeps the translation
 * @param iova new start address; null for a translation without an iova
 * @param pd id of the new domain; {@link End#NONE} keeps the domain
 * @param access new access bits; null keeps the bits
 */
public record ReregSpec(int memory, Long iova, int pd, Integer access) implements Serializable {

    public static ReregSpec none() {
        return new ReregSpec(End.NONE, null, End.NONE, null);
    }

    public ReregSpec memory(int id) {
        return new ReregSpec(id, iova, pd, access);
    }

    public ReregSpec memory(int id, long start) {
        return new ReregSpec(id, start, pd, access);
    }

    public ReregSpec pd(int id) {
        return new ReregSpec(memory, iova, id, access);
    }

    public ReregSpec access(int bits) {
        return new ReregSpec(memory, iova, pd, bits);
    }
}
