import { hydrateRoot } from 'react-dom/client';
import { Document } from './app.jsx';

const script = new URL(import.meta.url).pathname;
hydrateRoot(document, <Document script={script} />, {
  onRecoverableError: (error) => console.error(String(error)),
});
