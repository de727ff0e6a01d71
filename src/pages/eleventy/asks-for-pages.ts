// Whether Eleventy has anything to render: the project that the program is started in, or pages for readers. Everything
// else does without Eleventy, whether it is installed or not.
import type { Queryable } from '../../publication/store/store.ts';
import type { Config } from '../../settings/settings.ts';
import { hasSite } from '../site/has-site.ts';
import { findProjectFile } from './project.ts';

/** `publication`: where it is open already. */
export const asksForPages = async (config: Config, publication?: Queryable): Promise<boolean> =>
  findProjectFile() !== null || (await hasSite(config, publication));
