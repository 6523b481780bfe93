import type { Fields, Form } from './form';

export interface Prepared {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** The request made from the fields. */
export function prepare(form: Form, { parameters, token, body }: Fields): Prepared {
  let path = form.path;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const [{ name, in: place }, input] of parameters) {
    const value = input.value.trim();
    // An empty segment would be another path: the braces are kept, and the answer names the problem.
    if (place === 'path')
      path = path.replace(`{${name}}`, value === '' ? `{${name}}` : encodeURIComponent(value));
    else if (value !== '' && place === 'query') query.set(name, value);
    else if (value !== '') headers[name] = value;
  }
  if (token !== undefined && token.value.trim() !== '')
    headers.Authorization = `Bearer ${token.value.trim()}`;
  const text = body?.value.trim() || undefined;
  if (text !== undefined) headers['Content-Type'] = 'application/json';
  const search = query.size > 0 ? `?${query}` : '';
  return { url: `${location.origin}${path}${search}`, method: form.method, headers, body: text };
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The same request for the shell, without the bearer token. */
export function curlOf({ url, method, headers, body }: Prepared): string {
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`,
    ...Object.entries(headers).map(([name, value]) =>
      name === 'Authorization' ? '-H "Authorization: Bearer $TOKEN"' : `-H ${quote(`${name}: ${value}`)}`,
    ),
    ...(body === undefined ? [] : [`-d ${quote(body)}`]),
  ].join(' \\\n  ');
}
