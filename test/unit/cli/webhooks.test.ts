// Webhooks at the command line: presets, headers and bodies of their own, and what is said of deliveries that are refused.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runHere, sayHere } from '../../helpers/run-here.ts';
import { copyPublication } from '../../helpers/serve.ts';
import { suiteFolder } from '../../helpers/suite-folder.ts';

const DISPATCHES = 'https://api.github.com/repos/o/r/dispatches';

let template = '';
beforeAll(async () => {
  const folder = suiteFolder();
  template = folder.path;
  await sayHere(template, ['init', '--empty', '--site-url', 'https://site.test']);
  return folder.remove;
});

const open = () => {
  const folder = copyPublication(template);
  const create = (url: string, ...rest: string[]) => {
    const args = ['webhooks', 'create', '--event', 'site.changed', '--url', url, ...rest];
    return runHere(folder, args, { HOOK_TOKEN: 'value-s3cret' });
  };
  return { folder, create };
};

test('a preset, headers and a body are given without a secret on the line, and never shown', async () => {
  const { folder, create } = open();
  writeFileSync(join(folder, 'body.json'), '{"site": "{{site.url}}", "key": "own-body-s3cret"}');
  const made = [
    await create(DISPATCHES, '--preset', 'github', '--token', 'HOOK_TOKEN'),
    await create('https://a.test/', '--header', 'X-A=HOOK_TOKEN', 'X-B=HOOK_TOKEN'),
    await create('https://b.test/', '--body', 'body.json'),
  ];
  expect(made.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']));
  const list = await sayHere(folder, ['webhooks', 'list']);
  expect(list.split('\n').map((line) => /\((.*)\)$/.exec(line)?.[1])).toEqual([
    'github; headers Authorization, Accept, X-GitHub-Api-Version; own body',
    'headers X-A, X-B',
    'own body',
    undefined,
  ]);
  const json = await sayHere(folder, ['webhooks', 'list', '--json']);
  const said = [list, json, ...made.map(({ stdout }) => stdout)].join();
  expect(said).not.toMatch(/s3cret/);
});

test.each<[string[], RegExp]>([
  [
    ['--preset', 'jenkins'],
    /--preset is one of github, gitlab, netlify, vercel, cloudflare, slack, got "jenkins"\./,
  ],
  [
    ['--preset', 'github', '--token', 'HOOK_TOKEN'],
    /sends to an address such as https:\/\/api\.github\.com\/repos/,
  ],
  [['--token', 'HOOK_TOKEN'], /--token goes with a preset/],
  [['--token', 'ghp_s3cret'], /--token names no environment variable that is set/],
  [['--header', 'X-A: s3cret'], /--header must be a name and an environment variable/],
  [['--header', 'Host=HOOK_TOKEN'], /--header must not hold Host/],
  [['--body', 'absent.json'], /--body: absent\.json does not exist/],
  [['--body', 'broken.json'], /--body: broken\.json is not JSON/],
  [
    ['--body', 'body.json'],
    /--body: body\.json holds \{\{post\.title\}\}, and site\.changed has no post/,
  ],
])('what cannot be used is refused (%#)', async (options, sentence) => {
  const { folder, create } = open();
  writeFileSync(join(folder, 'broken.json'), '{"title": {{title}}}');
  writeFileSync(join(folder, 'body.json'), '{"title": "{{post.title}}"}');
  const { code, stdout, stderr } = await create('https://a.test/', ...options);
  expect([code, stdout]).toEqual([code === 2 ? 2 : 1, '']);
  expect(stderr).toMatch(sentence);
  expect(stderr).not.toContain('s3cret');
});

test('a delivery that waits for a target of deploy names it', async () => {
  const { folder, create } = open();
  await create('https://a.test/');
  const settings = join(folder, 'prepress.config.json');
  writeFileSync(settings, '{"deploy": ["dir:carried", "exec:false"]}');
  expect((await runHere(folder, ['build'])).code).toBe(1);
  expect(await sayHere(folder, ['webhooks', 'deliveries'])).toMatch(
    /not tried yet\n {4}webhook \w+ to https:\/\/a\.test\/: It waits for build 1 on exec:false\. "prepress status"/,
  );
});

test('a private target names the line to add, when it is saved and when it is tried', async () => {
  const { folder, create } = open();
  const refused = await create('http://10.1.2.3:9000/hook');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('set "webhookAllow": ["10.1.2.3"] in prepress.config.json.');
  const settings = join(folder, 'prepress.config.json');
  writeFileSync(settings, '{"webhookAllow": ["10.1.2.3"]}');
  const made = await create('http://10.1.2.3:9000/hook?key=s3cret', '--json');
  const { id } = JSON.parse(made.stdout) as { id: string };
  writeFileSync(settings, '{"webhookAllow": ["10.9.0.0/16"]}');
  const reason =
    'The target 10.1.2.3 is in a private or reserved network. To permit it, add "10.1.2.3" to "webhookAllow" in prepress.config.json.';
  const tried = await runHere(folder, ['webhooks', 'test', id]);
  expect([tried.code, tried.stdout]).toEqual([1, expect.stringContaining(`failed: ${reason}\n`)]);
  await sayHere(folder, ['build']);
  const deliveries = () => sayHere(folder, ['webhooks', 'deliveries']);
  const [queued = ''] = (await deliveries()).split(' ');
  await sayHere(folder, ['webhooks', 'redeliver', queued]);
  const [changed = '', target = ''] = (await deliveries()).split('\n');
  expect(changed).toMatch(/20\S+Z {2}site\.changed {2}pending {2}1 attempt, TARGET_REFUSED$/);
  expect(target).toContain(`    webhook ${id} to http://10.1.2.3:9000/hook?...: The target `);
  expect(target).toContain(`${reason} Next try at 20`);
  expect(await sayHere(folder, ['webhooks', 'delete', id])).toBe(
    `Deleted webhook ${id} and its deliveries, including those that were waiting.\n`,
  );
  expect(await deliveries()).toBe('There are no deliveries yet.\n');
  expect((await runHere(folder, ['webhooks', 'delete', id])).stderr).toContain(
    `There is no webhook with the id ${id}.`,
  );
});
