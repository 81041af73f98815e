package dev.turnstone.itests.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Reads every Java source file of a Maven project. */
final class Sources {
    private Sources() {}

    static List<SourceFile> under(Path root) throws IOException {
        List<Path> files;
        try (Stream<Path> modules = Files.list(root)) {
            files = modules.filter(module -> Files.exists(module.resolve("pom.xml")))
                    .flatMap(module -> javaFilesIn(module.resolve("src")))
                    .sorted()
                    .toList();
        }
        return parse(root, files);
    }

    private static Stream<Path> javaFilesIn(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        try (Stream<Path> found = Files.walk(folder)) {
            return found.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<SourceFile> parse(Path root, List<Path> files) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            Trees trees = Trees.instance(task);
            List<SourceFile> sources = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                Path file = Path.of(unit.getSourceFile().toUri());
                sources.add(new SourceFile(root.relativize(file), Files.readAllLines(file), unit, trees));
            }
            return sources;
        }
    }
}
