// prepress keys: list, create, revoke. A secret is shown once, when its key is made.
import { createKey, isKeyType, listKeys, revokeKey } from '../../admin/keys.ts';
import { PrepressError } from '../../base/errors.ts';
import type { Run } from '../command.ts';
import { withWorkspace } from '../with-workspace.ts';

export const keysList: Run = ({ config, report }) =>
  withWorkspace(config, async ({ useCases }) => {
    const keys = await listKeys(useCases);
    for (const { id, type, name, created_at, revoked_at } of keys) {
      const state = revoked_at === null ? 'in force' : `revoked ${revoked_at}`;
      report.say(`${id}  ${type.padEnd(8)}${name}  (made ${created_at}, ${state})`);
    }
    report.data({ keys });
    return 0;
  });

export const keysCreate: Run = ({ config, report, options }) =>
  withWorkspace(config, async ({ useCases }) => {
    const type = String(options.type);
    if (!isKeyType(type)) {
      throw new PrepressError('USAGE', 'The type of a key is content, admin or hook.');
    }
    const key = await createKey(useCases, { type, name: String(options.name) });
    report.say(`Made ${type} key ${key.id}. Its secret is shown this once:`);
    report.say(key.key);
    report.data(key);
    return 0;
  });

export const keysRevoke: Run = ({ config, report, args }) =>
  withWorkspace(config, async ({ useCases }) => {
    const [id = ''] = args;
    await revokeKey(useCases, id);
    report.say(`Revoked key ${id}: it is refused from now on.`);
    report.data({ id });
    return 0;
  });
