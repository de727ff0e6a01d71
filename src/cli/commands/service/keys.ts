// prepress keys: list, create, revoke. A secret is shown once, when its key is made.

import { PrepressError } from '../../../base/errors.ts';
import { namedId } from '../../../base/ids.ts';
import {
  createKey,
  isKeyType,
  type KeySummary,
  listKeys,
  revokeKey,
} from '../../../serve/admin/keys/keys.ts';
import { withWorkspace } from '../../../serve/workspace/with-workspace.ts';
import { asUsage } from '../as-usage.ts';
import type { Run } from '../command.ts';

export const keysList: Run = ({ config, report }) =>
  withWorkspace(config, async ({ useCases }) => {
    const keys = await listKeys(useCases);
    for (const key of keys) report.print(formatKey(key));
    if (keys.length === 0) report.print('There are no keys. "prepress keys create" makes one.');
    report.data({ keys });
    return 0;
  });

const formatKey = (key: KeySummary): string => {
  const { id, type, name, is_owner, created_at, last_seen_at, revoked_at } = key;
  const state = revoked_at === null ? 'in force' : `revoked ${revoked_at}`;
  const seen = last_seen_at === null ? 'never used' : `last used ${last_seen_at}`;
  const kind = is_owner ? 'owner' : type;
  return `${id}  ${kind.padEnd(8)}${name}  (made ${created_at}, ${seen}, ${state})`;
};

export const keysCreate: Run = ({ config, report, options }) =>
  withWorkspace(config, async ({ useCases }) => {
    const type = String(options.type);
    if (!isKeyType(type)) {
      throw new PrepressError('USAGE', `--type is one of content, admin, hook, got "${type}".`);
    }
    const isOwner = options.owner === true;
    if (isOwner && type !== 'admin') {
      throw new PrepressError('USAGE', `Only an admin key can be an owner key, not a ${type} key.`);
    }
    const wish = { type, name: String(options.name), isOwner };
    const key = await asUsage({ name: '--name' }, () => createKey(useCases, wish));
    const kind = key.is_owner ? 'owner' : type;
    report.print(`Made ${kind} key ${key.id}. The key, which is shown only once:`);
    report.print(key.key);
    report.data(key);
    return 0;
  });

export const keysRevoke: Run = ({ config, report, args }) =>
  withWorkspace(config, async ({ useCases }) => {
    const [id = ''] = args;
    const isInForce = ({ revoked_at }: KeySummary): boolean => revoked_at === null;
    const known = (await listKeys(useCases)).filter(isInForce);
    if (!known.some((key) => key.id === id)) throw noKey(id);
    await revokeKey(useCases, id);
    report.print(`Revoked key ${id}: it is refused from now on.`);
    if (!known.some((key) => key.is_owner && key.id !== id)) {
      report.print(
        'No owner key is left: create one with "prepress keys create --type admin --owner --name NAME".',
      );
    }
    report.data({ id });
    return 0;
  });

const noKey = (id: string): PrepressError => {
  const sentence = `There is no key with ${namedId(id)}, or it was revoked. "prepress keys list" lists their ids.`;
  return new PrepressError('NOT_FOUND', sentence);
};
