/** A script element of a snippet. */
export interface SnippetScript {
  /** Its attributes, named as in HTML; those without a value are empty. */
  attributes: Record<string, string>;
  /** What it runs; empty where it has a source. */
  text: string;
}

const SCRIPT = /^\s*<script([^>]*)>([\s\S]*)$/;
const ATTRIBUTE = /([\w-]+)(?:="([^"]*)")?/g;

/** Takes apart a snippet as the server makes it. Throws when it is none. */
export function readSnippet(snippet: string): SnippetScript[] {
  const scripts = snippet.trim().split('</script>');
  if (scripts.length < 2 || scripts.pop() !== '') throw new Error(NONE);
  return scripts.map(readScript);
}

const NONE = 'This is no snippet of Avow: take "snippet" of generateBundle, whole and unchanged.';

function readScript(html: string): SnippetScript {
  const [, inside, text = ''] = SCRIPT.exec(html) ?? [];
  if (inside === undefined) throw new Error(NONE);
  const attributes = Object.fromEntries(
    Array.from(inside.matchAll(ATTRIBUTE), ([, name = '', value = '']) => [name, plain(value)]),
  );
  return { attributes, text };
}

const plain = (value: string): string => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
