import { ConsentFrame, ConsentGate } from '@avow/sdk/react';
import Link from 'next/link';
import { Suspense } from 'react';
import { State } from './state';

/** Streamed when the rest of the page has been sent. */
async function Late() {
  await new Promise((resolve) => setTimeout(resolve, 300));
  return (
    <ConsentGate category="analytics">
      <p>Late statistics</p>
    </ConsentGate>
  );
}

export default function Page() {
  return (
    <main>
      <h1>Shop</h1>
      <State />
      <ConsentGate category="analytics" fallback={<p>Statistics are off</p>}>
        <p>Statistics are on</p>
      </ConsentGate>
      <ConsentFrame category="marketing" src="/film.html" title="Film" width="480" height="270" />
      <Suspense fallback={<p>Wait</p>}>
        <Late />
      </Suspense>
      <Link href="/next">Next page</Link>
    </main>
  );
}
