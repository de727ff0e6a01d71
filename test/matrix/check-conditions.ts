// Holds a host to what conditions and ranges of a request may not change: what is absent stays so, and a range that no file
// has is refused with the headers of every answer, each once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { compareHeaders } from './expected-headers.ts';
import type { HostUnderTest } from './hosts-of-file.ts';
import type { Trial } from './trials.ts';

const OFFERED: readonly Readonly<Record<string, string>>[] = [
  { 'if-none-match': '*' },
  { 'if-match': '"other"' },
  { 'if-modified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
  { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
  { range: 'bytes=0-3' },
  { range: 'bytes=999999999-' },
];

export const conditionTrials = ({ title, site, ask }: HostUnderTest): Trial[] => {
  const content = `${site.basePath}/content`;
  const absent = ['posts/slug/none/', 'nothing/', 'images/none.png'].flatMap((path) =>
    OFFERED.map((headers) => ({
      host: title,
      request: `GET /content/${path} with ${JSON.stringify(headers)}`,
      hold: async (compare) => {
        const answer = await ask({ path: `${content}/${path}`, headers });
        compare('status', answer.status, 404);
        compare('body', answer.body, readFileSync(join(site.content, '404.json')));
        compareHeaders(compare, answer, { kind: 'absent' });
      },
    })),
  ) satisfies Trial[];
  const beyond: Trial = {
    host: title,
    request: 'GET /content/posts/, a range beyond its end',
    hold: async (compare) => {
      const headers = { range: 'bytes=999999999-' };
      const answer = await ask({ path: `${content}/posts/`, headers });
      compare('status', answer.status, expect.toBeOneOf([200, 416]));
      compareHeaders(compare, answer, { kind: 'document', otherCaching: { document: 'of none' } });
    },
  };
  return [...absent, beyond];
};
