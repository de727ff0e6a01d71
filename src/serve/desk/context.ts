// What every view is given: the interface, what the publication is called and which time it has, and a way out.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type * as z from 'zod';
import type { RECORDS } from '../contract/records.ts';
import type { Api } from './api.ts';
import { timeIn } from './ui/zone-time.ts';

export type Site = z.output<typeof RECORDS.Site>;

export type DeskValue = {
  readonly api: Api;
  readonly site: Site | null;
  /** The time zone of the publication; this computer's until it is known. */
  readonly zone: string;
  /** Asks for both again, after they were changed. */
  readonly reload: () => void;
  readonly leave: () => void;
};

export const DeskContext = createContext<DeskValue | null>(null);

export const useDesk = (): DeskValue => {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error('No one is signed in.');
  return desk;
};

/** Words for a time, as every view shows it: in the time zone of the publication. */
export const useTime = (): ((text: string | null | undefined) => string) => {
  const { zone } = useDesk();
  return (text) => timeIn(text, zone);
};
