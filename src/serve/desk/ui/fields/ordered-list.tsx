// A list whose order counts: each item can be moved and removed by buttons, and the focus stays with what was moved.
import type { ComponentChild } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

type Props<Item> = {
  readonly label: string;
  readonly items: readonly Item[];
  /** What its buttons call it. */
  readonly nameOf: (item: Item, at: number) => string;
  readonly onChange: (items: readonly Item[]) => void;
  /** The last ones stay. */
  readonly itemsMin?: number;
  readonly children: (item: Item, at: number) => ComponentChild;
};

export const OrderedList = <Item,>(props: Props<Item>) => {
  const { label, items, nameOf, onChange, itemsMin = 0, children } = props;
  const id = useId();
  const focusNext = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (focusNext.current !== null) document.getElementById(focusNext.current)?.focus();
    focusNext.current = null;
  });
  const move = (from: number, to: number): void => {
    const isEnd = to === (to < from ? 0 : items.length - 1);
    const isUp = to < from !== isEnd;
    focusNext.current = `${id}-${isUp ? 'up' : 'down'}-${to}`;
    onChange(items.toSpliced(from, 1).toSpliced(to, 0, ...items.slice(from, from + 1)));
  };
  const remove = (at: number): void => {
    const left = items.length - 1;
    focusNext.current = left === 0 ? id : `${id}-remove-${Math.min(at, left - 1)}`;
    onChange(items.toSpliced(at, 1));
  };
  return (
    <ol class="ordered" id={id} tabIndex={-1} aria-label={label}>
      {items.map((item, at) => (
        <li key={at} class="ordered-item">
          <span class="grow">{children(item, at)}</span>
          <span class="moves">
            <button
              type="button"
              id={`${id}-up-${at}`}
              aria-label={`Move ${nameOf(item, at)} up`}
              disabled={at === 0}
              onClick={() => move(at, at - 1)}
            >
              ↑
            </button>
            <button
              type="button"
              id={`${id}-down-${at}`}
              aria-label={`Move ${nameOf(item, at)} down`}
              disabled={at === items.length - 1}
              onClick={() => move(at, at + 1)}
            >
              ↓
            </button>
            <button
              type="button"
              id={`${id}-remove-${at}`}
              aria-label={`Remove ${nameOf(item, at)}`}
              disabled={items.length <= itemsMin}
              onClick={() => remove(at)}
            >
              ×
            </button>
          </span>
        </li>
      ))}
    </ol>
  );
};
