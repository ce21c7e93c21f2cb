package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class VerbsExceptionTest {

    @Test
    void messageNamesOperationErrorNumberAndReason() {
        VerbsException e = new VerbsException("reg_mr", Errno.ENOMEM, "the limit of locked memory is 64 KiB");

        assertEquals("reg_mr: ENOMEM (12): the limit of locked memory is 64 KiB", e.getMessage());
        assertEquals("reg_mr", e.operation());
        assertSame(Errno.ENOMEM, e.error());
        assertEquals(12, e.errno());
    }

    @Test
    void knownErrnoIsPrintedWithItsName() {
        VerbsException e = new VerbsException("destroy_cq", 16, "2 queue pairs use it");

        assertEquals("destroy_cq: EBUSY (16): 2 queue pairs use it", e.getMessage());
        assertSame(Errno.EBUSY, e.error());
    }

    @Test
    void unknownErrnoIsKept() {
        VerbsException e = new VerbsException("open_device", 999, "the driver says no");

        assertEquals("open_device: errno 999: the driver says no", e.getMessage());
        assertEquals(999, e.errno());
        assertSame(Errno.UNKNOWN, e.error());
    }

    @Test
    void outOfRangeIsEinvalAndNamesArgumentValueAndRange() {
        VerbsException e = VerbsException.outOfRange("create_cq", "cqe", 0, 1, 262144);

        assertEquals("create_cq: EINVAL (22): cqe 0 is outside 1..262144", e.getMessage());
        assertSame(Errno.EINVAL, e.error());
        assertEquals("create_cq", e.operation());
    }

    @Test
    void nullArgumentIsNamed() {
        assertEquals("operation", assertThrows(NullPointerException.class,
                () -> new VerbsException(null, Errno.EIO, "")).getMessage());
        assertEquals("error", assertThrows(NullPointerException.class,
                () -> new VerbsException("poll_cq", null, "")).getMessage());
        assertEquals("explanation", assertThrows(NullPointerException.class,
                () -> new VerbsException("poll_cq", Errno.EIO, null)).getMessage());
    }

    @Test
    void survivesSerialization() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new VerbsException("query_port", Errno.EINVAL, "port 2"));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            VerbsException read = (VerbsException) in.readObject();
            assertEquals("query_port: EINVAL (22): port 2", read.getMessage());
            assertEquals("query_port", read.operation());
            assertEquals(22, read.errno());
        }
    }
}
