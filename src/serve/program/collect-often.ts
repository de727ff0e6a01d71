// How much garbage a program that stays open keeps in memory.
import { setFlagsFromString } from 'node:v8';

/**
 * V8 collects garbage each time that the heap has grown by half, in all threads. Left alone it waits for up to three times as
 * much, and for 64 MB of buffers, which count for nothing before. It reads the flag at the end of each collection.
 */
export const collectOften = (): void => setFlagsFromString('--heap-growing-percent=50');
