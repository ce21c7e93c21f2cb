package io.jverbs.ffm.abi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Tests that a missing compiler skips the comparison with a reason, or fails it if the comparison is required. */
class CompilerTest {

    private String required;

    @BeforeEach
    void remember() {
        required = System.getProperty(Compiler.REQUIRED, "false");
    }

    @AfterEach
    void restore() {
        System.setProperty(Compiler.REQUIRED, required);
    }

    @Test
    void aMissingCompilerSkipsTheTest() {
        System.setProperty(Compiler.REQUIRED, "false");
        var skipped = assertThrows(TestAbortedException.class, () -> Compiler.checked("no-such-compiler"));
        assertEquals("no-such-compiler was not found", skipped.getMessage());
    }

    @Test
    void aMissingCompilerFailsTheTestIfItIsRequired() {
        System.setProperty(Compiler.REQUIRED, "true");
        var failed = assertThrows(AssertionFailedError.class, () -> Compiler.checked("no-such-compiler"));
        assertEquals("no-such-compiler was not found, and jverbs.abi.required is true", failed.getMessage());
    }
}
