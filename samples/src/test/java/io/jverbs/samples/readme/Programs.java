package io.jverbs.samples.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.Run;
import io.jverbs.samples.SamplesProcess;
import io.jverbs.samples.readme.Documents.Block;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/** Compiles and runs the Java programs of the documents. */
final class Programs {
    private static final Pattern NAME = Pattern.compile("(?m)^public (?:final )?class (\\w+)");

    private Programs() {}

    /** {@return the name of the class that a program declares} */
    static String name(String program) {
        Matcher name = NAME.matcher(program);
        assertTrue(name.find(), program);
        return name.group(1);
    }

    /** {@return the output that a page states for each of its programs, in the block behind it, by program} */
    static Map<String, String> outputs(String page) {
        Map<String, String> outputs = new LinkedHashMap<>();
        List<Block> blocks = Documents.blocks(page);
        for (int i = 0; i < blocks.size(); i++) {
            if (blocks.get(i).language().equals("java")) {
                Block output = blocks.get(i + 1);
                assertEquals("text", output.language(), "the block behind " + blocks.get(i).text());
                outputs.put(name(blocks.get(i).text()), output.text());
            }
        }
        return outputs;
    }

    /** Compiles programs into a folder. A warning of the compiler is an error. */
    static void compile(Path folder, List<String> programs) throws IOException {
        List<String> command = new ArrayList<>(List.of("--release", "22", "-Xlint:all", "-Werror", "-proc:none", "-cp",
                SamplesProcess.classPath(), "-d", folder.toString()));
        for (String program : programs) {
            command.add(Files.writeString(folder.resolve(name(program) + ".java"), program).toString());
        }
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, command.toArray(String[]::new));
        assertEquals(0, status, "javac " + command);
    }

    /** {@return the output and status of a program that was compiled into the folder, run on a device} */
    static Run run(Path folder, String device, String name, List<String> arguments) {
        try {
            return SamplesProcess.run(folder + File.pathSeparator + SamplesProcess.classPath(),
                    List.of("-Djverbs.device=" + device), name, arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
