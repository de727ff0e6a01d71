// Bursts, imports and changes that nobody sees, through the built command: what they announce; and several generations that
// wait for a site that gives old bytes.
import { afterAll, beforeAll, test } from 'vitest';
import {
  bigImport,
  brokenBuild,
  bulkEdit,
  runBurstChecks,
  severalSaves,
  unseenChange,
} from '../battery/checks/bursts.ts';
import { checkGate } from '../battery/checks/read-back.ts';
import { COMMAND } from '../battery/program.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const suite = suiteFolder();
beforeAll(() => prepress(suite.path, ['init', '--empty', '--site-url', 'https://site.test']));
afterAll(suite.remove);

const CHECKS = [bulkEdit, severalSaves, unseenChange, brokenBuild, bigImport];

test('bursts settle, what nobody sees is not told, what cannot be read neither', () =>
  runBurstChecks(suite.path, COMMAND, CHECKS));

test('with readback, no delivery leaves before the public bytes are the new ones', async () => {
  const folder = temporaryFolder();
  await prepress(folder, ['init', '--site-url', 'https://site.test']);
  await prepress(folder, ['build']);
  await checkGate(folder, COMMAND);
});
