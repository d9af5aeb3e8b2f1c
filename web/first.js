// Before anything is painted: the language and the theme of the address (else the browser's), so that the first sight, which page.css takes from the texts that
// the build wrote into the page, is in them. The verdict there is the default scenario's: kept back where another is asked for.
"use strict";
(() => {
  const root = document.documentElement, parameters = new URLSearchParams(location.search);
  const titles = { "TITLES": "" };
  const supported = (tag) => Object.keys(titles).find((l) => l === String(tag || "").toLowerCase().split(/[-_]/)[0]);
  const language = supported(parameters.get("lang")) || (navigator.languages || [navigator.language]).map(supported).find(Boolean) || "en";
  root.lang = language === "pt" ? "pt-BR" : language;
  document.title = titles[language];
  const theme = parameters.get("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  let kept = null;
  try {
    kept = window.parent === window && localStorage.getItem("gpudget");
  } catch {  // storage is blocked
  }
  if (kept || window.parent !== window || location.hash.startsWith("#s=")) root.dataset.other = "";
})();
