// How much garbage a program that stays open keeps in memory.
import { setFlagsFromString } from 'node:v8';

/**
 * V8 collects all garbage each time that the heap has grown by half, in every thread. Buffers do not count for that: left to
 * itself, V8 lets 64 MB of dead ones gather. It reads the flag with each collection.
 */
export const collectOften = (): void => setFlagsFromString('--heap-growing-percent=50');
