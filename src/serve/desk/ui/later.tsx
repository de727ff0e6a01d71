// A view whose code is loaded when it is first opened.
import type { ComponentType } from 'preact';
import { Failed } from './failed.tsx';
import { useLoaded } from './hooks.ts';

export const later =
  <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  (props: Props) => {
    const { value: View, error } = useLoaded(load, []);
    if (View !== null) return <View {...props} />;
    return error === null ? (
      <p>Loading…</p>
    ) : (
      <Failed error="This view cannot be loaded. Load the page again." />
    );
  };
