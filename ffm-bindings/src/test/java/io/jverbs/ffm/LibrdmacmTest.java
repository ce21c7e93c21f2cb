package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.ffm.ibverbs.IbvConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests the calls to the installed librdmacm that need no device. */
class LibrdmacmTest {

    @BeforeEach
    void assumeTheLibraryIsInstalled() {
        Libraries.assumeRdmacm();
    }

    @Test
    void stringsComeFromTheLibrary() {
        assertEquals("RDMA_CM_EVENT_CONNECT_REQUEST",
                ConnectionCalls.eventStr(IbvConstants.RDMA_CM_EVENT_CONNECT_REQUEST()));
    }

    @Test
    void aChannelOrAnErrnoIsReturned() {
        long channel = ConnectionCalls.createEventChannel();
        if (channel < 0) {
            assertTrue(channel > -4096, () -> "errno " + -channel);
            return;
        }
        int fd = Fields.cmChannelFd(channel);
        ConnectionCalls.destroyEventChannel(channel);
        assertTrue(fd > 2, () -> "file descriptor " + fd);
    }
}
