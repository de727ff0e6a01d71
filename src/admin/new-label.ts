// Stores a new label, on its own or because a member names it.
import { createId } from '../base/ids.ts';
import { toStoredTime } from '../base/time.ts';
import { insertLabel } from '../store/labels.ts';
import { listSlugsLike } from '../store/slugs-like.ts';
import type { Writer } from '../store/store.ts';
import { makeSlug } from './slugs.ts';

type NewLabel = {
  readonly name: string;
  /** What the slug is made of. */
  readonly slug: string;
};

/** Answers its id. */
export const insertNewLabel = async (
  writer: Writer,
  { name, slug }: NewLabel,
  nowMs: number,
): Promise<string> => {
  const id = createId(nowMs);
  const at = toStoredTime(nowMs);
  const free = await freeLabelSlug(writer, slug, null);
  await insertLabel(writer, { id, name, slug: free, created_at: at, updated_at: at });
  return id;
};

export const freeLabelSlug = (
  writer: Writer,
  text: string,
  exceptId: string | null,
): Promise<string> =>
  makeSlug(text, {
    noun: 'label',
    takenLike: (base) => listSlugsLike(writer, 'labels', { base, exceptId }),
  });
