// Who is signed in, and which view the address names. Everything below may ask the admin interface.
import type { ComponentChild } from 'preact';
import { useCallback, useEffect, useErrorBoundary, useMemo, useState } from 'preact/hooks';
import { type Api, createApi } from './api.ts';
import { DeskContext, type DeskValue, type Site } from './context.ts';
import type { Desk } from './records.ts';
import { useRoute } from './route.ts';
import { type AdminKey, dropKey, findKey, keepKey } from './session.ts';
import { Shell } from './shell.tsx';
import { knownZone, ownZone } from './ui/zone-time.ts';
import { dropCopies } from './views/posts/writing/post-copy.ts';
import { SignIn } from './views/sign-in.tsx';
import { viewOf } from './views.tsx';

type Session = {
  readonly key: AdminKey | null;
  /** The server accepts the key no longer. What was written stays, hidden, until somebody signs in again. */
  readonly isRefused: boolean;
  /** Somebody signed out. */
  readonly hasLeft?: true;
};

const REFUSED =
  'Your key is no longer accepted. Sign in again to continue: your text is still here.';

export const App = () => {
  const [{ key, isRefused, hasLeft }, setSession] = useState<Session>(() => ({
    key: findKey(),
    isRefused: false,
  }));
  const [about, setAbout] = useState<About>({ site: null, zone: ownZone() });
  const leave = (): void => {
    dropKey();
    setSession({ key: null, isRefused: false, hasLeft: true });
  };
  // After the views are gone, which keep what they hold.
  useEffect(() => {
    if (hasLeft) dropCopies();
  }, [hasLeft]);
  const enter = (given: AdminKey): void => {
    keepKey(given);
    setSession({ key: given, isRefused: false });
  };
  const api = useMemo(() => {
    if (key === null) return null;
    return createApi(key, () => {
      dropKey();
      setSession({ key, isRefused: true });
    });
  }, [key]);
  const reload = useCallback((): void => {
    if (api !== null) readAbout(api).then(setAbout, () => undefined);
  }, [api]);
  useEffect(reload, [reload]);
  if (api === null) return <SignIn reason={null} onEnter={enter} />;
  return (
    <DeskContext.Provider value={{ api, ...about, reload, leave }}>
      {isRefused && <SignIn reason={REFUSED} onEnter={enter} />}
      <div hidden={isRefused}>
        <View />
      </div>
    </DeskContext.Provider>
  );
};

type About = Pick<DeskValue, 'site' | 'zone'>;

const readAbout = async (api: Api): Promise<About> => {
  const [{ site }, { desk }] = await Promise.all([
    api.get<{ site: Site }>('/site/'),
    api.get<{ desk: Desk }>('/desk/'),
  ]);
  return { site, zone: knownZone(desk.timezone) };
};

const View = () => {
  const route = useRoute();
  // Another address is another view, even where its component is the same.
  return (
    <Shell current={route.path[0] ?? ''}>
      <Guarded key={route.visit}>{viewOf(route)}</Guarded>
    </Shell>
  );
};

const Guarded = ({ children }: { children: ComponentChild }) => {
  const [texts, setTexts] = useState<readonly string[]>([]);
  // Its fields still stand when this is called.
  const [error, openAgain] = useErrorBoundary(() => {
    const found = fieldTexts();
    if (found.length > 0) setTexts(found);
  });
  if (error === undefined) {
    return (
      <>
        <FailedTexts texts={texts} />
        {children}
      </>
    );
  }
  return (
    <div role="alert" class="note">
      <p>This view failed. Unsaved text of a post is restored when you open it again.</p>
      <button type="button" onClick={openAgain}>
        Open it again
      </button>
      <FailedTexts texts={texts} />
    </div>
  );
};

/** They stay until the view is left. */
const FailedTexts = ({ texts }: { texts: readonly string[] }) =>
  texts.length === 0 ? null : (
    <details>
      <summary>Texts from the fields of the view that failed</summary>
      {texts.map((text, at) => (
        <pre key={at}>{text}</pre>
      ))}
    </details>
  );

const FIELDS =
  'main :is(input[type=text], input[type=email], textarea, [contenteditable]):not([contenteditable] *)';

const fieldTexts = (): string[] =>
  [...document.querySelectorAll<HTMLElement>(FIELDS)]
    .map((field) => ('value' in field ? String(field.value) : field.innerText).trim())
    .filter((text) => text !== '');
