import './code.css';
import { useState } from 'react';
import { Button } from './button';

/** Copies a text. Where the browser forbids this, as on pages without TLS, it asks the user to copy it. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle');
  const copy = async () => {
    setState((await write(text)) ? 'done' : 'failed');
    setTimeout(() => setState('idle'), 2500);
  };
  return (
    <Button small onPress={copy}>
      <span aria-live="polite">
        {state === 'done' ? 'Copied' : state === 'failed' ? 'Select it and copy' : label}
      </span>
    </Button>
  );
}

async function write(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Preformatted text, with a button to copy it. */
export function CodeBlock({ code, label, copy = true }: { code: string; label: string; copy?: boolean }) {
  return (
    <figure className="code" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      {copy && <CopyButton text={code} label={`Copy ${label.toLowerCase()}`} />}
    </figure>
  );
}
