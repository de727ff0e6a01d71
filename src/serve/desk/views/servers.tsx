// The servers of a publication in PostgreSQL: what each does, and how far it is. One SQLite file has none to show.
import { SERVER_ROLES } from '../../contract/server-roles.ts';
import { Badge } from '../ui/badge.tsx';
import { number } from '../ui/words.ts';
import type { PublisherView, ServerView } from './publisher-view.ts';

export const Servers = ({ servers }: { readonly servers: PublisherView['servers'] }) =>
  servers?.length === 0 ? null : (
    <section>
      <h2>Servers</h2>
      {servers === null && <p class="failure">PostgreSQL does not answer.</p>}
      <ul class="records">
        {servers?.map((server) => (
          <Server key={server.name} {...server} />
        ))}
      </ul>
    </section>
  );

/** Scheduled posts and retries of webhooks are late or early by as much. */
const CLOCK_MS = 2_000;

const Server = ({ name, role, version, position, ...facts }: ServerView) => {
  const { lagMs, clockMs, silentMs, isSilent, settingsDiffer } = facts;
  return (
    <li>
      <Badge state={isSilent ? 'silent' : SERVER_ROLES[role]} />
      <span class="grow">
        <code>{name}</code>
        {settingsDiffer.length > 0 && (
          <span class="failure"> Other settings: {settingsDiffer.join(', ')}</span>
        )}
        {Math.abs(clockMs) > CLOCK_MS && (
          <span class="failure">
            {' '}
            Its clock is {seconds(Math.abs(clockMs))} {clockMs < 0 ? 'behind' : 'ahead'}
          </span>
        )}
      </span>
      <span class="hint">
        {isSilent && `Silent for ${seconds(silentMs)}, `}
        position {number(position)}
        {lagMs !== null && `, ${seconds(lagMs)} behind`}, version {version}
      </span>
    </li>
  );
};

const seconds = (milliseconds: number): string =>
  `${number(Math.round(milliseconds / 100) / 10)} s`;
