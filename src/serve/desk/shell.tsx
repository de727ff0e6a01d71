// What surrounds every view: the publication's name, the ways to the views, the way out, and what is wrong with the clock.
import type { ComponentChild } from 'preact';
import { BASE } from './api.ts';
import { useDesk } from './context.ts';
import type { Desk } from './records.ts';
import { LOST, mayLeave } from './route.ts';
import { useLoaded } from './ui/hooks.ts';
import { hasCopies } from './views/posts/writing/post-copy.ts';

const WRITING = [
  ['posts', 'Posts'],
  ['pages', 'Pages'],
  ['tags', 'Tags'],
  ['members', 'Members'],
  ['newsletters', 'Newsletters'],
  ['settings', 'Settings'],
] as const;

/** For whoever runs the server. */
const SYSTEM = [
  ['overview', 'Overview'],
  ['webhooks', 'Webhooks'],
  ['keys', 'Keys'],
] as const;

type Props = { readonly current: string; readonly children: ComponentChild };

export const Shell = ({ current, children }: Props) => {
  const { site, leave } = useDesk();
  return (
    <div class="shell">
      <button type="button" class="skip" onClick={toMain}>
        To the content
      </button>
      <header>
        <a class="name" href={`${BASE}/`} target="_blank" rel="noreferrer">
          {site?.title || 'The publication'}
        </a>
        <nav aria-label="Desk">
          <Links links={WRITING} current={current || 'posts'} />
          <div class="system">
            <h2>System</h2>
            <Links links={SYSTEM} current={current} />
          </div>
        </nav>
        <div class="aside">
          <a href={`${BASE}/docs/`}>API</a>
          <button type="button" class="plain" onClick={() => maySignOut() && leave()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        <Clock current={current} />
        {children}
      </main>
    </div>
  );
};

const maySignOut = (): boolean =>
  hasCopies()
    ? confirm('Signing out deletes unsaved changes that are in this browser alone. Sign out?')
    : mayLeave(LOST);

type LinksProps = Pick<Props, 'current'> & {
  readonly links: readonly (readonly [name: string, label: string])[];
};

const Links = ({ links, current }: LinksProps) => (
  <>
    {links.map(([name, label]) => (
      <a key={name} href={`#/${name}`} {...(name === current && { 'aria-current': 'page' })}>
        {label}
      </a>
    ))}
  </>
);

const EVERY_MS = 30_000;

/** Where one publishes, one has to know that nothing is published by the clock. */
const Clock = ({ current }: Pick<Props, 'current'>) => {
  const { api } = useDesk();
  const load = () => api.get<{ desk: Desk }>('/desk/');
  const { value } = useLoaded(load, [api, current], EVERY_MS);
  const line = value?.desk.clock ?? null;
  return line === null ? null : (
    <p role="alert" class="note">
      {line}
    </p>
  );
};

/** The fragment names the view, so that no link can lead to an element by it. */
const toMain = (): void => document.getElementById('main')?.focus();
