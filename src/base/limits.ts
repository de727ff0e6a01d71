// Limits that users meet, each in one place: a message names it, or what is beyond it is refused or left out. docs/limits.md
// is made of the comments here. What users choose is a setting; the length of a field is in its schema
// (serve/contract/input/); numbers that only bound the work inside stand where they are used. Runtime-neutral.

/** Body of an admin request. */
export const REQUEST_BODY_BYTES_MAX = 1024 * 1024;
/** Body of a save of a post or page. */
export const POST_REQUEST_BYTES_MAX = 10 * 1024 * 1024;
/** Body of a build hook: Ghost sends a whole post, before and after the change. */
export const HOOK_BODY_BYTES_MAX = 10_000_000;
/** Address and headers of a request. */
export const REQUEST_HEAD_BYTES_MAX = 16_384;
/** Time for a request to arrive. */
export const REQUEST_MS_MAX = 30_000;
/** Time for a request with a file to arrive. */
export const UPLOAD_MS_MAX = 60 * 60_000;
/** Requests that may wait on one connection, each about 5 kB. A client that sends more is disconnected. */
export const REQUESTS_WAITING_MAX = 64;
/** Time in which a client must read the next part of its answer, of about a megabyte. */
export const UNREAD_MS_MAX = 120_000;
/** Nesting of values in the JSON of an admin request. */
export const JSON_DEPTH_MAX = 100;
/** Values in the JSON of an admin request. */
export const JSON_VALUES_MAX = 50_000;

/** Records of an admin list, unless a client asks for fewer or more. Lists of tiers and offers have all, as in Ghost. */
export const ADMIN_LIMIT_DEFAULT = 15;
/** Records of an admin list. */
export const ADMIN_LIMIT_MAX = 100;
/** Builds, deliveries and lines of lists on the command line, unless a client asks for fewer or more. */
export const SERVICE_LIMIT_DEFAULT = 50;
/** Builds or deliveries in one answer. */
export const SERVICE_LIMIT_MAX = 500;
/** Largest number of a page, which a database can still count to. */
export const PAGE_MAX = 1_000_000_000;
/** Filter of an admin list, about 300 ids. */
export const ADMIN_FILTER_CHARACTERS_MAX = 8_000;
/** Conditions in the filter of an admin list. With more, the database plans too long, or fails. */
export const ADMIN_FILTER_CONDITIONS_MAX = 400;
/** Search of an admin list. */
export const SEARCH_CHARACTERS_MAX = 200;
/** Clauses in the order of an admin list. */
export const ORDERS_MAX = 10;
/** Time to find the rows of an admin list, or those of an export or of bulk work. */
export const LIST_TIME_MS = 2_000;
/** Members that a request changes before it answers. With more, the answer is 202. */
export const BULK_WAITED_MEMBERS_MAX = 2_000;
/** Filter of the content interface. */
export const FILTER_CHARACTERS_MAX = 2_000;
/** Nested brackets in a filter. */
export const FILTER_DEPTH_MAX = 20;
/** Hours for which a preview link works. */
export const PREVIEW_HOURS_MAX = 720;
/** Redirects of a publication. */
export const REDIRECT_LINES_MAX = 2_000;
/** A file of redirects. */
export const REDIRECTS_BYTES_MAX = 1024 * 1024;
/** The pattern or the target of a redirect. */
export const REDIRECT_CHARACTERS_MAX = 500;
/** The same, as rules of hosts write it. */
export const REDIRECT_RULE_CHARACTERS_MAX = 2_000;
/** Ways through the choices of a redirect's pattern. */
export const REDIRECT_WAYS_MAX = 1_000;
/** Records of each search file. */
export const SEARCHED_MAX = 10_000;

/** Time to render a preview, without the wait for earlier ones. */
export const PREVIEW_TIME_MS = 60_000;

/** UTF-16 units of plain text in an excerpt. */
export const EXCERPT_UNITS_MAX = 500;
/** Body of a post (html, plaintext, lexical, mobiledoc) in UTF-8: saved, imported and rendered alike. */
export const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Any other text of a row in UTF-8. */
export const TEXT_BYTES_MAX = 1024 * 1024;
/** Body of a post that a thread converts and renders, so that no other request waits for it. */
export const LONG_BODY_BYTES = 256 * 1024;
/** Nesting of elements in a body; browsers stop at 512. */
export const BODY_DEPTH_MAX = 1_000;
/** Nesting of elements in a body that is converted to Markdown; others stay html. */
export const MARKDOWN_DEPTH_MAX = 100;
/** Nesting of lists and objects in an editor document. */
export const FORMAT_DEPTH_MAX = 400;
/** Time to convert one editor document. */
export const FORMAT_TIME_MS = 10_000;
/** Time to convert html into an editor document; the html is kept in any case. */
export const FORMAT_HTML_TIME_MS = 3_000;
/** UTF-16 units of html that is converted into an editor document. */
export const FORMAT_HTML_UNITS_MAX = 256 * 1024;
/** Name of a member, label or key, and an e-mail address. */
export const NAME_CHARACTERS_MAX = 191;
/** Note of a member in a CSV file. */
export const NOTE_CHARACTERS_MAX = 2_000;
/** Name of a file: a longer slug has a hash for its folder. */
export const FILE_NAME_BYTES_MAX = 255;
/** List file above which a build warns. */
export const LIST_WARNING_BYTES = 25 * 1024 * 1024;
/** Rows that are set aside because the program fails on them. With more, the build fails. */
export const UNEXPECTED_ROWS_MAX = 100;

/** Side of an icon, in pixels, at least. */
export const ICON_SIDE_MIN = 60;
/** Side of an icon, in pixels, at most. */
export const ICON_SIDE_MAX = 1_000;
/** File of an icon. */
export const ICON_BYTES_MAX = 100 * 1024;
/** Nesting of elements in a drawing. */
export const DRAWING_DEPTH_MAX = 500;
/** Attributes of one element of a drawing: the parser compares the name of each with those of all before it. */
export const DRAWING_ATTRIBUTES_MAX = 1_000;
/** Namespaces of a drawing in scope at once: the parser visits all of them at the end of each element. */
export const DRAWING_NAMESPACES_MAX = 50;
/** UTF-16 units of one tag, value or comment of a drawing: the parser keeps each character separately. */
export const DRAWING_TAG_UNITS_MAX = 512 * 1024;
/** Redirects of a picture that is fetched. */
export const REDIRECTS_MAX = 5;

/** Mails that verify a sender, to one address in an hour. */
export const MAILS_TO_ADDRESS_MAX = 5;
/** Mails that verify a sender, of one key in an hour. */
export const MAILS_OF_KEY_MAX = 20;

/** Secret of a webhook without the prefix `whsec_`, at least. */
export const SECRET_CHARACTERS_MIN = 16;
/** Secret with the prefix `whsec_`, at least. */
export const SECRET_BYTES_MIN = 24;
/** Secret with the prefix `whsec_`, at most. */
export const SECRET_BYTES_MAX = 64;
/** Extra headers of a webhook. */
export const OWN_HEADERS_MAX = 10;
/** Value of one of these headers. */
export const OWN_HEADER_CHARACTERS_MAX = 4_096;
/** All of these headers together. */
export const OWN_HEADERS_CHARACTERS_MAX = 8_192;
/** Template of a webhook's body. */
export const TEMPLATE_CHARACTERS_MAX = 16_384;
/** Placeholders in a template. */
export const TEMPLATE_PLACEHOLDERS_MAX = 50;
/** Nested values in a template. */
export const TEMPLATE_DEPTH_MAX = 20;
/** Filled body that is sent to a webhook. A longer payload is sent without the bodies of posts. */
export const PAYLOAD_BYTES_MAX = 256 * 1024;
/** Addresses and tags that `site.changed` names. */
export const CHANGED_NAMES_MAX = 1_000;
/** All of these names together. Some receivers take no more than 64 kB. */
export const CHANGED_NAMES_BYTES_MAX = 48_000;
/** Records of one kind in one change. With more, only `site.changed` is sent. */
export const BULK_RECORDS_MAX = 100;
/** Time of one attempt of a delivery. */
export const ATTEMPT_MS_MAX = 15_000;
/** Time for which attempts are kept. */
export const ATTEMPTS_KEPT_MS = 30 * 24 * 3_600_000;
/** Days for which a successful delivery can be resent, unless the setting redeliveryDays says otherwise. */
export const REDELIVERY_DAYS = 7;
/** Compressed bodies of finished deliveries: once an hour, the oldest ones beyond this are dropped. */
export const KEPT_BODIES_BYTES_MAX = 256 * 1024 * 1024;
