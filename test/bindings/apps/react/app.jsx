import { AvowSnippet, ConsentFrame, ConsentGate, ConsentScript, useConsent } from '@avow/sdk/react';
import { lazy, StrictMode, Suspense, useState } from 'react';

const late = () => (
  <ConsentGate category="analytics" vendor={801}>
    <p>Late statistics</p>
  </ConsentGate>
);
/** Its part of the page comes when the rest has been sent. */
const Late = lazy(() => new Promise((resolve) => setTimeout(() => resolve({ default: late }), 100)));

function State() {
  const { loading, consent, accept, openSettings } = useConsent();
  return (
    <>
      <p id="state">{loading ? 'loading' : (consent?.decision ?? 'undecided')}</p>
      <button type="button" onClick={accept}>
        Our accept
      </button>
      <button type="button" onClick={openSettings}>
        Our settings
      </button>
    </>
  );
}

function Parts() {
  const [told, setTold] = useState('');
  return (
    <div>
      <ConsentGate category="analytics" fallback={<p>Statistics are off</p>}>
        <p>Statistics are on</p>
      </ConsentGate>
      <ConsentScript category="analytics" vendor={801} src="/counted.js" onLoad={() => setTold('counted')} />
      <p id="told">{told}</p>
      <ConsentFrame category="marketing" vendor={755} src="/film" title="Film" width="480" height="270" />
      <Suspense fallback={<p>Wait</p>}>
        <Late />
      </Suspense>
    </div>
  );
}

export function App() {
  const [hasParts, setHasParts] = useState(true);
  return (
    <StrictMode>
      <h1>Shop</h1>
      <State />
      <button type="button" onClick={() => setHasParts(!hasParts)}>
        Parts
      </button>
      {hasParts && <Parts />}
    </StrictMode>
  );
}

export const Document = ({ nonce, script }) => (
  <html lang="en">
    <head>
      <title>Shop</title>
      <AvowSnippet snippet={SNIPPET} nonce={nonce} />
      <script type="module" async src={script} nonce={nonce} suppressHydrationWarning />
    </head>
    <body>
      <App />
    </body>
  </html>
);
