package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests the values and names of the flags that are bits of an int. */
class FlagsTest {

    @Test
    void accessFlagsHaveTheValuesOfTheHeader() {
        assertEquals(1, Access.LOCAL_WRITE);
        assertEquals(2, Access.REMOTE_WRITE);
        assertEquals(4, Access.REMOTE_READ);
        assertEquals(8, Access.REMOTE_ATOMIC);
        assertEquals(16, Access.MW_BIND);
        assertEquals(32, Access.ZERO_BASED);
        assertEquals(64, Access.ON_DEMAND);
        assertEquals(128, Access.HUGETLB);
        assertEquals(256, Access.FLUSH_GLOBAL);
        assertEquals(512, Access.FLUSH_PERSISTENT);
        assertEquals(0x10_0000, Access.RELAXED_ORDERING);
    }

    @Test
    void sendFlagsHaveTheValuesOfTheHeader() {
        assertEquals(1, SendFlags.FENCE);
        assertEquals(2, SendFlags.SIGNALED);
        assertEquals(4, SendFlags.SOLICITED);
        assertEquals(8, SendFlags.INLINE);
        assertEquals(16, SendFlags.IP_CSUM);
    }

    @Test
    void completionFlagsHaveTheValuesOfTheHeader() {
        assertEquals(1, WcFlags.GRH);
        assertEquals(2, WcFlags.WITH_IMM);
        assertEquals(4, WcFlags.IP_CSUM_OK);
        assertEquals(8, WcFlags.WITH_INV);
    }

    @Test
    void everyAccessFlagIsPrintedByItsName() {
        assertEquals("LOCAL_WRITE|REMOTE_WRITE|REMOTE_READ|REMOTE_ATOMIC|MW_BIND|ZERO_BASED|ON_DEMAND|HUGETLB"
                + "|FLUSH_GLOBAL|FLUSH_PERSISTENT|RELAXED_ORDERING", Access.toString(0x10_03ff));
        assertEquals("REMOTE_READ", Access.toString(Access.REMOTE_READ));
    }

    @Test
    void everySendFlagIsPrintedByItsName() {
        assertEquals("FENCE|SIGNALED|SOLICITED|INLINE|IP_CSUM", SendFlags.toString(31));
        assertEquals("SIGNALED|INLINE", SendFlags.toString(SendFlags.SIGNALED | SendFlags.INLINE));
    }

    @Test
    void everyCompletionFlagIsPrintedByItsName() {
        assertEquals("GRH|WITH_IMM|IP_CSUM_OK|WITH_INV", WcFlags.toString(15));
    }

    @Test
    void zeroIsPrintedAsNone() {
        assertEquals("none", Access.toString(0));
        assertEquals("none", SendFlags.toString(0));
        assertEquals("none", WcFlags.toString(0));
    }

    @Test
    void bitsWithoutANameArePrintedInHex() {
        assertEquals("GRH|0x80000010", WcFlags.toString(0x8000_0011));
        assertEquals("0x400", Access.toString(0x400));
    }

    /** Catalogue item B8: bits 20 to 29 are ignored if they are not supported; all other bits must be defined. */
    @Test
    void accessBitsWithoutMeaningOutsideTheOptionalRangeAreUndefined() {
        assertEquals(0, Access.undefinedBits(0));
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            int flag = 1 << bit;
            boolean acceptable = bit < 10 || bit >= 20 && bit < 30;
            assertEquals(acceptable ? 0 : flag, Access.undefinedBits(flag | Access.LOCAL_WRITE), "bit " + bit);
        }
    }
}
