// Servers of one publication that are killed and started again, or frozen and woken, one at a time, while others edit and hear.
import { onTestFinished } from 'vitest';
import { type Serving, signToken, startServing } from '../../helpers/serve.ts';

/** One that is frozen does not answer at all. Who saves again too soon only makes more work. */
const PATIENCE_MS = { save: 6_000, look: 3_000 } as const;
/** As long webhooks wait for one that is frozen. */
const WAITED_FOR_MS = 5_000;

export type Machine = {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  serving: Serving;
  /** It is not down or frozen for long, and has shown what was saved before it came back. */
  isWhole: boolean;
  /** Of each program that it ran. */
  readonly logs: (() => string)[];
};

export const startMachine = async (
  folder: string,
  environment: Machine['environment'],
): Promise<Machine> => {
  const serving = await startServing(folder, { environment });
  const machine = { folder, environment, serving, isWhole: true, logs: [serving.log] };
  // Also one that is frozen.
  onTestFinished(async () => {
    await machine.serving.end('SIGKILL');
  });
  return machine;
};

export type SavedPost = {
  readonly id: string;
  readonly title: string;
  readonly updated_at: string;
};

/** Null when it does not answer in time, or with a fault of its own. */
const ask = async (
  { folder, serving }: Machine,
  path: string,
  { patienceMs, ...init }: RequestInit & { readonly patienceMs: number },
): Promise<{ readonly status: number; readonly post: SavedPost | undefined } | null> => {
  const headers = {
    authorization: `Ghost ${await signToken(folder)}`,
    'content-type': 'application/json',
  };
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const response = await serving.get(path, { ...init, headers, signal });
    const { posts } = (await response.json()) as { posts?: readonly SavedPost[] };
    return response.status >= 500 ? null : { status: response.status, post: posts?.[0] };
  } catch {
    return null;
  }
};

/** Saves a post: a new one, or what it read of an earlier one; null when nobody knows whether it was saved. */
export const savePost = async (
  machine: Machine,
  title: string,
  known: SavedPost | null,
): Promise<SavedPost | null> => {
  const posts = [
    { title, ...(known ? { updated_at: known.updated_at } : { status: 'published' }) },
  ];
  const path = known === null ? '/admin/posts/' : `/admin/posts/${known.id}/`;
  const method = known === null ? 'POST' : 'PUT';
  const answer = await ask(machine, path, {
    method,
    body: JSON.stringify({ posts }),
    patienceMs: PATIENCE_MS.save,
  });
  if (answer === null || answer.status === 409) return null;
  if (answer.post === undefined) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.post;
};

/** Throws where it does not answer. */
export const readSaved = async (machine: Machine, id: string): Promise<SavedPost> => {
  const answer = await ask(machine, `/admin/posts/${id}/`, { patienceMs: PATIENCE_MS.save });
  if (answer?.post === undefined) throw new Error(`No post ${id}: ${answer?.status}`);
  return answer.post;
};

/** The number in the title that a server shows of a post, -1 for none; null when it does not answer. */
export const shownNumber = async (machine: Machine, id: string): Promise<number | null> => {
  const { contentKey } = machine.serving;
  const answer = await ask(machine, `/content/posts/${id}/?key=${contentKey}`, {
    patienceMs: PATIENCE_MS.look,
  });
  return answer && numberOf(answer.post?.title ?? '-1');
};

export const numberOf = (title: string): number => Number(title.replace('Edit ', ''));

/** Resolves when it is back, and webhooks wait for it again. */
export const strike = async (
  machine: Machine,
  {
    kind,
    until,
    untilShown,
  }: {
    readonly kind: 'SIGKILL' | 'SIGSTOP';
    /** For as long it is down or frozen. */
    readonly until: () => Promise<unknown>;
    /** Until it is known to show all that was announced without it. */
    readonly untilShown: (machine: Machine) => Promise<unknown>;
  },
): Promise<void> => {
  const leaveOut = (): void => {
    machine.isWhole = false;
  };
  if (kind === 'SIGKILL') {
    leaveOut();
    await machine.serving.end('SIGKILL');
    await until();
    const { folder, environment } = machine;
    machine.serving = await startServing(folder, { environment });
    machine.logs.push(machine.serving.log);
  } else {
    process.kill(machine.serving.pid, 'SIGSTOP');
    // What it is asked meanwhile it answers when it wakes: webhooks waited for it until then.
    const timer = setTimeout(leaveOut, WAITED_FOR_MS);
    try {
      await until();
    } finally {
      clearTimeout(timer);
      process.kill(machine.serving.pid, 'SIGCONT');
    }
  }
  await untilShown(machine);
  machine.isWhole = true;
};
