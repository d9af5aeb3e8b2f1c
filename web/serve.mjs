// node web/serve.mjs FOLDER [--port N] [--host H] [--csp] [--policy TEXT]: a static web server for the site, on 127.0.0.1, at the next free port. Prints the
// address on its first line. --csp adds the strictest content security policy that the page works under, --policy another one.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";

const types = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".wasm": "application/wasm",
  ".css": "text/css; charset=utf-8", ".json": "application/json; charset=utf-8", ".map": "application/json; charset=utf-8", ".svg": "image/svg+xml",
  ".png": "image/png", ".ico": "image/x-icon", ".webp": "image/webp", ".txt": "text/plain; charset=utf-8", ".md": "text/markdown; charset=utf-8",
  ".xml": "application/xml", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
};

const words = process.argv.slice(2);
const option = (name, fallback) => {
  const at = words.indexOf(name);
  return at < 0 ? fallback : words.splice(at, 2)[1];
};
const flag = (name) => {
  const at = words.indexOf(name);
  return at >= 0 && words.splice(at, 1).length > 0;
};
const wanted = Number(option("--port", "8080"));
const host = option("--host", "127.0.0.1");
const policy = option("--policy", flag("--csp") ? "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:" : "");
const root = resolve(words[0] ?? ".");
if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65535) {
  console.error("serve: --port: a number from 0 to 65535");
  process.exit(2);
}

function answer(request, response) {
  const end = (status, text) => response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(text);
  if (request.method !== "GET" && request.method !== "HEAD") return end(405, "GET and HEAD only\n");
  let path;
  try {
    path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  } catch {
    return end(400, "bad address\n");
  }
  let file = resolve(join(root, path));
  if (path.includes("\0") || (file !== root && !file.startsWith(root + sep))) return end(403, "outside the site\n");
  let info;
  try {
    info = statSync(file);
    if (info.isDirectory()) {
      if (!path.endsWith("/")) return response.writeHead(301, { location: path + "/" }).end();
      info = statSync((file = join(file, "index.html")));
    }
  } catch {
    return end(404, "not found\n");
  }
  // What the build compressed already, where the browser takes it and the copy is not older.
  const type = types[extname(file)] ?? "application/octet-stream";
  let coding = "";
  for (const [name, suffix] of [["br", ".br"], ["gzip", ".gz"]]) {
    if (coding || !new RegExp(`\\b${name}\\b`).test(request.headers["accept-encoding"] ?? "")) continue;
    try {
      const copy = statSync(file + suffix);
      if (copy.mtimeMs >= info.mtimeMs) [coding, info, file] = [name, copy, file + suffix];
    } catch {  // not compressed
    }
  }
  const tag = `"${info.size.toString(16)}-${Math.trunc(info.mtimeMs).toString(16)}"`;
  const headers = {
    "content-type": type,
    vary: "accept-encoding",
    ...(coding ? { "content-encoding": coding } : {}),
    "cache-control": "no-cache",  // asked again each time, answered 304 where nothing changed
    etag: tag,
    "x-content-type-options": "nosniff",
    "access-control-allow-origin": "*",  // public files: other pages and sandboxed frames may load them
  };
  if (policy) headers["content-security-policy"] = policy;
  if (request.headers["if-none-match"] === tag) return response.writeHead(304, headers).end();
  response.writeHead(200, { ...headers, "content-length": info.size });
  if (request.method === "HEAD") return response.end();
  createReadStream(file).on("error", () => response.destroy()).pipe(response);
}

const server = createServer(answer);
let port = wanted;
server.on("error", (error) => {
  if (error.code === "EADDRINUSE" && port < Math.min(wanted + 100, 65535)) return server.listen(++port, host);
  console.error(`serve: ${error.message}`);
  process.exit(1);
});
server.on("listening", () => console.log(`http://${host.includes(":") ? `[${host}]` : host}:${server.address().port}/`));
server.listen(port, host);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
