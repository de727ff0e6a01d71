// prepress status: what the database, the tree and the outbox are at.

import { dirname, join } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import { KEPT_BODIES_BYTES_MAX } from '../../../base/limits.ts';
import { toIsoTime } from '../../../base/time.ts';
import { RESOURCES } from '../../../content/paths/endpoints.ts';
import { listPagesFaults } from '../../../pages/eleventy/page-seal.ts';
import { readFollowState } from '../../../publication/follow/follow-state.ts';
import { findFollowing } from '../../../publication/store/import/following.ts';
import {
  findNextDue,
  findPublishedPosition,
  listBuilds,
} from '../../../publication/store/log/publishing.ts';
import { listOpenJobs } from '../../../publication/store/members/bulk-jobs.ts';
import { describeJob } from '../../../publication/store/members/describe-job.ts';
import { countDeliveries } from '../../../publication/store/webhooks/attempts.ts';
import { countBodies } from '../../../publication/store/webhooks/event-bodies.ts';
import { describeDeploys, type ShownDeploy } from '../../../publish/after-build/deploy-states.ts';
import { outputSettingsOf } from '../../../publish/build/output-settings.ts';
import {
  brokenLine,
  LISTED_MAX,
  listBrokenRows,
  showBroken,
} from '../../../publish/build/set-aside/broken-rows.ts';
import { countUnbuilt } from '../../../publish/build/verify/verify.ts';
import { describeClock } from '../../../publish/cycle/clock-line.ts';
import { countPlacedMedia } from '../../../publish/cycle/media.ts';
import { findServerPort } from '../../../publish/cycle/server-settings.ts';
import { describeServers, type ShownServer } from '../../../publish/cycle/shown-servers.ts';
import type { ReplacedBlob } from '../../../publish/manifest/manifest.ts';
import { EDITED, listEditedFiles } from '../../../publish/output/copies/host-files.ts';
import { RECORDS } from '../../../publish/output/copies/written-files.ts';
import {
  describeSizes,
  hasSharp,
  NO_SHARP,
  type SizesState,
  waitingLine,
} from '../../../publish/sizes/make-sizes.ts';
import { findShownKey } from '../../../serve/admin/keys/keys.ts';
import { describeUnsentPosts } from '../../../serve/admin/posts/unsent-posts.ts';
import { SERVER_ROLES } from '../../../serve/contract/server-roles.ts';
import { readMissingPictures } from '../../../serve/workspace/missing-pictures.ts';
import type { Report } from '../../../serve/workspace/report.ts';
import { openWorkspace, type Workspace } from '../../../serve/workspace/workspace.ts';
import { dataPathsOf } from '../../../settings/data-paths.ts';
import type { Config } from '../../../settings/settings.ts';
import type { Run } from '../command.ts';
import { listPagesLines } from '../output/list-pages-line.ts';

export const status: Run = async ({ config, ownConfig, report, options }) => {
  const workspace = await openWorkspace(config);
  const { store, manifest, paths } = workspace;
  const snapshot = store.snapshot();
  try {
    const state = manifest.state();
    const position = snapshot.position();
    const [lastBuild] = await listBuilds(store, 1);
    const nextDue = await findNextDue(store);
    const broken = listBrokenRows(snapshot, config.shape);
    const listed = broken.slice(0, LISTED_MAX);
    const sizes = describeSizes(workspace);
    const facts = {
      database: dataPathsOf(ownConfig).database,
      output: paths.output,
      site_url: outputSettingsOf(config, snapshot.settings()).render.siteUrl,
      generation: manifest.generation(),
      position: position.seq,
      published_position: (await findPublishedPosition(store))?.seq ?? null,
      changes_waiting: countUnbuilt({ manifest, snapshot }),
      counts: Object.fromEntries(RESOURCES.map((name) => [name, manifest.count(name)])),
      kept_blobs: sizeOf(manifest.replacedBlobs()),
      media: countPlacedMedia(paths),
      picture_sizes: { ...sizes, faults: sizes.faults.length },
      missing_pictures: readMissingPictures(workspace),
      last_build: lastBuild
        ? {
            state: lastBuild.state,
            generation: lastBuild.generation,
            finished_at: toIsoTime(lastBuild.finished_at),
            error: lastBuild.error,
          }
        : null,
      next_scheduled: toIsoTime(nextDue),
      deliveries: await countDeliveries(store),
      delivery_bodies: {
        ...(await countBodies(store)),
        bytes_max: KEPT_BODIES_BYTES_MAX,
        kept_days: config.redeliveryDays,
      },
      rows_set_aside: broken.length,
      following: await showFollowing(workspace),
      ...(options.secrets === true && (await showSecrets(workspace))),
    };
    printFacts(report, state === null ? { ...facts, counts: NO_BUILD } : facts);
    const deploys = describeDeploys(workspace);
    const servers = await showServers(workspace);
    for (const line of [...deploys.map(deployLine), ...servers.lines]) report.print(line);
    const held = await describeUnsentPosts(store, systemClock.now());
    const bulk = (await listOpenJobs(store, systemClock.now())).map((job) => describeJob(job));
    const pages = (await listPagesFaults(ownConfig, workspace)).map((fault) => `${fault}.`);
    const lines = [...pages, ...listPagesLines(workspace), ...sizeLines(sizes, config)];
    for (const sentence of [...held, ...bulk, ...lines]) report.print(sentence);
    const clock = await describeClock(store, systemClock.now());
    if (clock !== null) report.print(clock);
    const edited = listEditedFiles(join(dirname(dataPathsOf(ownConfig).manifest), RECORDS.hosts));
    for (const path of edited) report.print(`${path}: ${EDITED}.`);
    for (const row of listed) report.print(brokenLine(row));
    const set_aside = listed.map(showBroken);
    report.data({
      ...facts,
      deploys,
      servers: servers.data,
      held_posts: held,
      bulk_work: bulk,
      clock,
      pages,
      edited,
      size_faults: sizes.faults.slice(0, LISTED_MAX),
      set_aside,
    });
  } finally {
    snapshot.close();
    await workspace.close();
  }
  return 0;
};

const sizeLines = (sizes: SizesState, config: Config): string[] => [
  ...sizes.faults
    .slice(0, LISTED_MAX)
    .map(
      ({ path, reason, sizes: which }) =>
        `The picture ${path} ${reason}: its original is sent for ${which}.`,
    ),
  ...(sizes.waiting > 0 && sizes.problem !== null ? [waitingLine(sizes.problem)] : []),
  ...(config['images.sizes'].length > 0 && !hasSharp() ? [NO_SHARP] : []),
];

const showFollowing = async ({ store, paths }: Workspace): Promise<object | null> => {
  const following = await findFollowing(store);
  if (following === undefined) return null;
  const { source, detached_at } = following;
  const seen = detached_at === null ? readFollowState(paths.followState, source) : null;
  return {
    source,
    ended_at: toIsoTime(detached_at),
    checked_at: toIsoTime(seen?.checkedAt),
    imported_at: toIsoTime(seen?.importedAt),
    error: seen?.error?.message ?? null,
  };
};

/** The first key in force of each type, where the sealing key opens it. */
const showSecrets = async ({
  useCases,
  config,
  paths,
}: Workspace): Promise<Record<string, string>> => {
  const [content, admin, hook] = await Promise.all(
    (['content', 'admin', 'hook'] as const).map((type) => findShownKey(useCases, type)),
  );
  const port = findServerPort(paths) ?? config.port;
  const origin = config.adminUrl ?? `http://${config.host}:${port}`;
  return {
    content_key: content ?? '-',
    admin_key: admin ?? '-',
    build_hook: hook === null ? '-' : `POST ${origin}${config.basePath}/hooks/build/${hook}`,
  };
};

/** What readers of earlier generations still find. */
const sizeOf = (blobs: readonly ReplacedBlob[]): { files: number; bytes: number } => ({
  files: blobs.length,
  bytes: blobs.reduce((sum, { size }) => sum + size, 0),
});

const deployLine = ({ target, state, ...facts }: ShownDeploy): string => {
  const { generation, newest, failingSince, lastError, nextTryAt } = facts;
  const where =
    generation === newest ? `generation ${newest}` : `generation ${generation ?? '-'} of ${newest}`;
  const start = `${'deploy'.padEnd(20)}${target}: ${state}, ${where}`;
  if (state !== 'failing') return start;
  const next = nextTryAt === null ? '' : ` Next try at ${nextTryAt}.`;
  return `${start}, failing since ${failingSince}: ${lastError?.message ?? ''}${next}`;
};

const showServers = async ({ store }: Workspace) => {
  const servers = await describeServers(store);
  return servers === null
    ? { lines: [`${'server'.padEnd(20)}PostgreSQL does not answer`], data: null }
    : { lines: servers.map(serverLine), data: servers };
};

const serverLine = ({ name, role, version, position, ...facts }: ShownServer): string => {
  const { lagMs, clockMs, silentMs, isSilent, settingsDiffer } = facts;
  const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
  const parts = [
    SERVER_ROLES[role],
    `version ${version}`,
    `position ${position}${lagMs === null ? '' : `, ${seconds(lagMs)} behind`}`,
    `clock ${seconds(Math.abs(clockMs))} ${clockMs < 0 ? 'behind' : 'ahead'}`,
    ...(isSilent ? [`silent for ${seconds(silentMs)}`] : []),
    ...(settingsDiffer.length > 0 ? [`other settings: ${settingsDiffer.join(', ')}`] : []),
  ];
  return `${'server'.padEnd(20)}${name}: ${parts.join(', ')}`;
};

const printFacts = (report: Report, facts: object): void => {
  for (const [name, value] of Object.entries(facts))
    report.print(`${(WORDS.get(name) ?? spaced(name)).padEnd(20)}${show(value)}`);
};

/** What people read where the name of --json is a term of this program. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['position', 'changes logged'],
  ['published_position', 'changes announced'],
  ['counts', 'built'],
  ['kept_blobs', 'replaced files'],
  ['rows_set_aside', 'rows not rendered'],
  ['delivery_bodies', 'webhook payloads'],
]);
const NO_BUILD = 'nothing yet';

const spaced = (name: string): string => name.replaceAll('_', ' ');

const show = (value: unknown): string => {
  if (value === null) return '-';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .filter(([, inner]) => inner !== null)
    .map(([name, inner]) => {
      if (!name.startsWith('bytes')) return `${spaced(name)} ${inner}`;
      const size = `${(Number(inner) / MEGABYTE).toFixed(1)} MB`;
      return name === 'bytes_max' ? `at most ${size}` : size;
    })
    .join(', ');
};

const MEGABYTE = 1_000_000;
