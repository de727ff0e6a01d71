// Rules for Firebase Hosting, whose rewrites see paths only and have fixed targets: each address shows its
// `index.html` copy, which headers make JSON of.
import { basename } from 'node:path';
import { GHOST_PREFIXES } from '../../../content/paths/content-path.ts';
import { DOCUMENT_FOLDERS, GUARDED_FOLDERS, IMAGE_FOLDERS } from '../../../content/paths/files.ts';
import {
  DOCUMENT_CACHE,
  JSON_TYPE,
  MEDIA_POLICY,
  NOT_FOUND_CACHE,
  PREFLIGHT_HEADERS,
  SHARED_HEADERS,
} from '../../../content/paths/headers.ts';
import { SETTINGS_NAMES } from '../../../content/paths/settings-names.ts';
import { sidecarOf } from '../../../content/paths/sidecars.ts';
import { type HostFile, type HostSite, jsonFile } from '../host.ts';

export const firebaseFiles = (site: HostSite): HostFile[] => [
  jsonFile('firebase.json', { hosting: hosting(site) }),
];

const hosting = ({ basePath, output, encodings }: HostSite): unknown => ({
  public: basename(output),
  ignore: [
    ...SETTINGS_NAMES.flatMap((name) => [name, `${basePath}/content/${name}`.slice(1)]),
    '**/.prepress-*/**',
    '**/.git/**',
    ...encodings.flatMap((encoding) =>
      [`@(${GUARDED_FOLDERS.join('|')})/**/*.json`, 'packed/**/*.txt'].map((files) =>
        sidecarOf(`${basePath}/content/${files}`.slice(1), encoding),
      ),
    ),
  ],
  trailingSlash: true,
  redirects: GHOST_PREFIXES.filter((prefix) => prefix !== basePath).map((prefix) => ({
    source: `${prefix}/content/:path*`,
    destination: `${basePath}/content/:path`,
    type: 301,
  })),
  headers: [
    // Blobs get the caching of documents: a 404 carries these headers too, and no cache may keep one for ever.
    {
      source: `${basePath}/content/**`,
      headers: pairs([...SHARED_HEADERS, ...PREFLIGHT_HEADERS, ['Cache-Control', DOCUMENT_CACHE]]),
    },
    {
      source: `${basePath}/content/@(${DOCUMENT_FOLDERS.join('|')})/**`,
      headers: pairs([['Content-Type', JSON_TYPE]]),
    },
    {
      source: `${basePath}/content/@(${IMAGE_FOLDERS.join('|')})/**`,
      headers: pairs([MEDIA_POLICY]),
    },
    {
      source: '/404.html',
      headers: pairs([
        ...SHARED_HEADERS,
        ['Content-Type', JSON_TYPE],
        ['Cache-Control', NOT_FOUND_CACHE],
      ]),
    },
  ],
});

const pairs = (
  list: readonly (readonly [string, string])[],
): { readonly key: string; readonly value: string }[] =>
  list.map(([key, value]) => ({ key, value }));
