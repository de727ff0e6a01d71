// Lexical throws for a type that no node class has, and all of the document after it is lost from view. Such a node is
// put into a kept node before the document is opened, and taken out of it again when the document is written.
import { DEFAULT_NODES, type NodeClass } from '@tryghost/koenig-lexical';
import { createElement, type ReactNode } from 'react';
import { stillStyle } from '../ui/still-style.ts';
import type { DocumentNode, EditorDocument } from './document.ts';

const decorates = (node: (typeof DEFAULT_NODES)[number]): node is NodeClass =>
  'prototype' in node && 'decorate' in node.prototype;

/** The package does not export Lexical's classes: that of its decorators is the last of a card's that decorates. */
const baseOf = (node: NodeClass): NodeClass => {
  const up = Object.getPrototypeOf(node) as NodeClass;
  return decorates(up) ? baseOf(up) : node;
};

const TYPE = 'prepress-kept';

type Kept = { readonly json: string; readonly inline: boolean };

const CARDS = DEFAULT_NODES.filter(decorates);

const Decorator = baseOf(CARDS[0] as NodeClass);

export class KeptNode extends Decorator {
  declare readonly __key: string;
  readonly __kept: Kept;

  static override getType(): string {
    return TYPE;
  }
  static clone({ __kept, __key }: KeptNode): KeptNode {
    return new KeptNode(__kept, __key);
  }
  static importJSON({ json, inline }: Kept): KeptNode {
    return new KeptNode({ json, inline });
  }
  constructor(kept: Kept, key?: string) {
    super(key);
    this.__kept = kept;
  }
  exportJSON(): object {
    return { type: TYPE, version: 1, ...this.__kept };
  }
  createDOM(): HTMLElement {
    return document.createElement(this.__kept.inline ? 'span' : 'div');
  }
  updateDOM(): boolean {
    return false;
  }
  isInline(): boolean {
    return this.__kept.inline;
  }
  decorate(): ReactNode {
    const { type } = JSON.parse(this.__kept.json) as DocumentNode;
    const props = { className: 'kept-node', contentEditable: false };
    return createElement('span', props, `This part (${type}) is kept as it is.`);
  }
}

const KNOWN = new Set([
  ...['root', 'paragraph', 'text', 'linebreak', 'tab'],
  ...DEFAULT_NODES.map((node) => ('replace' in node ? node.replace : node).getType()),
]);

/**
 * Koenig uploads a picture whose bytes are its address as soon as it shows it, which is meant for one that is pasted. It
 * does not know such an address in capitals; browsers do.
 */
const STORED = 'data:';
export const SHOWN = 'DATA:';

const respell = (src: unknown, from: string, to: string): unknown =>
  typeof src === 'string' && src.startsWith(from) ? to + src.slice(from.length) : src;

/** Until a picture is uploaded, Koenig writes a word in place of its bytes. */
const keepBytes = ({ prototype }: NodeClass): void => {
  const { exportJSON } = prototype;
  prototype.exportJSON = function () {
    const json = exportJSON.call(this);
    return String(this.src).startsWith(STORED) ? { ...json, src: this.src } : json;
  };
};

for (const card of CARDS) if (card.getType() === 'image') keepBytes(card);

/** With kept nodes for those that are unknown, and with styles that fetch nothing. */
export const guardNodes = ({ root }: EditorDocument): EditorDocument => {
  const guard = (node: DocumentNode, isInline: boolean): DocumentNode => {
    if (!KNOWN.has(node.type)) {
      return { type: TYPE, version: 1, json: JSON.stringify(node), inline: isInline };
    }
    const { style } = node;
    return {
      ...node,
      ...(typeof style === 'string' && { style: stillStyle(style) }),
      ...(node.type === 'image' && { src: respell(node.src, STORED, SHOWN) }),
      ...(node.children && { children: node.children.map((child) => guard(child, true)) }),
    };
  };
  return { root: { ...root, children: root.children.map((child) => guard(child, false)) } };
};

export const restoreNodes = ({ root }: EditorDocument): EditorDocument => {
  const restore = (node: DocumentNode): DocumentNode => {
    if (node.type === TYPE) return JSON.parse(String(node.json)) as DocumentNode;
    if (node.type === 'image') return { ...node, src: respell(node.src, SHOWN, STORED) };
    return node.children ? { ...node, children: node.children.map(restore) } : node;
  };
  return { root: { ...root, children: root.children.map(restore) } };
};
