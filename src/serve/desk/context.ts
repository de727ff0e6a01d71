// What every view is given: the interface, the publication's name, and a way out.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type * as z from 'zod';
import type { RECORDS } from '../contract/records.ts';
import type { Api } from './api.ts';

export type Site = z.output<typeof RECORDS.Site>;

type Desk = { readonly api: Api; readonly site: Site | null; readonly leave: () => void };

export const DeskContext = createContext<Desk | null>(null);

export const useDesk = (): Desk => {
  const desk = useContext(DeskContext);
  if (desk === null) throw new Error('No one is signed in.');
  return desk;
};
