// The thread that works on one long text.
import { parentPort, workerData } from 'node:worker_threads';
import { readHtml } from './read-html.ts';
import { showPosts } from './show-posts.ts';
import type { TextTask } from './text-thread.ts';

const { kind, task } = workerData as TextTask;
parentPort?.postMessage(kind === 'read' ? readHtml(task) : showPosts(task));
