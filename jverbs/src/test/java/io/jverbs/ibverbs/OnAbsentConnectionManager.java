package io.jverbs.ibverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEventChannel;
import org.junit.jupiter.api.Test;

/** Tests the native device with a stub of libibverbs and without librdmacm. {@link NativeDataPathTest} runs it. */
class OnAbsentConnectionManager {

    @Test
    void theReasonNamesTheLibraryAndItsPackage() {
        try (RdmaContext context = Verbs.select("stub").open()) {
            VerbsException refused = assertThrows(VerbsException.class, () -> CmEventChannel.create(context));
            assertEquals(Errno.ENODEV, refused.error());
            assertTrue(refused.getMessage().contains("librdmacm-nowhere.so.1: it cannot be loaded"),
                    refused::getMessage);
            assertTrue(refused.getMessage().contains("librdmacm1 on Debian"), refused::getMessage);
            // the rest of the device works
            context.allocatePd().close();
        }
    }
}
