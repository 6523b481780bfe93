'use client';

import { ConsentScript, useConsent } from '@avow/sdk/react';
import { useState } from 'react';

export function State() {
  const { loading, consent, openSettings } = useConsent();
  const [told, setTold] = useState('');
  return (
    <>
      <p id="state">{loading ? 'loading' : (consent?.decision ?? 'undecided')}</p>
      <button type="button" onClick={openSettings}>
        Our settings
      </button>
      <ConsentScript category="analytics" src="/counted.js" onLoad={() => setTold('counted')} />
      <p id="told">{told}</p>
    </>
  );
}
