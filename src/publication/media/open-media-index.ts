// Opens the index of placed pictures.

import type { MediaIndex } from './media-index.ts';
import { openSqliteMediaIndex } from './sqlite-media-index.ts';

/** Opens the index, making it when it is absent or cannot be used. */
export const openMediaIndex = (path: string): MediaIndex => openSqliteMediaIndex(path);
