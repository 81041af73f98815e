package dev.turnstone.itests.tidy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Applies every rule of shape to a project's sources. */
final class TidyRules {
    private static final int LINE_COLUMNS_MAX = 120;
    private static final Pattern UNFINISHED = Pattern.compile("\\b(TODO|FIXME|XXX|HACK)\\b");
    private static final Pattern SLEEP = Pattern.compile("\\bThread\\.sleep\\(|\\bTimeUnit\\.\\w+\\.sleep\\(");
    private static final Pattern DISABLED = Pattern.compile("@Disabled\\b");
    private static final Pattern CONSOLE = Pattern.compile("\\bSystem\\.(out|err)\\b|\\.printStackTrace\\(\\)");
    private static final String NULL_MARKED = "@NullMarked";
    private static final String NULL_MARKED_IN_FULL = "@org.jspecify.annotations.NullMarked";

    private final List<Finding> findings = new ArrayList<>();

    /** What breaks a rule, in the order of files. */
    static List<Finding> findingsIn(List<SourceFile> sources) {
        TidyRules rules = new TidyRules();
        sources.forEach(rules::checkFile);
        rules.checkPackages(sources);
        return rules.findings;
    }

    private void checkFile(SourceFile file) {
        count(file, "line-columns", line -> line.length() > LINE_COLUMNS_MAX && !line.startsWith("import "));
        // This package names the words that it forbids.
        if (!file.packageName().equals(TidyRules.class.getPackageName())) {
            count(file, "unfinished", line -> UNFINISHED.matcher(line).find());
            count(file, "sleep", line -> SLEEP.matcher(line).find());
            count(file, "disabled-test", line -> DISABLED.matcher(line).find());
        }
        if (file.isMain()) {
            count(file, "console", line -> CONSOLE.matcher(line).find());
        }
        new TypeRules(file, findings).check();
    }

    private void count(SourceFile file, String rule, Predicate<String> broken) {
        int amount = (int) file.lines().stream().filter(broken).count();
        if (amount > 0) {
            findings.add(new Finding(rule, file.path().toString(), amount));
        }
    }

    private void checkPackages(List<SourceFile> sources) {
        Set<Path> folders = new TreeSet<>();
        Set<Path> described = new TreeSet<>();
        for (SourceFile file : sources) {
            folders.add(file.folder());
            if (file.isPackageInfo() && isNullMarked(file)) {
                described.add(file.folder());
            }
        }
        for (Path folder : folders) {
            boolean main = folder.getName(2).toString().equals("main");
            if (main && !described.contains(folder)) {
                findings.add(new Finding("package-info", folder.toString(), 1));
            }
        }
    }

    private static boolean isNullMarked(SourceFile file) {
        return file.lines().contains(NULL_MARKED) || file.lines().contains(NULL_MARKED_IN_FULL);
    }
}
