// Who may read a new post that names no visibility: as in Ghost, two settings say it.
import { parseJson } from '../../../base/text/json-value.ts';
import { findSetting } from '../../../publication/store/content/settings.ts';
import { listTiers } from '../../../publication/store/members/tiers.ts';
import type { Queryable } from '../../../publication/store/store.ts';
import { VISIBILITIES } from '../../contract/input/post-bulk-input.ts';

export type Access = {
  readonly visibility: string;
  /** Ids of those whose members may read it, where its visibility is `tiers`. */
  readonly tiers: readonly string[];
};

/** A value that is no visibility gives no public post. */
export const defaultAccess = async (from: Queryable): Promise<Access> => {
  const stored = (await findSetting(from, 'default_content_visibility')) ?? 'public';
  const visibility = VISIBILITIES.find((one) => one === stored) ?? 'members';
  if (visibility !== 'tiers') return { visibility, tiers: [] };
  const named = parseJson((await findSetting(from, 'default_content_visibility_tiers')) ?? '');
  const tiers = (await listTiers(from)).map(({ id }) => id);
  return { visibility, tiers: tiers.filter((id) => Array.isArray(named) && named.includes(id)) };
};
