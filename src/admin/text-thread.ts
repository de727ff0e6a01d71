// Work on long texts of posts. A thread does it, one task after another, and ends with each: the program answers others
// meanwhile and gets the memory back. What is short, and what runs from its sources, is done here.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { createLanes } from '../base/lanes.ts';
import type { JsonObject } from '../documents/admin/context.ts';
import { findBundledWorker } from '../emit/bundled-worker.ts';
import { type HtmlTask, type ReadHtml, readHtml } from './read-html.ts';
import { type ShowTask, showPosts } from './show-posts.ts';

export type TextTask =
  | { readonly kind: 'read'; readonly task: HtmlTask }
  | { readonly kind: 'show'; readonly task: ShowTask };

/** A text for which a thread is started: what is shorter holds the event loop no longer than that takes. */
export const LONG_UNITS = 256 * 1024;

export const isLongText = (text: unknown): boolean =>
  typeof text === 'string' && text.length > LONG_UNITS;

const inTurn = createLanes(1);

export const readHtmlAside = async (task: HtmlTask): Promise<ReadHtml> =>
  isLongText(task.html) ? aside({ kind: 'read', task }, () => readHtml(task)) : readHtml(task);

export const showPostsAside = async (task: ShowTask): Promise<JsonObject[]> =>
  task.records.some(({ row }) => isLongText(row.html))
    ? aside({ kind: 'show', task }, () => showPosts(task))
    : showPosts(task);

const aside = async <T>(workerData: TextTask, here: () => T): Promise<T> => {
  const file = findBundledWorker('text-worker');
  if (file === null) return here();
  return inTurn(async () => {
    // What goes wrong in the thread is thrown by `once`.
    const [done] = (await once(new Worker(file, { workerData }), 'message')) as [T];
    return done;
  });
};
