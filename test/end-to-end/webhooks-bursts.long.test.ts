// Bursts, imports and changes that nobody sees, through the built command: what they announce.
import { afterAll, beforeAll, test } from 'vitest';
import {
  bigImport,
  brokenBuild,
  bulkEdit,
  runBurstChecks,
  severalSaves,
  unseenChange,
} from '../battery/checks/bursts.ts';
import { COMMAND } from '../battery/program.ts';
import { prepress } from '../helpers/run-prepress.ts';
import { suiteFolder } from '../helpers/suite-folder.ts';

const suite = suiteFolder();
beforeAll(() => prepress(suite.path, ['init', '--empty', '--site-url', 'https://site.test']));
afterAll(suite.remove);

const CHECKS = [bulkEdit, severalSaves, unseenChange, brokenBuild, bigImport];

test('bursts settle, what nobody sees is not told, what cannot be read neither', () =>
  runBurstChecks(suite.path, COMMAND, CHECKS));
