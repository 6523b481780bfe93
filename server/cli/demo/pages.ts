/**
 * A page as a small shop may have it: banner first, then what waits for consent, and a log of what happens.
 */
export const shopPage = (script: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Demo shop</title>
<script src="${script}"></script>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  body { max-width: 50rem; margin: 0 auto; padding: 1rem }
  iframe { width: 100%; aspect-ratio: 16/9; border: 0 }
  pre { min-height: 8rem; padding: 1rem; overflow: auto; border: 1px solid; white-space: pre-wrap }
</style>
<script type="text/plain" data-category="analytics">
  write('analytics', 'the script of the category analytics runs; it sets the cookie _demo');
  document.cookie = '_demo=1;path=/';
</script>
<script>
  function write(name, detail) {
    const line = new Date().toISOString().slice(11, 23) + '  ' + name + '  ' + (typeof detail === 'string' ? detail : JSON.stringify(detail)) + '\\n';
    const add = () => document.getElementById('log').append(line);
    if (document.getElementById('log')) add();
    else document.addEventListener('DOMContentLoaded', add);
  }
  for (const name of ['ready', 'show', 'hide', 'consent', 'change'])
    document.addEventListener('avow:' + name, (event) => write('avow:' + name, event.detail));
</script>
</head>
<body>
<main>
<h1>Demo shop</h1>
<p>The film below belongs to the category marketing. It is loaded when you allow it, here or in the settings.</p>
<iframe title="Film" data-category="marketing" data-src="/film"></iframe>
<p><button type="button" onclick="Avow.show()">Privacy settings</button> Once you have decided, you can save a receipt there.</p>
<h2>Events</h2>
<pre id="log" tabindex="0" aria-label="Events"></pre>
</main>
</body>
</html>
`;

/** What the frame shows once it may: nothing of anybody else's. */
export const filmPage = (): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Film</title>
<style>body{margin:0;height:100vh;display:grid;place-items:center;font:2rem system-ui;background:linear-gradient(120deg,#1f4fd8,#e0457b);color:#fff}</style>
</head><body>▶ Film</body></html>
`;
