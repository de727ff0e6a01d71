// Numbers that bound the program, in one place, with their units in their names.

/** Words a minute that reading_time assumes (decisions, Content). */
export const READING_WORDS_PER_MINUTE = 275;
/** UTF-16 units of plaintext in an excerpt (facts 1.1). */
export const EXCERPT_UNITS_MAX = 500;
/** A list file above this size draws a warning in the build report (decisions, Content). */
export const LIST_WARNING_BYTES = 25 * 1024 * 1024;
/** A slug longer than this in UTF-8 cannot be a file name (decisions, Files). */
export const FILE_NAME_BYTES_MAX = 255;
/** Quiet time before a burst of changes is built, and the longest wait for it (decisions). */
export const SETTLE_QUIET_MS = 200;
export const SETTLE_MAX_MS = 2_000;
/** More records than this in one wake, without action ids, send only site.changed (decisions). */
export const BULK_RECORDS_MAX = 100;
/** Body of an admin request, in bytes. */
export const REQUEST_BODY_BYTES_MAX = 1024 * 1024;
/** A body of a post from which on threads work on it: shorter ones hold the event loop no longer than they take to start. */
export const LONG_BODY_BYTES = 256 * 1024;
/** That of a save of a post or page. */
export const POST_REQUEST_BYTES_MAX = 10 * 1024 * 1024;
/**
 * What a row may hold, in UTF-8: a body (html, plaintext, lexical, mobiledoc), and any other text. What is longer
 * is refused by saving, importing and rendering alike, so that what was saved can be built.
 */
export const BODY_BYTES_MAX = 64 * 1024 * 1024;
export const TEXT_BYTES_MAX = 1024 * 1024;
/** Elements within elements that a body may have; browsers stop at 512. */
export const BODY_DEPTH_MAX = 1_000;
/** Lists and objects within others that an editor document may have. */
export const FORMAT_DEPTH_MAX = 400;
/** Longest time that one editor document takes to convert. */
export const FORMAT_TIME_MS = 10_000;
/** Html is kept in any case, so less time is given to making a document of it, and none to what is longer. */
export const FORMAT_HTML_TIME_MS = 3_000;
export const FORMAT_HTML_UNITS_MAX = 256 * 1024;
/** Longest time that the thread takes to start that converts. */
export const FORMAT_LOAD_MS = 60_000;
/** Memory of that thread, and how long it stays when there is nothing to do. */
export const FORMAT_MEMORY_MB = 512;
export const FORMAT_IDLE_MS = 60_000;
/** For so many days a delivery that arrived can be sent again, unless the settings say otherwise. */
export const REDELIVERY_DAYS = 7;
/** Compressed bodies of deliveries that ended are dropped beyond this, the oldest first; looked at once an hour. */
export const KEPT_BODIES_BYTES_MAX = 256 * 1024 * 1024;
/** Longest time that the rows of an admin list, or of an export or bulk work by a filter, are looked for. */
export const LIST_TIME_MS = 2_000;
/** Longest time the event loop waits for a lock of the database. */
export const BUSY_TIMEOUT_MS = 50;

/** What may be done after a build waits so long: the build's last commits would have to wait for the disk. */
export const AFTER_BUILD_MS = 250;
/**
 * A part of work on many members ends once it took so long, and then the database is free for longer than another writer
 * sleeps between two attempts.
 */
export const BULK_PART_MS = 50;
export const BULK_PAUSE_MS = 60;
/** A request waits for the end of work on so many members; beyond that its answer is 202. */
export const BULK_WAITED_MEMBERS_MAX = 2_000;
