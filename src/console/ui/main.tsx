import { render } from 'preact';
import { handleShortcuts } from './keyboard.js';
import { followUrl } from './router.js';
import { Shell } from './shell.js';
import { applyEvent } from './store.js';
import { followEvents } from './stream.js';
import { takeToken } from './token.js';

takeToken();
followUrl();
handleShortcuts();
followEvents(['objects', 'runs', 'runtime', 'logs', 'metrics', 'doctor'], applyEvent);
const app = document.getElementById('app');
if (app) render(<Shell />, app);
