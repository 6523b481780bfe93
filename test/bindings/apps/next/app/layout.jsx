import { AvowSnippet } from '@avow/sdk/react';
import { headers } from 'next/headers';

export const metadata = { title: 'Shop' };

export default async function Layout({ children }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    <html lang="en">
      <head>
        <AvowSnippet snippet={process.env.AVOW_SNIPPET} nonce={nonce} />
      </head>
      <body>{children}</body>
    </html>
  );
}
