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

const Decorator = baseOf(DEFAULT_NODES.find(decorates) as NodeClass);

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
      ...(node.children && { children: node.children.map((child) => guard(child, true)) }),
    };
  };
  return { root: { ...root, children: root.children.map((child) => guard(child, false)) } };
};

export const restoreNodes = ({ root }: EditorDocument): EditorDocument => {
  const restore = (node: DocumentNode): DocumentNode => {
    if (node.type === TYPE) return JSON.parse(String(node.json)) as DocumentNode;
    return node.children ? { ...node, children: node.children.map(restore) } : node;
  };
  return { root: { ...root, children: root.children.map(restore) } };
};
