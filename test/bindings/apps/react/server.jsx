import { renderToPipeableStream } from 'react-dom/server';
import { Document } from './app.jsx';

/** Streams a whole document. */
export function answer({ nonce, script }, response) {
  const stream = renderToPipeableStream(<Document nonce={nonce} script={script} />, {
    nonce,
    onShellReady: () => stream.pipe(response),
    onError: (error) => console.error(error),
  });
}
