// A post or page as a record: the keys of interface.md's Post, in its order, without related data. The html is
// handed out by itself, between what comes before and after it, because it is made of bytes.
// Throws BUILD_INPUT_INVALID with every field of the row that cannot be read.

import { toText } from '../../base/text/stored-text.ts';
import { isShownTime, parseStoredTime } from '../../base/time.ts';
import type { PostRow, PostSource } from '../tables/rows.ts';
import type { PostFacts } from './fragment.ts';
import { hasGhostText, shownTiers, toGhostPost } from './ghost-post.ts';
import type { ByteText } from './html/byte-text.ts';
import { findDepthFault, findRowFaults } from './html/text-limits.ts';
import { type PostTimes, type PostTools, toInterfacePost } from './interface-post.ts';
import { flagsOf } from './packed-flags.ts';
import { renderBody } from './post-body.ts';
import { createRowError, type RowProblem } from './row-problem.ts';
import type { Body, SiteUrlResolver } from './site-url.ts';

export const toPostRecord = (source: PostSource, tools: PostTools) => {
  const { post } = source;
  const { site, ghost } = tools;
  const problems = findRowFaults('posts', post);
  const times = readTimes(post, problems);
  const html = readHtml(post, site, problems);
  if (problems.length > 0) throw createRowError(problems);
  const body = renderBody(post, html, tools);
  const own = toInterfacePost({ source, body, times }, tools);
  const { before, after } = own;
  const shaped =
    ghost === undefined ? { ...own, rest: null } : toGhostPost({ source, body, own, ...ghost });
  return {
    before: shaped.before,
    html: body.html,
    after: shaped.after,
    rest: shaped.rest,
    // What the record says itself is not added to it.
    plain: ghost !== undefined && !hasGhostText(post, body) ? NO_TEXT : body.plain,
    facts: {
      created: times.created,
      updated: times.updated,
      flags: flagsOf({ ...after, html: body.html }),
      tags: source.tags.map((tag) => toText(tag.id)),
      authors: source.authors.map((author) => toText(author.id)),
      tiers: ghost && shownTiers(source, body.visibility),
      title: before.title,
      slug: before.slug,
      uuid: before.uuid,
      isGated: body.state !== 'whole',
    } satisfies PostFacts,
  };
};

const NO_TEXT = 'null' as ByteText;

// The interface shows three times, so a row that was never updated shows the time of its making.
const readTimes = (post: PostRow, problems: RowProblem[]): PostTimes => {
  const read = (field: 'created_at' | 'updated_at' | 'published_at'): number => {
    const ms = parseStoredTime(post[field]);
    if (ms !== null && isShownTime(ms)) return ms;
    const reason = isEmpty(post[field]) ? 'is empty' : 'is not a time that can be read';
    problems.push({ table: 'posts', id: toText(post.id), field, reason });
    return 0;
  };
  const created = read('created_at');
  const updated = isEmpty(post.updated_at) ? created : read('updated_at');
  const published = read('published_at');
  return { created, updated, published };
};

const readHtml = (post: PostRow, site: SiteUrlResolver, problems: RowProblem[]): Body => {
  const html = site.body(post.html);
  const reason = findDepthFault(html.text);
  if (reason !== null)
    problems.push({ table: 'posts', id: toText(post.id), field: 'html', reason });
  return html;
};

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';
