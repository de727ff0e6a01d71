// Who is signed in, and which view the address names. Everything below may ask the admin interface.
import type { ComponentChild } from 'preact';
import { useEffect, useErrorBoundary, useMemo, useState } from 'preact/hooks';
import { createApi } from './api.ts';
import { DeskContext, type Site } from './context.ts';
import { useRoute } from './route.ts';
import { type AdminKey, dropKey, findKey, keepKey } from './session.ts';
import { Shell } from './shell.tsx';
import { SignIn } from './views/sign-in.tsx';
import { viewOf } from './views.tsx';

export const App = () => {
  const [key, setKey] = useState(findKey);
  const [site, setSite] = useState<Site | null>(null);
  const [reason, setReason] = useState<string | null>(null);
  const leave = (why: string | null): void => {
    dropKey();
    setKey(null);
    setReason(why);
  };
  const enter = (given: AdminKey): void => {
    keepKey(given);
    setReason(null);
    setKey(given);
  };
  const api = useMemo(
    () => (key === null ? null : createApi(key, () => leave('Your key is not accepted any more.'))),
    [key],
  );
  useEffect(() => {
    api
      ?.get<{ site: Site }>('/site/')
      .then(({ site: found }) => setSite(found))
      .catch(() => undefined);
  }, [api]);
  if (api === null) return <SignIn reason={reason} onEnter={enter} />;
  return (
    <DeskContext.Provider value={{ api, site, leave: () => leave(null) }}>
      <Shell>
        <View />
      </Shell>
    </DeskContext.Provider>
  );
};

const View = () => {
  const route = useRoute();
  // Another address is another view, even where its component is the same.
  return <Guarded key={route.path.join('/')}>{viewOf(route)}</Guarded>;
};

const Guarded = ({ children }: { children: ComponentChild }) => {
  const [error] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <p role="alert" class="failure">
      This view failed. Load the page again.
    </p>
  );
};
