package dev.turnstone.testkit.sim;

import dev.turnstone.broker.store.Bodies;
import dev.turnstone.broker.store.RecordType;
import dev.turnstone.journal.Batch;
import dev.turnstone.journal.Journal;
import dev.turnstone.journal.JournalException;
import dev.turnstone.journal.JournalListener;
import dev.turnstone.journal.Payload;
import dev.turnstone.journal.page.PageListener;
import dev.turnstone.journal.page.PageStore;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Pages that lie. */
public final class PageFaults {
    private PageFaults() {}

    /** Says at once that a page is on the disk: its marker can be durable before its file is. */
    public static Tampering writtenTooEarly() {
        return new Tampering() {
            @Override
            public PageListener pageListener(PageListener listener) {
                return new PageListener() {
                    @Override
                    public void written(long id) {
                        // Said already.
                    }

                    @Override
                    public void read(long id, ByteBuffer content) {
                        listener.read(id, content);
                    }

                    @Override
                    public void failed(JournalException cause) {
                        listener.failed(cause);
                    }
                };
            }

            @Override
            public PageStore pages(PageStore pages, PageListener listener) {
                return new WrappedPages(pages) {
                    @Override
                    public void write(long id, Payload content, boolean durable) {
                        super.write(id, content, durable);
                        listener.written(id);
                    }
                };
            }
        };
    }

    /** Deletes a page's file as soon as the end of its marker is handed to the journal. */
    public static Tampering deletedTooEarly() {
        return new Tampering() {
            private final Set<Long> markers = new HashSet<>();
            private @Nullable PageStore files;

            @Override
            public Journal journal(Journal journal, JournalListener listener) {
                return new WrappedJournal(journal) {
                    @Override
                    public long append(Batch batch) {
                        batch.steps().forEach(step -> see(step));
                        return super.append(batch);
                    }
                };
            }

            private void see(Batch.Step step) {
                if (step instanceof Batch.Add add && add.type() == RecordType.PAGE.code()) {
                    markers.add(add.id());
                } else if (step instanceof Batch.Delete delete && markers.remove(delete.id()) && files != null) {
                    files.delete(delete.id());
                }
            }

            @Override
            public PageStore pages(PageStore pages, PageListener listener) {
                files = pages;
                return pages;
            }
        };
    }

    /** A page that takes the place of others does so without their end: a start finds their messages twice. */
    public static Tampering replacedInPart() {
        return new Tampering() {
            private final Set<Long> markers = new HashSet<>();

            @Override
            public Journal journal(Journal journal, JournalListener listener) {
                return new WrappedJournal(journal) {
                    @Override
                    public long append(Batch batch) {
                        Batch rest = new Batch();
                        boolean replaces = false;
                        for (Batch.Step step : batch.steps()) {
                            replaces = (replaces || begins(step)) && !(step instanceof Batch.EndUnit);
                            boolean ends = step instanceof Batch.Delete delete && markers.remove(delete.id());
                            if (!ends || !replaces) {
                                JournalFaults.copy(step, rest);
                            }
                        }
                        return super.append(rest);
                    }
                };
            }

            private boolean begins(Batch.Step step) {
                return step instanceof Batch.Add add && add.type() == RecordType.PAGE.code() && markers.add(add.id());
            }
        };
    }

    /** Keeps the chunks of bodies that nobody holds. */
    public static Tampering keptChunks() {
        return new Tampering() {
            @Override
            public PageStore pages(PageStore pages, PageListener listener) {
                return new WrappedPages(pages) {
                    @Override
                    public void delete(long id) {
                        if (!Bodies.isChunk(id)) {
                            super.delete(id);
                        }
                    }
                };
            }
        };
    }

    /** Does not sync the chunks of bodies. */
    public static Tampering unsyncedChunks() {
        return new Tampering() {
            @Override
            public PageStore pages(PageStore pages, PageListener listener) {
                return new WrappedPages(pages) {
                    @Override
                    public void write(long id, Payload content, boolean durable) {
                        super.write(id, content, durable && !Bodies.isChunk(id));
                    }
                };
            }
        };
    }

    /** Passes everything on. */
    private abstract static class WrappedPages implements PageStore {
        private final PageStore pages;

        WrappedPages(PageStore pages) {
            this.pages = pages;
        }

        @Override
        public long[] find() {
            return pages.find();
        }

        @Override
        public int check(long id) {
            return pages.check(id);
        }

        @Override
        public void write(long id, Payload content, boolean durable) {
            pages.write(id, content, durable);
        }

        @Override
        public void read(long id) {
            pages.read(id);
        }

        @Override
        public void delete(long id) {
            pages.delete(id);
        }

        @Override
        public void await() {
            pages.await();
        }

        @Override
        public void close() {
            pages.close();
        }
    }
}
