// node policy.mjs [FOLDER]: the strictest content security policy under which the built site (build) works. Docusaurus puts small scripts into its pages, so that
// the theme is right before anything is drawn: they are named by their hashes, and no other inline script runs. Its bar of progress carries a style of its own.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function policy(folder) {
  const hashes = new Set();
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.html$/.test(name) || /^gpudget[\\/]/.test(name)) continue;
    for (const [, attributes, script] of readFileSync(join(folder, name), 'utf8').matchAll(/<script([^>]*)>([^]*?)<\/script>/g))
      if (!/\bsrc=|application\/(ld\+)?json/.test(attributes)) hashes.add(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  }
  return ["default-src 'self'", `script-src 'self' 'wasm-unsafe-eval' ${[...hashes].join(' ')}`, "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:"].join('; ');
}
if (import.meta.url.endsWith('policy.mjs') && process.argv[1] && process.argv[1].endsWith('policy.mjs')) console.log(policy(process.argv[2] ?? 'build'));
