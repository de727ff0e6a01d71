// The packed tree while a build writes it.
import type { BlobFiles } from '../../output/session/blob-files.ts';
import type { TreePacker } from './tree-packer.ts';

export type BuildTree = { readonly packer: TreePacker; readonly files: BlobFiles };
