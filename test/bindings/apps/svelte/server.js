import { render as renderPage } from 'svelte/server';
import App from './app.svelte';

export const render = () => renderPage(App).body;
