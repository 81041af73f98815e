package dev.turnstone.itests.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.nio.file.Path;
import java.util.List;

/** One parsed source file: its place among the modules, its lines and its tree. */
final class SourceFile {
    private final Path path;
    private final List<String> lines;
    private final CompilationUnitTree unit;
    private final Trees trees;

    /** The path is relative to the project's root, as in {@code broker/src/main/java/dev/turnstone/...}. */
    SourceFile(Path path, List<String> lines, CompilationUnitTree unit, Trees trees) {
        this.path = path;
        this.lines = List.copyOf(lines);
        this.unit = unit;
        this.trees = trees;
    }

    String module() {
        return path.getName(0).toString();
    }

    /** Whether it is part of the product, not of its tests. */
    boolean isMain() {
        return path.getName(2).toString().equals("main");
    }

    boolean isPackageInfo() {
        return path.endsWith("package-info.java");
    }

    Path path() {
        return path;
    }

    Path folder() {
        return path.getParent();
    }

    List<String> lines() {
        return lines;
    }

    CompilationUnitTree unit() {
        return unit;
    }

    String packageName() {
        return unit.getPackageName() == null ? "" : unit.getPackageName().toString();
    }

    /** From a tree's first line to its last, both counted. */
    int linesOf(Tree tree) {
        long start = trees.getSourcePositions().getStartPosition(unit, tree);
        long end = trees.getSourcePositions().getEndPosition(unit, tree);
        return (int) (unit.getLineMap().getLineNumber(end) - unit.getLineMap().getLineNumber(start) + 1);
    }

    boolean hasDocComment(TreePath tree) {
        return trees.getDocComment(tree) != null;
    }
}
