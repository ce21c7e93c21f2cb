package io.jverbs.cm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the statuses of events mean, and what to do. */
class CmStatusTest {
    /** The columns are the type, the status, and parts of the text. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ADDR_ERROR      | -19  | ENODEV (19): the route to the address leaves by | bind the ID to an address of
            ADDR_ERROR      | -113 | EHOSTUNREACH (113): no route to the address     | check the address and the routing
            ADDR_ERROR      | -22  | EINVAL (22): the peer uses another Q_Key        | use the same port space
            ADDR_ERROR      | -5   | the address cannot be resolved                  | resolve it again
            ROUTE_ERROR     | -110 | ETIMEDOUT (110): the route was not resolved     | allow more time
            ROUTE_ERROR     | -22  | EINVAL (22): the route cannot be resolved       | resolve the route again
            CONNECT_ERROR   | -1   | the queue pair could not be connected           | close the ID
            CONNECT_ERROR   | -22  | EINVAL (22): the connection could not be        | connect with a new ID
            UNREACHABLE     | -110 | ETIMEDOUT (110): the peer did not respond       | check that its host is up
            UNREACHABLE     | -101 | ENETUNREACH (101): the peer cannot be reached   | check the network
            UNREACHABLE     | 1    | SIDR status 1: there is no listener             | check the port
            UNREACHABLE     | 3    | SIDR status 3: the peer has no queue pair       | for this service
            UNREACHABLE     | 4    | SIDR status 4: the peer refers to another       | connect to that one
            UNREACHABLE     | 5    | SIDR status 5: the peer does not support        | version of the messages
            REJECTED        | 8    | reason 8: there is no listener at this port     | check the port
            REJECTED        | -111 | ECONNREFUSED (111): there is no listener        | check the port
            REJECTED        | -104 | ECONNRESET (104): the peer has rejected or      | see the log of its program
            DISCONNECTED    | 0    | the connection has ended                        | connect with a new ID
            DISCONNECTED    | -110 | ETIMEDOUT (110): the peer did not respond to    | check that its host is up
            DEVICE_REMOVAL  | 0    | the device was removed                          | close the ID
            MULTICAST_ERROR | -1   | could not be attached to the group              | leave the group
            MULTICAST_ERROR | -22  | EINVAL (22): the group cannot be joined         | check that the address is
            MULTICAST_ERROR | 0    | the membership of the group is lost             | join it again
            ADDR_CHANGE     | 0    | has another address                             | connect with a new ID
            """)
    void aStatusSaysWhatItMeansAndWhatToDo(CmEventType type, int status, String meaning, String remedy) {
        String text = CmStatus.describe(type, status, null);
        assertTrue(text.contains(meaning), text);
        assertTrue(text.indexOf(remedy) > text.indexOf(meaning), text);
    }

    @Test
    void noFailureRefersToTheManPageOnly() {
        List<CmEventType> failures = Arrays.stream(CmEventType.values()).filter(CmEventType::isFailure).toList();
        assertEquals(7, failures.size());
        for (CmEventType type : failures) {
            for (Errno errno : Errno.values()) {
                String text = CmStatus.describe(type, -Math.abs(errno.code()), null);
                assertFalse(text.contains("rdma_get_cm_event"), type + ": " + text);
            }
        }
    }

    @Test
    void aFailedStepForTheQueuePairSaysWhy() {
        Throwable cause = new IllegalStateException("it is closed");
        assertTrue(CmStatus.describe(CmEventType.CONNECT_ERROR, -1, cause)
                .startsWith("the queue pair could not be connected (it is closed): "));
        assertTrue(CmStatus.describe(CmEventType.MULTICAST_ERROR, -1, cause)
                .startsWith("the queue pair could not be attached to the group (it is closed): "));
    }

    @Test
    void theStatusOfAUserEventIsNoErrno() {
        assertEquals("status -110", CmStatus.describe(CmEventType.USER, -110, null));
    }
}
