import { ConsentGate } from '@avow/sdk/react';
import Link from 'next/link';

export default function Page() {
  return (
    <main>
      <ConsentGate category="analytics">
        <p>Counted here too</p>
      </ConsentGate>
      <Link href="/">Back</Link>
    </main>
  );
}
