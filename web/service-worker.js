// Offline: the files of one version in a cache named for it. Files that carry the version are served from the cache; the page itself from the network
// first, so that a new version is seen at once, and its files then come with it. Nothing else is touched.
"use strict";
const version = "VERSION", files = ["FILES"], name = `gpudget-${version}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(files)));  // all or nothing: never half a version
});
self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((n) => n.startsWith("gpudget-") && n !== name).map((n) => caches.delete(n)))));
});
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (event.request.mode === "navigate") {
    if (!/\/(index\.html)?$/.test(url.pathname)) return;
    event.respondWith(fetch(event.request).catch(() => caches.match("index.html", { ignoreSearch: true })));
  } else if (url.searchParams.has("v") || /\/(icon\.svg|manifest\.webmanifest)$/.test(url.pathname)) {
    event.respondWith(caches.match(event.request).then((hit) => hit || fetch(event.request)));
  }
});
