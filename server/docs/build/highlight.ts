import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import ini from 'highlight.js/lib/languages/ini';
import json from 'highlight.js/lib/languages/json';
import nginx from 'highlight.js/lib/languages/nginx';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { escapeHtml } from './html';

const LANGUAGES = { bash, ini, json, nginx, python, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
// JavaScript is read by the grammar of TypeScript, so that the two look alike beside each other.
hljs.registerAliases(['js', 'mjs', 'javascript'], { languageName: 'typescript' });
hljs.registerAliases(['env'], { languageName: 'ini' });

/** Code as markup with its words marked, in classes `hljs-…`; the text stays what it was. */
export function highlight(code: string, language: string): string {
  if (hljs.getLanguage(language) === undefined) return escapeHtml(code);
  // An apostrophe needs an escape in attributes only.
  return hljs.highlight(code, { language, ignoreIllegals: true }).value.replaceAll('&#x27;', "'");
}
