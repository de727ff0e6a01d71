// What is dropped stands where it was dropped, as if it were pasted there. By itself, Koenig puts it where the cursor
// was, or at the end; it takes neither plain text nor what falls on most cards, or below the text.

/** `text` takes what is pasted; `goBelow` puts the cursor at its end. */
type Places = { readonly text: HTMLElement; readonly goBelow: () => void };

export const takeDrops = (area: HTMLElement, places: Places, signal: AbortSignal): void => {
  let isOwn = false;
  const over = (event: DragEvent): void => {
    const { target, dataTransfer } = event;
    if (event.defaultPrevented || dataTransfer === null) return;
    const isHere = target instanceof Node && area.contains(target);
    if (hasFiles(event) || (isHere && cardOf(target) === null)) event.preventDefault();
    // Browsers open a file that nothing takes.
    if (!isHere && hasFiles(event)) dataTransfer.dropEffect = 'none';
  };
  const drop = (event: DragEvent): void => {
    const card = cardOf(event.target);
    if (card !== null && !isOwn) {
      if (hasFiles(event)) select(card);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (!isOwn) void paste(event, places);
  };
  area.addEventListener('dragstart', () => (isOwn = true), { signal });
  addEventListener('dragend', () => (isOwn = false), { signal });
  addEventListener('dragover', over, { signal });
  area.addEventListener('drop', drop, { signal, capture: true });
};

const cardOf = (place: EventTarget | null): Element | null =>
  place instanceof Node
    ? ((place instanceof Element ? place : place.parentElement)?.closest('[data-kg-card]') ?? null)
    : null;

const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true;

/** Unless the card takes files itself, they come to stand below it. */
const select = (card: Element): void => {
  for (const type of ['mousedown', 'click']) {
    card.dispatchEvent(new MouseEvent(type, { bubbles: true }));
  }
};

const paste = async (event: DragEvent, { text, goBelow }: Places): Promise<void> => {
  const { clientX, clientY, dataTransfer } = event;
  text.focus();
  // Lexical puts the cursor where it was; the event still has its files then.
  await null;
  const at = document.caretRangeFromPoint(clientX, clientY);
  if (at && text.contains(at.startContainer) && cardOf(at.startContainer) === null) {
    document.getSelection()?.collapse(at.startContainer, at.startOffset);
    // Browsers report it too late; a touch ends the selection of a card, which shows it later.
    document.dispatchEvent(new Event('selectionchange'));
    text.dispatchEvent(new PointerEvent('click', { pointerType: 'touch' }));
    text.querySelector('[data-kg-card-selected="true"]')?.removeAttribute('data-kg-card-selected');
  } else goBelow();
  const pasted = { clipboardData: dataTransfer, bubbles: true, cancelable: true };
  text.dispatchEvent(new ClipboardEvent('paste', pasted));
};
