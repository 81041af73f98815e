package dev.turnstone.server.config;

import java.util.SortedMap;
import java.util.TreeMap;

/** The manual's page of all settings, made of what the records say about themselves. */
public final class Reference {
    private static final String HEAD = """
            # Settings

            Every setting there is: this page is what `./turnstone config docs` prints. How they are written, and where:
            [configuration.md](configuration.md). *Live* are those that SIGHUP takes over in a broker that runs.

            """;

    private Reference() {}

    /** The page, as Markdown. */
    public static String page(Class<? extends Record> root) {
        StringBuilder page = new StringBuilder(HEAD);
        page.append("| setting | default | live | meaning |\n|---|---|---|---|\n");
        for (Known known : new Schema(root).all()) {
            page.append("| `")
                    .append(known.name())
                    .append("` | ")
                    .append(known.standard())
                    .append(known.live() ? " | yes | " : " | | ")
                    .append(known.meaning())
                    .append(" |\n");
        }
        return page.toString();
    }

    /** The meanings by name, for programs. */
    public static SortedMap<String, String> meanings(Class<? extends Record> root) {
        SortedMap<String, String> meanings = new TreeMap<>();
        for (Known known : new Schema(root).all()) {
            meanings.merge(known.name(), known.meaning(), (one, other) -> one + "; " + other);
        }
        return meanings;
    }
}
