package io.jverbs.ibverbs.rdmacm;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What the exception of a call says that the kernel, or the library for it, refuses. */
class RefusalsTest {

    @Test
    void errnoZeroIsNoRefusal() {
        assertDoesNotThrow(() -> Refusals.check("accept", 0, CmIdState.IDLE, CmIdState.CONNECT));
    }

    @Test
    void einvalInAStateThatIsNotAllowedNamesTheAllowedOnes() {
        assertRefused(Errno.EINVAL, "the ID is in state IDLE, allowed: [CONNECT, LISTEN]", () -> Refusals
                .check("accept", Errno.EINVAL.code(), CmIdState.IDLE, CmIdState.CONNECT, CmIdState.LISTEN));
    }

    @Test
    void einvalInAnAllowedStateTellsThatThePeerMayHaveEndedTheConnection() {
        assertRefused(Errno.EINVAL,
                "the kernel refused the call for an ID in state CONNECT, which allows it; if the peer has ended the"
                        + " connection meanwhile, an event of the ID tells it",
                () -> Refusals.check("accept", Errno.EINVAL.code(), CmIdState.CONNECT, CmIdState.CONNECT));
    }

    @Test
    void einvalOfACallThatIsAllowedInAnyStateNamesTheState() {
        assertRefused(Errno.EINVAL, "the kernel refused the call for an ID in state LISTEN (",
                () -> Refusals.check("setOption", Errno.EINVAL.code(), CmIdState.LISTEN, CmIdState.values()));
    }

    @Test
    void anotherErrnoInAnAllowedStateNamesTheState() {
        assertRefused(Errno.ENOMEM, "the kernel refused the call for an ID in state CONNECT (",
                () -> Refusals.check("accept", Errno.ENOMEM.code(), CmIdState.CONNECT, CmIdState.CONNECT));
    }

    @Test
    void anIdWithoutADeviceIsRefusedInAnAllowedState() {
        assertRefused(Errno.EINVAL, "the ID in state CONNECT has no device",
                () -> Refusals.withoutDevice("disconnect", CmIdState.CONNECT, CmIdState.CONNECT));
        assertRefused(Errno.EINVAL, "the ID is in state IDLE, allowed: [CONNECT]",
                () -> Refusals.withoutDevice("disconnect", CmIdState.IDLE, CmIdState.CONNECT));
    }

    private static void assertRefused(Errno expected, String message, Executable call) {
        VerbsException refused = assertThrows(VerbsException.class, call);
        assertEquals(expected, refused.error());
        assertTrue(refused.getMessage().contains(message), refused::getMessage);
    }
}
