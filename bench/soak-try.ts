import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { measureMemory } from './memory.ts';
import { makePublication } from './publication.ts';
const folder = mkdtempSync('/tmp/F/soak-');
await makePublication(join(folder, 'data/publication.db'), Number(process.env.POSTS ?? 1000));
const { samplesMb, ...rest } = await measureMemory({ folder, minutes: Number(process.env.MINUTES ?? 3) });
const s = [...samplesMb].sort((a, b) => a - b);
console.log(folder, rest, { median: s[s.length >> 1], max: s.at(-1), min: s[0] });
