import { NextResponse } from 'next/server';

export default function proxy(request) {
  const nonce = btoa(crypto.randomUUID());
  const policy = [
    ...["default-src 'self'", `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'`, "style-src 'self'"],
    `connect-src 'self' ${process.env.AVOW_ORIGIN}`,
  ].join('; ');
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('Content-Security-Policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('Content-Security-Policy', policy);
  return response;
}

export const config = { matcher: '/((?!_next|film|counted).*)' };
