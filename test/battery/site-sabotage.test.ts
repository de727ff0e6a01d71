// Promises of the pages for readers. Each test must fail on a source, or a template, that breaks its promise.
import { type Row, tryRows } from './sabotaged-tests.ts';

const BESIDE = 'test/unit/cli/pages.test.ts';
const PLAN = 'test/unit/eleventy/site/site.test.ts';
const SITEMAPS = 'test/unit/eleventy/site/sitemaps.test.ts';
const SAMPLE = 'test/end-to-end/site.test.ts';
const HEADS = 'test/end-to-end/site-metadata.test.ts';
const HOSTILE = 'test/end-to-end/site-hostile.test.ts';

const NO_SCRIPT = 'no page has a script';
const TOUCHED = 'an edit renders the page';
const GATED = 'no page shows what only members read';
const SITE_FILE = 'src/eleventy/site/site.ts';
const HEAD_FILE = 'src/eleventy/site/site-head.ts';
const ADDRESS_FILE = 'src/eleventy/site/site-address.ts';
const BASE = 'content/_includes/site/base.njk';

const ROWS: readonly Row[] = [
  [
    'pages are rendered when the interface shows the change, and not before',
    BESIDE,
    {
      file: 'src/cli/publishing.ts',
      replace: 'wake: () => this.#publisher?.wake(),\n      requestBuild',
      by: 'wake: () => {\n        this.#parts.pages.wake();\n        this.#publisher?.wake();\n      },\n      requestBuild',
    },
    'begins when the interface shows the change',
  ],
  [
    'a publish is followed by its pages',
    BESIDE,
    {
      file: 'src/cli/publishing.ts',
      replace: 'if (hasChanged) pages.wake();',
      by: 'if (this.#shownGeneration === -1) pages.wake();',
    },
    'begins when the interface shows the change',
  ],
  [
    'pages that cannot be rendered are told',
    BESIDE,
    { file: 'src/cli/pages.ts', replace: 'if (!isAsked) listeners.onFailed(error);', by: '' },
    'a failure is told',
  ],
  [
    'a publish while pages are rendered is followed by another run, and not by one beside it',
    BESIDE,
    { file: 'src/cli/pages.ts', replace: 'running ??= run();', by: 'running = run();' },
    'runs follow each other',
  ],
  [
    'a folder that was written ahead is placed whole only if all in it is a page',
    'test/unit/eleventy/staged-pages.test.ts',
    {
      file: 'src/emit/write-pages.ts',
      replace: 'ahead.get(top) === all.get(top) &&',
      by: '',
    },
    'what is no page any more is left out',
  ],
  [
    'a page that became other since it was written ahead is written anew',
    'test/unit/eleventy/staged-pages.test.ts',
    {
      file: 'src/eleventy/place-rendered.ts',
      replace: 'ahead?.text === content ?',
      by: 'ahead !== undefined ?',
    },
  ],
  [
    'feeds hold no character that XML has not',
    HOSTILE,
    { file: SITE_FILE, replace: 'publicTags(shown)', by: 'publicTags(post)' },
    'feeds hold no character',
  ],
  [
    'pages that an edit does not touch are not rendered',
    PLAN,
    {
      file: SITE_FILE,
      replace: 'known.get(view.file) !== digest ||',
      by: "known.get(view.file) !== '' ||",
    },
    TOUCHED,
  ],
  [
    'pages that an edit touches are rendered',
    PLAN,
    {
      file: SITE_FILE,
      replace: 'known.get(view.file) !== digest ||',
      by: '!known.has(view.file) ||',
    },
    TOUCHED,
  ],
  [
    'a page that someone removed is rendered again',
    PLAN,
    { file: SITE_FILE, replace: '|| !state.isThere(view.file)', by: '' },
    'a lost page',
  ],
  [
    'other templates are another site',
    PLAN,
    { file: SITE_FILE, replace: 'digestOf([stamp, settings])', by: 'digestOf([settings])' },
    'other templates',
  ],
  [
    'a run that breaks off while it places pages leaves them to the next',
    PLAN,
    {
      file: SITE_FILE,
      replace: 'save([...digests].filter(([file]) => !rendered.has(file)))',
      by: 'save([...digests])',
    },
    'broke off while it placed',
  ],
  [
    'what a run rendered is not noted before it is placed',
    PLAN,
    {
      file: SITE_FILE,
      replace: 'const urls = urlsOf(views, addresses);',
      by: 'const urls = urlsOf(views, addresses); save([...digests]);',
    },
    'placed nothing',
  ],
  [
    'a template that cannot be rendered fails the run, which leaves the pages as they were',
    SAMPLE,
    {
      file: 'src/eleventy/render-pages.ts',
      replace: 'throw asPageError(error);',
      by: 'void error;',
    },
    'leaves the pages of before',
  ],
  [
    'a title is text in the head',
    HOSTILE,
    {
      file: BASE,
      replace: '<title>{{ head.title }}</title>',
      by: '<title>{{ head.title | safe }}</title>',
    },
    NO_SCRIPT,
  ],
  [
    'what networks are told cannot end its attribute',
    HOSTILE,
    {
      file: BASE,
      replace: '<meta property="{{ item[0] }}" content="{{ item[1] }}">',
      by: '<meta property="{{ item[0] }}" content="{{ item[1] | safe }}">',
    },
    NO_SCRIPT,
  ],
  [
    'a caption is text',
    HOSTILE,
    {
      file: 'content/_includes/site/post.njk',
      replace: 'feature_image_caption | striptags',
      by: 'feature_image_caption | safe',
    },
    NO_SCRIPT,
  ],
  [
    'no text ends the script that holds the data of a page',
    HOSTILE,
    { file: HEAD_FILE, replace: ".replaceAll('<', '\\\\u003c')", by: '' },
    NO_SCRIPT,
  ],
  [
    'links are of the web, mail and telephones',
    HOSTILE,
    {
      file: ADDRESS_FILE,
      replace: "!['http:', 'https:'].includes(parsed.protocol)",
      by: "parsed.protocol === ''",
    },
    NO_SCRIPT,
  ],
  [
    'an accent colour is a colour',
    HOSTILE,
    {
      file: 'src/eleventy/site/accent-colors.ts',
      replace: "const plain = findHex(chosen ?? '') ?? DEFAULT;",
      by: 'const plain = chosen ?? DEFAULT;',
    },
    'three colours and nothing else',
  ],
  [
    'what is for members is said to be',
    SAMPLE,
    {
      file: 'src/eleventy/site/site-views.ts',
      replace: 'gate: gateOf(record),',
      by: 'gate: null,',
    },
    GATED,
  ],
  [
    'pages show a gated text no further than the interface does',
    SAMPLE,
    {
      file: 'src/documents/post-body.ts',
      replace: 'tagLinks(gated.html)',
      by: 'tagLinks(full.text)',
    },
    GATED,
  ],
  [
    'a sitemap holds no more addresses than are read of it',
    SITEMAPS,
    {
      file: 'src/eleventy/site/sitemaps.ts',
      replace: 'const URLS_MAX = 50_000;',
      by: 'const URLS_MAX = 60_000;',
    },
    'more of them are an index',
  ],
  [
    'no address is left out of the sitemaps',
    SITEMAPS,
    {
      file: 'src/eleventy/site/sitemaps.ts',
      replace: 'Math.ceil(entries.length / urlsMax)',
      by: 'Math.floor(entries.length / urlsMax)',
    },
    'more of them are an index',
  ],
  [
    'a post is described by its own meta data',
    HEADS,
    { file: HEAD_FILE, replace: 'own: post,', by: 'own: {},' },
    'a post is described',
  ],
  [
    'the code of a post stands on its page alone',
    HEADS,
    {
      file: 'content/publication/publication.11tydata.js',
      replace: 'view?.record?.codeinjection_head ?? view?.codeHead',
      by: 'view?.codeHead',
    },
    'has the language, colour, code',
  ],
  [
    'dates are written in the time zone of the publication',
    HEADS,
    {
      file: 'src/eleventy/site/site-views.ts',
      replace: 'formatIn(settings.lang, options)',
      by: "formatIn('en', options)",
    },
    'dates are those',
  ],
  [
    'pages that cannot be rendered are shown by the state',
    BESIDE,
    { file: 'src/cli/pages.ts', replace: 'lastError = problemOf(error);', by: '' },
    'hold up no publish',
  ],
  [
    'a record takes no place of a feed',
    'test/unit/eleventy/site/site.test.ts',
    { file: ADDRESS_FILE, replace: ' || TEMPLATE_FILES.test(first)', by: '' },
    'belongs to something else',
  ],
  [
    'a record without a page is named',
    'test/unit/eleventy/site/site.test.ts',
    { file: 'src/eleventy/site/site-views.ts', replace: 'absent.push(url);', by: '' },
    'belongs to something else',
  ],
];

tryRows(ROWS);
