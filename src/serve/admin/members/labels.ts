// Labels: create, edit, delete. Their names are the same in any case of any script; no event tells of
// a label, nor of the members that lose one when it is deleted.
import { invalid, notFound } from '../../../base/errors.ts';
import { createId } from '../../../base/ids.ts';
import { writeParts } from '../../../publication/store/bulk-parts.ts';
import { actionOf } from '../../../publication/store/members/bulk-jobs.ts';
import {
  deleteLabelRow,
  findLabelById,
  findLabelByName,
  type LabelRow,
  unlinkMembers,
  updateLabel,
} from '../../../publication/store/members/labels.ts';
import type { Transaction } from '../../../publication/store/store.ts';
import type { LabelCreateInput, LabelEditInput } from '../../contract/input/label-input.ts';
import { changedColumns, nextUpdate } from '../changed-columns.ts';
import { saveContent } from '../save-content.ts';
import { editedSlug } from '../slugs.ts';
import type { WriteContext } from '../use-case-context.ts';
import { insertNewLabel } from './new-label.ts';

/** Answers the new label's id. Throws VALIDATION. */
export const createLabel = (
  { store, clock }: WriteContext,
  { name, slug }: LabelCreateInput,
): Promise<string> => {
  const nowMs = clock.now();
  return saveContent({ store }, nowMs, async (tx) => {
    await refuseTaken(tx, name, null);
    return insertNewLabel(tx, { name, slug: slug ?? name }, nowMs);
  });
};

/** Throws NOT_FOUND, VALIDATION. */
export const editLabel = async (
  { store, clock }: WriteContext,
  id: string,
  { name, slug }: LabelEditInput,
): Promise<void> => {
  const nowMs = clock.now();
  await saveContent({ store }, nowMs, async (tx) => {
    const stored = await findLabelById(tx, id);
    if (stored === undefined) throw notFound('Label');
    if (name !== undefined && name !== stored.name.trim()) await refuseTaken(tx, name, id);
    const changes = changedColumns<LabelRow>(stored, {
      name,
      ...(await editedSlug(tx, 'labels', { stored, wanted: slug })),
    });
    if (Object.keys(changes).length === 0) return;
    const updated_at = nextUpdate(stored.updated_at, nowMs);
    await updateLabel(tx, id, { ...changes, updated_at });
  });
};

/** Many members lose it in parts, so that other saves pass between; it goes with the last of them. Throws NOT_FOUND. */
export const deleteLabel = async (
  { store, clock }: WriteContext,
  id: string,
  now: () => number = () => performance.now(),
): Promise<void> => {
  const nowMs = clock.now();
  const action = actionOf(createId(nowMs));
  let found = false;
  await writeParts(
    (partMs) =>
      saveContent({ store, action }, nowMs, async (tx) => {
        for (const endsAt = now() + partMs; await unlinkMembers(tx, id); )
          if (now() >= endsAt) return true;
        found = await deleteLabelRow(tx, id);
        return false;
      }),
    now,
  );
  if (!found) throw notFound('Label');
};

const refuseTaken = async (
  tx: Transaction,
  name: string,
  exceptId: string | null,
): Promise<void> => {
  const other = await findLabelByName(tx, name);
  if (other === undefined || other.id === exceptId) return;
  throw invalid('name', 'A label with the same name already exists.');
};
