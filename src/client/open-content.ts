// The client: the content interface answered by the program that reads it, from the files of a site, with the bytes of
// the companion server. Every answer is of one generation: the root is read for it.
import { problemBody } from '../base/problem-body.ts';
import { answerAddress } from '../queries/answer-address.ts';
import { createFiles } from './read-files.ts';
import type { Content, ContentError, Item, OpenContent } from './types.ts';

export const openContent: OpenContent = (url, options = {}) => {
  const files = createFiles(`${url.replace(/\/+$/, '')}/content`, options);
  const answer: Content['answer'] = async (address) => {
    const { path, rawQuery } = splitAddress(address);
    const answered = await answerAddress(files.store, { path, rawQuery, nowMs: Date.now() });
    if (answered?.kind === 'problem') return answered;
    if (answered !== null) {
      return { status: 200, body: await new Blob(answered.pieces as BlobPart[]).text() };
    }
    const body = isListed(path) ? null : await files.readText(`${path}index.json`);
    return body === null ? NOT_FOUND : { status: 200, body };
  };
  const get = async (address: string, params: object): Promise<{ data: Document }> => {
    const { status, body } = await answer(`${address}?${spell(params)}`);
    const data = JSON.parse(body);
    if (status !== 200) throw createError(status, data);
    return { data };
  };
  return {
  };
};
