// The desk: starts the page. The style is bundled beside it as desk.css.
import './desk.css';
import './editor/editor.css';
import { render } from 'preact';
import { App } from './app.tsx';

const place = document.getElementById('desk');
if (place !== null) render(<App />, place);
