// What the desk loads when a post is opened.
export { cardConfig } from './cards.ts';
export { mountEditor } from './mount-editor.tsx';
