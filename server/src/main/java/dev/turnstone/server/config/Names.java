package dev.turnstone.server.config;

import dev.turnstone.server.config.Known.Kind;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks the names that a source has written against those that there are. */
final class Names {
    private Names() {}

    static void check(Schema schema, Map<String, Written> written, List<Problem> problems) {
        Set<String> said = new HashSet<>();
        written.forEach((name, value) -> {
            String mistake = mistake(schema, name);
            if (mistake != null && said.add(mistake)) {
                problems.add(new Problem(value.origin(), mistake));
            }
        });
    }

    private static @org.jspecify.annotations.Nullable String mistake(Schema schema, String name) {
        String plain = Schema.plain(name);
        Known known = schema.settings().get(plain);
        if (known != null) {
            boolean list = name.endsWith("]");
            if (list && known.kind() == Kind.VALUE) {
                return plain + " takes one value, not a list";
            }
            return withoutIndex(schema, name);
        } else if (schema.isOpenEntrysOwn(name)) {
            String list = plain.substring(0, plain.indexOf('.'));
            return name.startsWith(list + "[") ? null : isList(list);
        } else if (schema.isSection(name) && !name.endsWith("]")) {
            return plain + " is a section: its settings stand below it, further to the right";
        }
        return unknown(schema, plain);
    }

    /** A list of sections that was written as one section. */
    private static @org.jspecify.annotations.Nullable String withoutIndex(Schema schema, String name) {
        int dot = name.lastIndexOf('.');
        String parent = dot < 0 ? "" : name.substring(0, dot);
        return !parent.endsWith("]") && schema.isSectionList(parent) ? isList(parent) : null;
    }

    private static String isList(String name) {
        return name + " is a list: each entry starts with '- '";
    }

    private static String unknown(Schema schema, String name) {
        Collection<String> known = schema.settings().keySet();
        return "unknown setting '" + name + "'; "
                + Spelling.nearest(name, known)
                        .map(nearest -> "did you mean '" + nearest + "'?")
                        .orElse("'turnstone config docs' names all that there are");
    }
}
